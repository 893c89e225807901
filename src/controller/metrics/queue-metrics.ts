/** Metrics of work queues, with the names, labels and buckets of controller-runtime. */
import { Gauge, type Registry } from 'prom-client';
import { CounterFamily, HistogramFamily } from './series.ts';

/** State of a queue at the time of a scrape: `stats()` of a `WorkQueue`. */
export interface QueueState {
  /** Number of keys that can be delivered, by priority. */
  readonly depth: ReadonlyMap<string, number>;
  /** Sum of the times since the deliveries of the processing keys, in milliseconds. */
  readonly unfinishedWorkMs: number;
  /** Longest time since the delivery of a processing key, in milliseconds. */
  readonly longestRunningMs: number;
}

/** Observer of a `WorkQueue` that maintains its metrics. */
export interface QueueMetrics {
  /** Called when a key becomes ready. */
  added(): void;
  /** Called when a key is delivered, with its time in the queue in milliseconds. */
  taken(waitedMs: number): void;
  /** Called when a key is done, with the time since its delivery in milliseconds. */
  done(workedMs: number): void;
  /** Called when a key is added with a delay. */
  retried(): void;
  /** Sets the function that returns the state of the queue, which each scrape calls. */
  poll(state: () => QueueState): void;
  /** Ends the calls of that function, and removes the gauges of the queue. */
  close(): void;
}

type Labels = 'name' | 'controller';
const labelNames: readonly Labels[] = ['name', 'controller'];
/** From 10 nanoseconds to 1000 seconds. */
const buckets: readonly number[] = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** Metric families of the queues of a registry. */
export class QueueFamilies {
  readonly #states = new Map<string, () => QueueState>();
  readonly #adds: CounterFamily<Labels>;
  readonly #retries: CounterFamily<Labels>;
  readonly #waited: HistogramFamily<Labels>;
  readonly #worked: HistogramFamily<Labels>;

  constructor(registry: Registry) {
    const common = { labelNames, registry };
    this.#adds = new CounterFamily({
      ...common,
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
    });
    this.#retries = new CounterFamily({
      ...common,
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
    });
    this.#waited = new HistogramFamily({
      ...common,
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      buckets,
    });
    this.#worked = new HistogramFamily({
      ...common,
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes.',
      buckets,
    });
    this.#registerGauges(registry);
  }

  /** Returns the metrics of one queue, which has the name of its controller. */
  of(name: string): QueueMetrics {
    const adds = this.#adds.of(name, name);
    const retries = this.#retries.of(name, name);
    const waited = this.#waited.of(name, name);
    const worked = this.#worked.of(name, name);
    let polled: (() => QueueState) | undefined;
    return {
      added: () => adds.add(1),
      taken: (waitedMs) => waited.record(waitedMs / 1000),
      done: (workedMs) => worked.record(workedMs / 1000),
      retried: () => retries.add(1),
      poll: (state) => {
        polled = state;
        this.#states.set(name, state);
      },
      close: () => {
        if (this.#states.get(name) === polled) this.#states.delete(name);
      },
    };
  }

  /** The gauges are computed by scrapes: a queue must not pay for them with each key. */
  #registerGauges(registry: Registry): void {
    const states = this.#states;
    const registers = [registry];
    new Gauge({
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labelNames: [...labelNames, 'priority'],
      registers,
      collect() {
        this.reset();
        for (const [name, state] of states) {
          for (const [priority, depth] of state().depth) {
            this.set({ name, controller: name, priority }, depth);
          }
        }
      },
    });
    const gauge = (name: string, help: string, msOf: (state: QueueState) => number): Gauge<Labels> =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [queue, state] of states) {
            this.set({ name: queue, controller: queue }, msOf(state()) / 1000);
          }
        },
      });
    gauge(
      'workqueue_unfinished_work_seconds',
      'Seconds of work that is in progress and has not been observed by work_duration',
      ({ unfinishedWorkMs }) => unfinishedWorkMs,
    );
    gauge(
      'workqueue_longest_running_processor_seconds',
      'How many seconds the longest running processor for workqueue has been running',
      ({ longestRunningMs }) => longestRunningMs,
    );
  }
}
