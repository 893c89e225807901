/** The view of reconciles: the timeline, a list, and the details of one reconcile. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ViewLog, ViewReconcile, ViewRequest, ViewRun } from '../format.ts';
import { differencesOf } from './model/differences.ts';
import { lanesOf } from './model/lanes.ts';
import { eventAt, idOf, placeOf, stateBefore } from './model/run-model.ts';
import {
  causeNoun,
  causeText,
  durationText,
  isServiceVerb,
  keyText,
  outcomeText,
  resultText,
  timeText,
} from './model/texts.ts';
import {
  Choice,
  choicesOf,
  Details,
  Differences,
  Facts,
  Filter,
  ObjectLink,
  type RunProps,
  Site,
} from './parts.tsx';
import { hrefOf } from './route.ts';
import { type RowColumn, Rows } from './rows.tsx';
import { Timeline, toneOf } from './timeline.tsx';

/** Timeline and list of reconciles. */
export function Reconciles({ model, index, selected, onSelect }: RunProps): JSX.Element {
  const { run } = model;
  const [key, setKey] = useState('');
  const [outcome, setOutcome] = useState('');
  const rows = useMemo(
    () =>
      run.reconciles.filter(
        (each) => keyText(each).includes(key) && (outcome === '' || outcomeText(each).startsWith(outcome)),
      ),
    [run, key, outcome],
  );
  const lanes = useMemo(() => lanesOf(rows), [rows]);
  const current = model.reconciles.get(Number(selected ?? Number.NaN));
  const select = ({ number }: ViewReconcile): void => onSelect(String(number));
  const names = run.reconciles.map((each) => outcomeText({ outcome: each.outcome }));
  return (
    <>
      <div class="tools">
        <Filter label="Namespace or name" value={key} onChange={setKey} />
        <Choice label="Outcome" value={outcome} options={choicesOf(names, 'all')} onChange={setOutcome} />
        <span class="quiet" role="status">
          {rows.length} of {run.reconciles.length} reconciles
        </span>
      </div>
      <Timeline model={model} lanes={lanes} selected={current} onSelect={select} />
      <div class="split">
        <Rows
          {...{ id: 'reconcile', label: 'Reconciles', rows, columns: columnsOf(run.clock) }}
          selected={current === undefined ? -1 : rows.indexOf(current)}
          onSelect={(row) => rows[row] !== undefined && select(rows[row])}
          classOf={toneOf}
          empty="No reconcile matches."
        />
        {current === undefined ? (
          <Details title="Details">
            <p class="quiet">Select a reconcile to see its causes, reads and writes.</p>
          </Details>
        ) : (
          <ReconcileDetails {...{ model, index, reconcile: current }} />
        )}
      </div>
    </>
  );
}

function columnsOf(clock: 'utc' | 'virtual'): readonly RowColumn<ViewReconcile>[] {
  return [
    { title: 'Time', width: '7.5rem', cell: ({ from }) => timeText({ clock }, from) },
    { title: 'Object', width: 'minmax(0, 2fr)', cell: (each) => keyText(each) },
    { title: 'Controller', width: 'minmax(0, 1fr)', isWide: true, cell: ({ controller }) => controller },
    {
      title: 'Cause',
      width: 'minmax(0, 3fr)',
      isWide: true,
      cell: ({ causes }) => causes.map(causeText).join(', '),
    },
    { title: 'Outcome', width: 'minmax(0, 1.2fr)', cell: (each) => outcomeText(each) },
    {
      ...{ title: 'Took', width: '4.5rem', isWide: true },
      cell: ({ from, until }) => (until === undefined ? '' : durationText(until - from)),
    },
  ];
}

interface ReconcileProps extends Pick<RunProps, 'model' | 'index'> {
  readonly reconcile: ViewReconcile;
}

