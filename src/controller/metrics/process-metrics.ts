/** Metrics of a process: event loop, failures of informers, certificates, event recorder, election, ring. */
import type { LeaderElectorStats } from '@kgen/runtime/election';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { EventRecorderStats } from '../events/recorder.ts';
import type { ShardRingStats } from '../sharding/ring-stats.ts';
import type { RememberedWrites } from './manager-stats.ts';

/** State of the event recorder at the time of a scrape: `stats()` of an `EventRecorder`. */
export type RecorderState = EventRecorderStats;

/** In seconds. */
const lagBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Metrics of a process, as a manager uses them. */
export type ProcessMetrics = Pick<ProcessFamilies, keyof ProcessFamilies>;

/** Metric families of a process. */
export class ProcessFamilies {
  readonly #lag: Histogram;
  readonly #blocks: Counter;
  readonly #failures: Counter<'informer' | 'error'>;
  readonly #certificateReads: Counter;
  readonly #certificateErrors: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#lag = new Histogram({
      name: 'kgen_event_loop_lag_seconds',
      help: 'Delay of a timer that is due each second',
      buckets: lagBuckets,
      registers,
    });
    this.#blocks = new Counter({
      name: 'kgen_event_loop_blocked_total',
      help: 'Times for which the event loop was blocked for 2 seconds or longer',
      registers,
    });
    this.#failures = new Counter({
      name: 'kgen_informer_errors_total',
      help: 'Failures of informers by the name of their error',
      labelNames: ['informer', 'error'],
      registers,
    });
    this.#certificateReads = new Counter({
      name: 'certwatcher_read_certificate_total',
      help: 'Total number of certificate reads',
      registers,
    });
    this.#certificateErrors = new Counter({
      name: 'certwatcher_read_certificate_errors_total',
      help: 'Total number of certificate read errors',
      registers,
    });
  }

  /** Called each second with the delay of the event loop in milliseconds. */
  lagged(lagMs: number): void {
    this.#lag.observe(lagMs / 1000);
  }

  /** Called when work has blocked the event loop. */
  blocked(): void {
    this.#blocks.inc();
  }

  /** Called for each failure of an informer. */
  informerFailed(informer: string, error: string): void {
    this.#failures.inc({ informer, error });
  }

  /** Called after each read of the certificate of an endpoint. */
  certificateRead(isFailed: boolean): void {
    this.#certificateReads.inc();
    if (isFailed) this.#certificateErrors.inc();
  }
}

/** Counters by the label of their result. */
const counters = {
  accepted: ({ accepted }) => accepted,
  created: ({ created }) => created,
  patched: ({ patched }) => patched,
  failed: ({ failed }) => failed,
  invalid: ({ invalid }) => invalid,
  rate_limited: ({ rateLimited }) => rateLimited,
  dropped: ({ dropped }) => dropped,
} as const satisfies Record<string, (state: RecorderState) => number>;

/** Registers the metrics of an event recorder, whose state each scrape reads. */
export function registerEvents(registry: Registry, state: () => RecorderState): void {
  const registers = [registry];
  new Counter({
    name: 'kgen_events_total',
    help: 'Occurrences and requests of the event recorder by their result',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      const stats = state();
      for (const [result, countOf] of Object.entries(counters)) this.inc({ result }, countOf(stats));
    },
  });
  new Gauge({
    name: 'kgen_events_pending',
    help: 'Series of events with a pending write',
    registers,
    collect() {
      this.set(state().pending);
    },
  });
}

/** Registers the metrics of the memory of the last writes, whose state each scrape reads. */
export function registerWrites(registry: Registry, state: () => RememberedWrites): void {
  const gauge = (name: string, help: string, numberOf: (writes: RememberedWrites) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(numberOf(state()));
      },
    });
  gauge(
    'kgen_remembered_writes_objects',
    'Objects whose last writes are remembered, to skip writes that would change nothing',
    ({ objects }) => objects,
  );
  gauge('kgen_remembered_writes_bytes', 'Estimated memory of the remembered writes', ({ bytes }) => bytes);
}

/** State of an election at the time of a scrape: `stats()` of a `LeaderElector`. */
export type ElectionState = Pick<LeaderElectorStats, 'isLeader' | 'slowPaths'>;

/** Registers the metrics of an election, whose state each scrape reads. */
export function registerElection(registry: Registry, name: string, state: () => ElectionState): void {
  const common = { labelNames: ['name'], registers: [registry] };
  new Gauge({
    ...common,
    name: 'leader_election_master_status',
    help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
    collect() {
      this.set({ name }, state().isLeader ? 1 : 0);
    },
  });
  new Counter({
    ...common,
    name: 'leader_election_slowpath_total',
    help: 'Total number of slow path exercised in renewing leader leases.',
    collect() {
      this.reset();
      this.inc({ name }, state().slowPaths);
    },
  });
}

/** State of a ring at the time of a scrape. */
export type RingState = ShardRingStats;

/** Registers the metrics of a ring of replicas, whose state each scrape reads. */
export function registerRing(registry: Registry, name: string, state: () => RingState): void {
  const registers = [registry];
  new Gauge({
    name: 'kgen_sharding_member_status',
    help: 'Whether this replica is a member of the ring whose Lease is valid: 0 or 1',
    labelNames: ['name'],
    registers,
    collect() {
      this.set({ name }, state().isMember ? 1 : 0);
    },
  });
  new Gauge({
    name: 'kgen_sharding_members',
    help: 'Number of replicas in the ring, as of the last list of this one',
    labelNames: ['name'],
    registers,
    collect() {
      this.set({ name }, state().members);
    },
  });
  new Gauge({
    name: 'kgen_sharding_slots',
    help: 'Number of slots of keys that this replica owns, or hands over after their last runs, of 256',
    labelNames: ['name', 'state'],
    registers,
    collect() {
      const { owned, draining } = state();
      this.set({ name, state: 'owned' }, owned);
      this.set({ name, state: 'draining' }, draining);
    },
  });
  new Counter({
    name: 'kgen_sharding_handovers_total',
    help: 'Number of slots that this replica gained, released after their last runs, or lost',
    labelNames: ['name', 'result'],
    registers,
    collect() {
      this.reset();
      const { gained, released, lost } = state();
      this.inc({ name, result: 'gained' }, gained);
      this.inc({ name, result: 'released' }, released);
      this.inc({ name, result: 'lost' }, lost);
    },
  });
}
