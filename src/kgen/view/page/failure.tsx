/** The view of a failed simulation: the run with faults beside the run without. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ViewEvent, ViewFailure, ViewRun } from '../format.ts';
import { type AlignedRow, aligned } from './model/alignment.ts';
import { differencesOf } from './model/differences.ts';
import { idOf, placeOf, type RunModel } from './model/run-model.ts';
import { eventText, resultText, timeText } from './model/texts.ts';
import { yamlOf } from './model/yaml.ts';
import { Block, Copy, Details, Differences, Facts, ObjectLink, Site } from './parts.tsx';
import { type RowColumn, Rows } from './rows.tsx';

interface FailureProps {
  readonly failure: ViewFailure;
  readonly models: readonly RunModel[];
  readonly selected: string | undefined;
  readonly onSelect: (selected: string) => void;
}

/** Both runs, aligned in time. */
export function Failure({ failure, models, selected, onSelect }: FailureProps): JSX.Element {
  const [hasReads, setReads] = useState(false);
  const run = models[failure.run]?.run;
  const reference = failure.reference === undefined ? undefined : models[failure.reference]?.run;
  const { rows, difference } = useMemo(
    () => aligned(shownEvents(run, hasReads), shownEvents(reference, hasReads)),
    [run, reference, hasReads],
  );
  const hasReference = reference !== undefined;
  const marked = hasReference
    ? difference
    : rows.findIndex(({ one }) => one?.kind === 'note' && one.isViolation === true);
  const idOfRow = useMemo(() => identityOf(run, reference), [run, reference]);
  const select = (index: number): void => onSelect(idOfRow(rows[index]) ?? '');
  const onMark = marked < 0 ? undefined : () => select(marked);
  const current = selected === undefined ? marked : rows.findIndex((each) => idOfRow(each) === selected);
  const row = rows[current];
  return (
    <>
      <Head failure={failure} />
      <Tools {...{ hasReads, setReads, hasReference, onMark }} />
      <div class="split wide-list">
        <Rows
          {...{
            id: 'event',
            label: 'Events of both runs',
            rows,
            columns: columnsOf(hasReference, rows[marked]),
          }}
          {...{ selected: current, onSelect: select }}
          classOf={(each) => classOf(each, each === rows[marked], hasReference)}
          empty="The run has no events."
        />
        <Details
          title={
            row === undefined ? 'Details' : current === marked && hasReference ? 'First difference' : 'Event'
          }
        >
          {row === undefined ? (
            <p class="quiet">Select an event.</p>
          ) : (
            <RowDetails {...{ row, failure, models }} />
          )}
        </Details>
      </div>
    </>
  );
}

/** Returns the identity of a row in links, which does not depend on the other rows that are shown. */
function identityOf(
  run: ViewRun | undefined,
  reference: ViewRun | undefined,
): (row: AlignedRow | undefined) => string | undefined {
  const [one = [], other = []] = [run?.events, reference?.events];
  const all = [
    ...one.map((event, index) => [event, `with ${index}`] as const),
    ...other.map((event, index) => [event, `without ${index}`] as const),
  ];
  const ids = new Map<ViewEvent | undefined, string>(all);
  return (row) => ids.get(row?.one ?? row?.other);
}

function Head({ failure }: Pick<FailureProps, 'failure'>): JSX.Element {
  const { seed, seeds, check, site, story, command } = failure;
  const [title = '', ...lines] = story.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('  '));
  return (
    <header class="head">
      <h2>{title || `seed ${seed} violates ${check}`}</h2>
      <pre>{lines.slice(0, end < 0 ? lines.length : end).join('\n')}</pre>
      <Facts
        facts={[
          ...(site === '' ? [] : [['Line', <Site site={site} />] as const]),
          ...(seeds.length > 1 ? [['Seeds', seeds.slice(0, 50).join(', ')] as const] : []),
          ...(command === '' ? [] : [['Repeat', <Copy text={command} />] as const]),
        ]}
      />
      <details>
        <summary>The story as text</summary>
        <Block kind="story" text={story} />
      </details>
    </header>
  );
}

interface ToolsProps {
  readonly hasReads: boolean;
  readonly setReads: (hasReads: boolean) => void;
  readonly hasReference: boolean;
  /** Selects the marked event. */
  readonly onMark: (() => void) | undefined;
}