function ReconcileDetails({ model, index, reconcile }: ReconcileProps): JSX.Element {
  const { number, controller, from, until, attempt, error, causes, reads } = reconcile;
  const requests = model.requestsOf(number);
  return (
    <Details title={`${controller} ${keyText(reconcile)} #${number}`}>
      <Facts
        facts={[
          ['Outcome', <span class={`tone ${toneOf(reconcile)}`}>{outcomeText(reconcile)}</span>],
          ['Started', timeText(model.run, from)],
          ['Took', until === undefined ? 'not ended' : durationText(until - from)],
          ...(attempt > 1 ? [['Attempt', String(attempt)] as const] : []),
        ]}
      />
      {error !== undefined && <pre class="error">{error}</pre>}
      <h3>Causes</h3>
      <Causes {...{ model, index, reconcile }} />
      {causes.length === 0 && <p class="quiet">None is recorded.</p>}
      <h3>Writes</h3>
      <Requests {...{ model, index, requests: requests.filter(({ isWrite }) => isWrite) }} />
      <h3>Reads</h3>
      <ul class="plain">
        {reads.map(({ resource, found, ...key }) => (
          <li>
            <code>
              {resource} {keyText(key)}
            </code>{' '}
            from the cache: {found || 'nothing'}
          </li>
        ))}
      </ul>
      <Requests {...{ model, index, requests: requests.filter(({ isWrite }) => !isWrite) }} />
      <Log lines={model.logOf(number)} run={model.run} />
      <Neighbours {...{ model, index, reconcile }} />
    </Details>
  );
}

interface LogProps {
  readonly lines: readonly ViewLog[];
  readonly run: ViewRun;
}

/** Lines that the reconcile has logged. */
function Log({ lines, run }: LogProps): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>Log</h3>
      <ul class="plain">
        {lines.map(({ at, level, message, fields }) => (
          <li>
            {timeText(run, at)} <span class={`tone ${logTones[level]}`}>{level}</span> {message}
            {fields !== '' && <pre class="quiet">{fields}</pre>}
          </li>
        ))}
      </ul>
    </>
  );
}

const logTones = { debug: 'quiet', info: '', warn: 'warn', error: 'bad' } as const;

function Neighbours({ model, index, reconcile }: ReconcileProps): JSX.Element {
  const others = model.run.reconciles.filter(
    (each) => each.controller === reconcile.controller && keyText(each) === keyText(reconcile),
  );
  const place = others.indexOf(reconcile);
  const neighbours = [
    ['Previous', others[place - 1]],
    ['Next', others[place + 1]],
  ] as const;
  return (
    <p class="neighbours">
      {neighbours.map(([name, other]) =>
        other === undefined ? null : (
          <a href={hrefOf({ view: 'reconciles', run: index, selected: String(other.number) })}>
            {name} of this object
          </a>
        ),
      )}
    </p>
  );
}

function Causes({ model, index, reconcile }: ReconcileProps): JSX.Element {
  return (
    <ul class="plain">
      {reconcile.causes.map((cause) => {
        const event = eventAt(model.run, cause.event);
        if (event?.kind !== 'change') return <li>{causeText(cause)}</li>;
        const states = model.objects.get(idOf(event.target))?.states ?? [];
        const place = placeOf(states, event);
        const before = states[place - 1]?.content;
        return (
          <li>
            {causeNoun(cause)} of <ObjectLink {...{ model, index, target: event.target }} />
            {before !== undefined && <Differences fields={differencesOf(before, event.content, 5)} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Requests of a reconcile with their changed fields. */
function Requests({ model, index, requests }: RequestsProps): JSX.Element {
  return (
    <ul class="plain">
      {requests.map((request) => (
        <li>
          <strong>
            {request.verb}
            {request.subresource === '' ? '' : ` ${request.subresource} of`}
          </strong>{' '}
          <ObjectLink {...{ model, index, target: request.target }} />{' '}
          <span
            class={`tone ${request.result === 'failed' ? 'bad' : request.result === 'done' ? 'good' : 'warn'}`}
          >
            {resultText(request)}
          </span>
          {request.site !== undefined && (
            <>
              {' '}
              at <Site site={request.site} />
            </>
          )}
          {request.error !== undefined && <pre class="error">{request.error}</pre>}
          {request.result === 'skipped' && (
            <p class="quiet">It would have changed nothing, and was not sent.</p>
          )}
          <ChangedFields {...{ model, request }} />
        </li>
      ))}
    </ul>
  );
}

interface RequestsProps extends Pick<RunProps, 'model' | 'index'> {
  readonly requests: readonly ViewRequest[];
}

function ChangedFields({
  model,
  request,
}: Pick<RunProps, 'model'> & { readonly request: ViewRequest }): JSX.Element | null {
  const { isWrite, result, content, verb } = request;
  if (!isWrite || result !== 'done' || content === undefined || isServiceVerb(verb)) return null;
  const before = stateBefore(model, request);
  if (before !== undefined) return <Differences fields={differencesOf(before, content, 20)} />;
  return (
    <p class="quiet">{verb === 'delete' ? 'The object was deleted.' : 'The object did not exist before.'}</p>
  );
}
