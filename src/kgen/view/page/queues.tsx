/** The view of queues and informers: what waits, until when and why, and who holds the leases. */
import type { JSX } from 'preact';
import type { ViewInformer, ViewQueue, ViewQueued } from '../format.ts';
import { type Holding, holdingsOf, leasesOf } from './model/leases.ts';
import type { RunModel } from './model/run-model.ts';
import { durationText, keyText, timeText } from './model/texts.ts';
import { Table } from './parts.tsx';

interface QueuesProps {
  readonly model: RunModel;
}

/** The last state of the queues and informers, and the leases over time. */
export function Queues({ model }: QueuesProps): JSX.Element {
  const { states = [], to } = model.run;
  const state = states.at(-1);
  const leases = leasesOf(model.run.events);
  return (
    <div class="tables">
      {state !== undefined && state.at < to - 1_000 && (
        <p class="quiet">State at {timeText(model.run, state.at)}</p>
      )}
      {state?.queues.map((queue) => (
        <Queue {...{ queue, at: state.at, model }} />
      ))}
      {state !== undefined && <Informers informers={state.informers} at={state.at} />}
      {leases.length > 0 && <Leases model={model} leases={leases} />}
    </div>
  );
}

interface QueueProps extends QueuesProps {
  readonly queue: ViewQueue;
  readonly at: number;
}

function Queue({ queue, at, model }: QueueProps): JSX.Element {
  const { controller, workers, running, waiting, more } = queue;
  const rows = [
    ...running.map((key) => [keyText(key), `runs for ${durationText(at - key.since)}`, '', '']),
    ...waiting.map((key) => [keyText(key), dueText(key, at), reasonText(key), durationText(at - key.since)]),
  ];
  const facts = `${running.length} of ${workers} workers run, ${waiting.length + more} keys wait`;
  return (
    <Table
      title={`Queue of ${controller}`}
      columns={['Key', 'State', 'Reason', 'In the queue for']}
      rows={rows}
    >
      <p class="quiet">
        {facts}
        {more > 0 && `; the first ${waiting.length} are below`}
      </p>
      <Depth {...{ model, controller }} />
    </Table>
  );
}

function dueText({ due }: ViewQueued, at: number): string {
  if (due === undefined || due <= at) return 'ready: it waits for a worker';
  return `due in ${durationText(due - at)}`;
}

const reasons: { readonly [reason: string]: string } = {
  change: 'a change',
  requeueAfter: 'the delay that the last reconcile requested',
  retry: 'the retry of a failed reconcile',
  resync: 'the resync',
};

function reasonText({ reason = '' }: ViewQueued): string {
  return reasons[reason] ?? reason;
}

const chart = { width: 480, height: 44 } as const;

/** Number of keys that waited, over time. */
function Depth({
  model,
  controller,
}: Pick<QueueProps, 'model'> & { readonly controller: string }): JSX.Element | null {
  const states = (model.run.states ?? []).slice(-600);
  const depths = states.map(({ at, queues }) => {
    const queue = queues.find((each) => each.controller === controller);
    return { at, count: (queue?.waiting.length ?? 0) + (queue?.more ?? 0) };
  });
  const [first, last] = [depths[0], depths.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const most = depths.reduce((all, { count }) => Math.max(all, count), 0);
  const points = depths.map(({ at, count }) => {
    const x = ((at - first.at) / (last.at - first.at)) * chart.width;
    return `${x.toFixed(1)},${(chart.height - 2 - (count / Math.max(1, most)) * (chart.height - 6)).toFixed(1)}`;
  });
  const label = `Keys that waited in the last ${durationText(last.at - first.at)}: at most ${most}`;
  return (
    <figure class="chart">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="none"
      >
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption class="quiet">{label}</figcaption>
    </figure>
  );
}

interface InformersProps {
  readonly informers: readonly ViewInformer[];
  readonly at: number;
}

function Informers({ informers, at }: InformersProps): JSX.Element {
  const rows = informers.map(({ resource, objects, isSynced, lastEventAt, queued, lagMs = 0 }) => [
    resource,
    String(objects),
    isSynced ? 'complete' : 'its first list is not complete',
    lastEventAt === undefined ? 'none' : `${durationText(Math.max(0, at - lastEventAt))} ago`,
    queued === 0 ? 'none' : `${queued}, the oldest for ${durationText(lagMs)}`,
  ]);
  const columns = ['Informer', 'Objects', 'Cache', 'Last data of the server', 'Events that wait'];
  return <Table title="Informers" columns={columns} rows={rows} />;
}

interface LeasesProps extends QueuesProps {
  readonly leases: readonly string[];
}

/** A bar for each time at which the process held a lease. */
function Leases({ model, leases }: LeasesProps): JSX.Element {
  const { run } = model;
  const length = Math.max(1, run.to - run.from);
  const textOf = ({ from, until }: Holding): string =>
    `${timeText(run, from)} to ${until === undefined ? 'now' : timeText(run, until)}`;
  const rows = leases.map((lease) => {
    const holdings = holdingsOf(run.events, lease);
    return [
      lease,
      <svg role="img" aria-label={holdings.map(textOf).join(', ')} width="320" height="14">
        {holdings.map(({ from, until = run.to }) => (
          <rect
            class="bar"
            {...{ x: ((from - run.from) / length) * 320, y: 2, height: 10 }}
            width={Math.max(2, ((until - from) / length) * 320)}
          />
        ))}
      </svg>,
      holdings.at(-1) === undefined
        ? 'never'
        : textOf(holdings[holdings.length - 1] ?? { from: 0, holder: '' }),
      holdings.at(-1)?.holder ?? '',
    ];
  });
  return <Table title="Leases of this process" columns={['Lease', 'Held', 'Last', 'Holder']} rows={rows} />;
}