function Tools({ hasReads, setReads, hasReference, onMark }: ToolsProps): JSX.Element {
  return (
    <div class="tools">
      <label class="choice">
        <input type="checkbox" checked={hasReads} onChange={() => setReads(!hasReads)} /> Reads
      </label>
      {onMark !== undefined && (
        <button type="button" onClick={onMark}>
          {hasReference ? 'Go to the first difference' : 'Go to the violation'}
        </button>
      )}
      <span class="quiet">
        {hasReference
          ? 'Left: with faults. Right: without faults. Equal events are in one row.'
          : 'This run has no faults.'}
      </span>
    </div>
  );
}

function shownEvents(run: ViewRun | undefined, hasReads: boolean): readonly ViewEvent[] {
  return (
    run?.events.filter(
      (event) =>
        event.kind !== 'request' || ((hasReads || event.isWrite) && !isBookkeeping(event.target.resource)),
    ) ?? []
  );
}

function isBookkeeping(resource: string): boolean {
  return resource === 'leases' || resource === 'events';
}

function columnsOf(hasReference: boolean, marked: AlignedRow | undefined): readonly RowColumn<AlignedRow>[] {
  const mark: RowColumn<AlignedRow> = {
    title: '',
    width: '1rem',
    cell: (row) => row === marked && <abbr title={hasReference ? 'first difference' : 'violation'}>≠</abbr>,
  };
  const width = 'minmax(0, 1fr)';
  const left = {
    title: hasReference ? 'With faults' : 'Event',
    width,
    cell: ({ one }: AlignedRow) => <EventCell event={one} />,
  };
  const right = {
    title: 'Without faults',
    width,
    cell: ({ other }: AlignedRow) => <EventCell event={other} />,
  };
  return hasReference ? [mark, left, right] : [mark, left];
}

function EventCell({ event }: { readonly event: ViewEvent | undefined }): JSX.Element | null {
  if (event === undefined) return null;
  return (
    <span class={`${event.kind}${event.kind === 'request' && event.isWrite ? ' write' : ''}`}>
      <span class="time">{timeText({ clock: 'virtual' }, event.at)}</span> {eventText(event, 'short')}{' '}
      {event.kind === 'request' && <span class="quiet">{resultText(event)}</span>}{' '}
      {event.kind === 'request' && event.faults.length > 0 && <mark>{event.faults.join(', ')}</mark>}
    </span>
  );
}

function classOf({ one, other }: AlignedRow, isMarked: boolean, hasReference: boolean): string {
  const event = one ?? other;
  if (event?.kind === 'note' && event.isViolation === true) return 'violation';
  if (isMarked) return 'first-difference';
  if (event?.kind === 'step') return 'step';
  const isEffect = event?.kind === 'change' || event?.kind === 'request';
  return hasReference && isEffect && (one === undefined || other === undefined) ? 'differs' : '';
}

interface RowDetailsProps extends Pick<FailureProps, 'failure' | 'models'> {
  readonly row: AlignedRow;
}

function RowDetails({ row, failure, models }: RowDetailsProps): JSX.Element {
  const sides = [
    ['With faults', row.one, failure.run],
    ['Without faults', row.other, failure.reference],
  ] as const;
  return (
    <>
      {sides.map(([title, event, index = -1]) => {
        const model = models[index];
        if (model === undefined) return null;
        return (
          <>
            <h3>{title}</h3>
            {event === undefined ? (
              <p class="quiet">This event does not occur.</p>
            ) : (
              <EventDetails {...{ event, model, index }} />
            )}
          </>
        );
      })}
    </>
  );
}

interface EventProps {
  readonly event: ViewEvent;
  readonly model: RunModel;
  readonly index: number;
}

function EventDetails({ event, model, index }: EventProps): JSX.Element {
  if (!('target' in event)) return <p class="text">{eventText(event)}</p>;
  const { target } = event;
  if (event.kind === 'request')
    return (
      <Facts
        facts={[
          ['Request', eventText(event)],
          ['Object', <ObjectLink {...{ model, index, target }} />],
          ['Time', timeText(model.run, event.at)],
          ['Process', event.process],
          ['Status', resultText(event)],
          ...(event.faults.length === 0 ? [] : [['Faults', event.faults.join(', ')] as const]),
          ...(event.site === undefined ? [] : [['Line', <Site site={event.site} />] as const]),
        ]}
      />
    );
  const states = model.objects.get(idOf(target))?.states ?? [];
  const before = states[placeOf(states, event) - 1];
  return (
    <>
      <p>
        <ObjectLink {...{ model, index, target }} /> at {timeText(model.run, event.at)}
      </p>
      {before === undefined ? (
        <Block kind="yaml" text={yamlOf(event.content)} />
      ) : (
        <Differences fields={differencesOf(before.content, event.content, 50)} />
      )}
    </>
  );
}
