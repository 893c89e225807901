/** The view of objects: the tree of owners, and one object with its YAML and its history. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { differencesOf } from './model/differences.ts';
import { fieldOwnersOf } from './model/field-owners.ts';
import type { ObjectHistory, ObjectState } from './model/object-history.ts';
import { reportsOf } from './model/reports.ts';
import { healthOf, reconcilesOf } from './model/run-model.ts';
import { durationText, keyText, outcomeText, resourceText, targetText, timeText } from './model/texts.ts';
import { type ObjectFilter, type TreeRow, treeOf } from './model/tree.ts';
import { yamlLines } from './model/yaml.ts';
import {
  Block,
  Choice,
  choicesOf,
  Details,
  Differences,
  Facts,
  Filter,
  ObjectLink,
  type RunProps,
} from './parts.tsx';
import { ObjectActions } from './play/object-actions.tsx';
import { hrefOf } from './route.ts';
import { type RowColumn, Rows } from './rows.tsx';
import { toneOf } from './timeline.tsx';

/** Tree of the objects, with filters. */
export function Objects({ model, index, selected, onSelect }: RunProps): JSX.Element {
  const [filter, setFilter] = useState({ kind: '', namespace: '', name: '' });
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => treeOf(model, filter, folded), [model, filter, folded]);
  const toggle = (id: string): void => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  const select = (row: TreeRow | undefined): void => {
    if (row === undefined) return;
    if (row.object === undefined) toggle(row.id);
    onSelect(row.id);
  };
  const object = model.objects.get(selected ?? '');
  return (
    <>
      <Filters {...{ model, filter, setFilter }} />
      <div class="split">
        <Rows
          {...{ id: 'object', label: 'Objects', rows, columns: columnsOf(model.run.to, model.run.clock) }}
          selected={rows.findIndex(({ id }) => id === selected)}
          onSelect={(row) => select(rows[row])}
          onFold={(row, opens) =>
            rows[row] !== undefined && rows[row].isOpen !== opens && toggle(rows[row].id)
          }
          classOf={({ object: each }) => (each?.isDeleted === true ? 'gone' : '')}
          empty="No object matches."
        />
        {object === undefined ? (
          <Details title="Details">
            <p class="quiet">Select an object to see its YAML and its history.</p>
          </Details>
        ) : (
          <ObjectDetails {...{ model, index, object }} />
        )}
      </div>
    </>
  );
}

interface FiltersProps extends Pick<RunProps, 'model'> {
  readonly filter: ObjectFilter;
  readonly setFilter: (filter: ObjectFilter) => void;
}

function Filters({ model, filter, setFilter }: FiltersProps): JSX.Element {
  const targets = [...model.objects.values()].map(({ target }) => target);
  return (
    <div class="tools">
      <Choice
        {...{ label: 'Kind', value: filter.kind, options: choicesOf(targets.map(resourceText), 'all') }}
        onChange={(kind) => setFilter({ ...filter, kind })}
      />
      <Choice
        {...{ label: 'Namespace', value: filter.namespace }}
        options={choicesOf(
          targets.map(({ namespace }) => namespace),
          'all',
        )}
        onChange={(namespace) => setFilter({ ...filter, namespace })}
      />
      <Filter label="Name" value={filter.name} onChange={(name) => setFilter({ ...filter, name })} />
      <span class="quiet" role="status">
        {model.objects.size} objects
      </span>
    </div>
  );
}

function columnsOf(end: number, clock: 'utc' | 'virtual'): readonly RowColumn<TreeRow>[] {
  return [
    {
      title: 'Object',
      width: 'minmax(0, 3fr)',
      cell: ({ depth, object, title, count, isOpen }) => (
        <span style={{ paddingLeft: `${depth * 1.25}rem` }}>
          <span class="fold" aria-hidden="true">
            {count === 0 ? '' : isOpen ? '▾' : '▸'}
          </span>
          {object === undefined ? (
            `${title}: ${count} objects, ${isOpen ? 'open' : 'folded'}`
          ) : (
            <>
              <span
                aria-hidden="true"
                class={`dot ${toneOfObject(object)} ${ageOf(end - (object.states.at(-1)?.at ?? end))}`}
              />
              <span class="quiet">{resourceText(object.target)}</span> {keyText(object.target)}
            </>
          )}
        </span>
      ),
    },
    { title: 'State', width: 'minmax(0, 1fr)', cell: ({ object }) => <Health object={object} /> },
    {
      ...{ title: 'Last change', width: '8rem', isWide: true },
      cell: ({ object }) => {
        const { at = end } = object?.states.at(-1) ?? {};
        return object === undefined
          ? ''
          : clock === 'virtual'
            ? timeText({ clock }, at)
            : `${durationText(end - at)} before`;
      },
    },
  ];
}

function Health({ object }: { readonly object: ObjectHistory | undefined }): JSX.Element | null {
  if (object === undefined) return null;
  return <span class={`tone ${toneOfObject(object)}`}>{healthText(object)}</span>;
}

function healthText({ isDeleted, states }: ObjectHistory): string {
  return isDeleted ? 'deleted' : healthOf(states.at(-1)?.content);
}

/** Returns the class of an object: its color. */
function toneOfObject(object: ObjectHistory): string {
  const text = healthText(object);
  if (text === '' || object.isDeleted) return 'quiet';
  return /: True$|^(Running|Ready|Active|Bound|Succeeded)$/.test(text) ? 'good' : 'warn';
}

/** Returns the class of the time since the last change, in milliseconds. */
function ageOf(ms: number): string {
  return ms < 10_000 ? 'new' : ms < 60_000 ? 'recent' : 'old';
}

interface ObjectProps extends Pick<RunProps, 'model' | 'index'> {
  readonly object: ObjectHistory;
}

