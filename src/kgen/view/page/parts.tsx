/** Parts that several views have. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ViewTarget } from '../format.ts';
import type { FieldDifference } from './model/differences.ts';
import { idOf, type RunModel } from './model/run-model.ts';
import { siteLink, targetText } from './model/texts.ts';
import { shortText } from './model/yaml.ts';
import { hrefOf } from './route.ts';

/** Properties of the views of a run. */
export interface RunProps {
  readonly model: RunModel;
  readonly index: number;
  readonly selected: string | undefined;
  readonly onSelect: (selected: string) => void;
}

/** Details of the selection, beside a list. */
export function Details({ title, children }: DetailsProps): JSX.Element {
  const section = useRef<HTMLElement>(null);
  // Another selection is read from its beginning.
  useLayoutEffect(() => section.current?.scrollTo(0, 0), [title]);
  return (
    <section {...{ ref: section, class: 'details', 'aria-label': 'Details', tabIndex: 0 }}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface DetailsProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A text that scrolls, also by keyboard. */
export function Block({
  kind,
  text,
}: {
  readonly kind: 'yaml' | 'story';
  readonly text: string;
}): JSX.Element {
  return <pre {...{ class: kind, tabIndex: 0 }}>{text}</pre>;
}

/** An object, as a link to it if the run has it. */
export function ObjectLink({ model, index, target }: ObjectLinkProps): JSX.Element {
  const id = idOf(target);
  if (!model.objects.has(id)) return <code>{targetText(target)}</code>;
  return (
    <a href={hrefOf({ view: 'objects', run: index, selected: id })}>
      <code>{targetText(target)}</code>
    </a>
  );
}

interface ObjectLinkProps {
  readonly model: RunModel;
  readonly index: number;
  readonly target: ViewTarget;
}

/** A line of the program, as a link that opens an editor. */
export function Site({ site }: { readonly site: string }): JSX.Element {
  const href = siteLink(site);
  return href === undefined ? (
    <code>{site}</code>
  ) : (
    <a href={href}>
      <code>{site}</code>
    </a>
  );
}

/** Fields that differ between two states. */
export function Differences({ fields }: { readonly fields: readonly FieldDifference[] }): JSX.Element {
  if (fields.length === 0) return <p class="quiet">No field differs, apart from those of the server.</p>;
  return (
    <ul class="differences">
      {fields.map(({ path, before, after }) => (
        <li>
          <code>{path || 'object'}</code>{' '}
          {before === undefined ? <span class="quiet">added</span> : <del>{shortText(before)}</del>}{' '}
          {after === undefined ? <span class="quiet">removed</span> : <ins>{shortText(after)}</ins>}
        </li>
      ))}
    </ul>
  );
}

/** Names and values. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren])[];
}): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A list of values with a label. */
export function Choice({ label, value, options, onChange }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([each, text]) => (
          <option value={each}>{text}</option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A field for a part of a text. */
export function Filter({ label, value, onChange }: Omit<ChoiceProps, 'options'>): JSX.Element {
  return (
    <label class="choice">
      {label}{' '}
      <input type="search" value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}

/** A button that copies a text. */
export function Copy({ text }: { readonly text: string }): JSX.Element {
  const [state, setState] = useState<'' | 'Copied' | 'Select the command and copy it'>('');
  const copy = (): void => {
    // Files have no clipboard in some browsers.
    const done = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => setState('Copied'),
      () => setState('Select the command and copy it'),
    );
  };
  return (
    <p class="command">
      <code>{text}</code>
      <button type="button" onClick={copy}>
        Copy
      </button>
      <span role="status">{state}</span>
    </p>
  );
}

/** Returns the values of a filter: all, and the different ones. */
export function choicesOf(values: Iterable<string>, all: string): readonly (readonly [string, string])[] {
  const different = [...new Set(values)].filter((value) => value !== '').sort();
  return [['', all], ...different.map((value) => [value, value] as const)];
}

interface TableProps {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly children?: ComponentChildren;
}

/** A table with a heading, which scrolls, also by keyboard. */
export function Table({ title, columns, rows, children }: TableProps): JSX.Element {
  return (
    <section>
      <h2>{title}</h2>
      {children}
      {rows.length > 0 && (
        <div {...{ class: 'scroll', tabIndex: 0, role: 'group', 'aria-label': title }}>
          <table>
            {columns.length > 0 && (
              <thead>
                <tr>
                  {columns.map((column) => (
                    <th scope="col">{column}</th>
                  ))}
                </tr>
              </thead>
            )}
            <tbody>
              {rows.map((cells) => (
                <tr>
                  {cells.map((cell) => (
                    <td>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
