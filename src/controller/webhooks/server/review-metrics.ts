/** Metrics of webhooks, with the names of controller-runtime. */
import { Gauge, type Registry } from 'prom-client';
import { CounterFamily, HistogramFamily } from '../../metrics/series.ts';
import type { ReviewRecord } from '../../records/review-record.ts';

/** In seconds: the default buckets of Prometheus' client for Go. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of the webhooks of a process, by their paths. Functions do not throw. */
export class ReviewMetrics {
  readonly #requests: CounterFamily<'webhook' | 'code'>;
  readonly #latency: HistogramFamily<'webhook'>;
  readonly #panics: CounterFamily<never>;
  readonly #conversionPanics: CounterFamily<never>;
  readonly #outcomes: CounterFamily<'webhook' | 'outcome'>;
  readonly #inFlight = new Map<string, number>();

  /** Registers the metrics of these paths, whose counters begin at 0. */
  constructor(registry: Registry, paths: readonly string[]) {
    this.#requests = new CounterFamily({
      name: 'controller_runtime_webhook_requests_total',
      help: 'Total number of admission requests by HTTP status code.',
      labelNames: ['webhook', 'code'],
      registry,
    });
    this.#latency = new HistogramFamily({
      name: 'controller_runtime_webhook_latency_seconds',
      help: 'Histogram of the latency of processing admission requests',
      labelNames: ['webhook'],
      buckets,
      registry,
    });
    this.#panics = new CounterFamily({
      name: 'controller_runtime_webhook_panics_total',
      help: 'Total number of webhook panics',
      labelNames: [],
      registry,
    });
    this.#conversionPanics = new CounterFamily({
      name: 'controller_runtime_conversion_webhook_panics_total',
      help: 'Total number of conversion webhook panics',
      labelNames: [],
      registry,
    });
    this.#outcomes = new CounterFamily({
      name: 'kgen_webhook_reviews_total',
      help: 'Reviews by their outcome: allowed, denied, failed or refused',
      labelNames: ['webhook', 'outcome'],
      registry,
    });
    this.#registerInFlight(registry);
    this.#panics.of();
    this.#conversionPanics.of();
    for (const path of paths) {
      this.#inFlight.set(path, 0);
      for (const code of ['200', '500']) this.#requests.of(path, code);
    }
  }

  /** Called when a request begins. Returns the function that ends it with the code of its response. */
  began(path: string): (code: number, durationMs: number) => void {
    this.#inFlight.set(path, (this.#inFlight.get(path) ?? 0) + 1);
    return (code, durationMs) => {
      this.#inFlight.set(path, (this.#inFlight.get(path) ?? 1) - 1);
      this.#requests.of(path, String(code)).add(1);
      this.#latency.of(path).record(durationMs / 1000);
    };
  }

  /** Called for each review. */
  reviewed({ path, operation, outcome }: ReviewRecord): void {
    this.#outcomes.of(path, outcome).add(1);
    if (outcome === 'failed') (operation === 'CONVERT' ? this.#conversionPanics : this.#panics).of().add(1);
  }

  #registerInFlight(registry: Registry): void {
    const inFlight = this.#inFlight;
    new Gauge({
      name: 'controller_runtime_webhook_requests_in_flight',
      help: 'Current number of admission requests being served.',
      labelNames: ['webhook'],
      registers: [registry],
      collect() {
        for (const [webhook, count] of inFlight) this.set({ webhook }, count);
      },
    });
  }
}