function ObjectDetails({ model, index, object }: ObjectProps): JSX.Element {
  const { target, states, owners, id } = object;
  const [at, setAt] = useState<{ readonly id: string; readonly state: number } | undefined>(undefined);
  const state = at?.id === id ? at.state : states.length - 1;
  const reconciles = reconcilesOf(model, object).slice(-50).reverse();
  const related = [
    ['Owner', owners.flatMap((owner) => model.objects.get(owner) ?? [])],
    ['Owns', model.childrenOf(id).slice(0, 50)],
  ] as const;
  return (
    <Details title={targetText(target)}>
      <Facts
        facts={related
          .filter(([, objects]) => objects.length > 0)
          .map(([name, objects]) => [
            name,
            objects.map((each) => <ObjectLink {...{ model, index, target: each.target }} />),
          ])}
      />
      {!object.isDeleted && <ObjectActions {...{ key: id, content: states.at(-1)?.content }} />}
      <h3>History</h3>
      <History {...{ model, index, states, shown: state, onShow: (next) => setAt({ id, state: next }) }} />
      <h3>YAML{state === states.length - 1 ? '' : ` at ${timeText(model.run, states[state]?.at ?? 0)}`}</h3>
      {states[state]?.content === undefined ? (
        <p class="quiet">(too large for the recording)</p>
      ) : (
        <Content content={states[state].content} />
      )}
      <Reports {...{ model, index, object }} />
      {model.run.reconciles.length > 0 && <h3>Reconciles that it woke, or that wrote it</h3>}
      <ul class="plain">
        {reconciles.map((reconcile) => (
          <li>
            <a href={hrefOf({ view: 'reconciles', run: index, selected: String(reconcile.number) })}>
              {timeText(model.run, reconcile.from)} {reconcile.controller} {keyText(reconcile)}
            </a>{' '}
            <span class={`tone ${toneOf(reconcile)}`}>{outcomeText(reconcile)}</span>
          </li>
        ))}
      </ul>
    </Details>
  );
}

interface ContentProps {
  readonly content: unknown;
}

/** Longer objects have no colors of owners. */
const mostLines = 3_000;

/** The YAML of an object: the letter and color of a line are those of the program that owns its field. */
function Content({ content }: ContentProps): JSX.Element {
  const { owners, of } = useMemo(() => fieldOwnersOf(content), [content]);
  const lines = useMemo(() => yamlLines(content), [content]);
  if (owners.length === 0 || lines.length > mostLines)
    return <Block kind="yaml" text={lines.map(({ text }) => text).join('\n')} />;
  return (
    <>
      <ul class="plain owners">
        {owners.map(({ title, time, count }, owner) => (
          <li>
            <span class={`owner owner-${owner % ownerColors}`}>{letterOf(owner)}</span> {title},{' '}
            {count === 1 ? '1 field' : `${count} fields`} <span class="quiet">{time}</span>
          </li>
        ))}
      </ul>
      <pre {...{ class: 'yaml owned', tabIndex: 0 }}>
        {lines.map(({ text, path }) => {
          const own = of(path);
          return (
            <span class="line" title={own.map((owner) => owners[owner]?.title).join(', ')}>
              <span class={own[0] === undefined ? 'owner' : `owner owner-${own[0] % ownerColors}`}>
                {own.map(letterOf).join('')}
              </span>
              {`${text}\n`}
            </span>
          );
        })}
      </pre>
    </>
  );
}

/** Colors of the style sheet. */
const ownerColors = 6;

function letterOf(owner: number): string {
  return String.fromCharCode(97 + (owner % 26));
}

/** Events about an object. */
function Reports({ model, index, object }: ObjectProps): JSX.Element | null {
  const reports = useMemo(() => reportsOf(model, object), [model, object]);
  if (reports.length === 0) return null;
  return (
    <>
      <h3>Events</h3>
      <ul class="plain">
        {reports.slice(0, mostReports).map(({ at, type, reason, note, count, reconcile }) => (
          <li>
            {timeText(model.run, at)}{' '}
            <strong class={`tone ${type === 'Warning' ? 'warn' : ''}`}>{reason}</strong>{' '}
            {count > 1 && `(${count} times) `}
            {note}{' '}
            {reconcile !== undefined && (
              <a href={hrefOf({ view: 'reconciles', run: index, selected: String(reconcile) })}>
                reconcile #{reconcile}
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const mostReports = 50;

interface HistoryProps extends Pick<RunProps, 'model' | 'index'> {
  readonly states: readonly ObjectState[];
  /** Index of the state that is shown. */
  readonly shown: number;
  readonly onShow: (state: number) => void;
}

function History({ model, index, states, shown, onShow }: HistoryProps): JSX.Element {
  return (
    <ol class="history">
      {states.map((each, place) => (
        <li aria-current={place === shown ? 'true' : undefined}>
          <button type="button" onClick={() => onShow(place)}>
            {timeText(model.run, each.at)} {changeTexts[each.change]}
          </button>
          {each.by !== undefined && (
            <>
              {' '}
              by{' '}
              <a href={hrefOf({ view: 'reconciles', run: index, selected: String(each.by) })}>
                reconcile #{each.by}
              </a>
            </>
          )}
          <StateDifferences state={each} before={states[place - 1]} />
        </li>
      ))}
    </ol>
  );
}

const changeTexts = {
  existing: 'existed at the start',
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  write: 'written',
} as const;

function StateDifferences({ state, before }: StateProps): JSX.Element | null {
  if (before === undefined || state.change === 'delete') return null;
  return <Differences fields={differencesOf(before.content, state.content, 20)} />;
}

interface StateProps {
  readonly state: ObjectState;
  readonly before: ObjectState | undefined;
}
