/** Metrics of REST clients, from the diagnostics channel of their attempts, with the names of client-go. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type AttemptTrace, attemptChannel } from '@kgen/runtime/observe';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Code of an attempt without a response. */
const errorCode = '<error>';
/** Maximum number of hosts with a label of their own; the others share one. */
const maxHosts = 25;
const otherHosts = 'exceeded_cardinality_limit';

/** In seconds. */
const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Metric families of the REST clients of the process. */
export class RestClientFamilies {
  readonly #requests: Counter<'code' | 'method' | 'host'>;
  readonly #retries: Counter<'code' | 'verb' | 'host'>;
  readonly #duration: Histogram<'verb' | 'host'>;
  readonly #hosts = new Map<string | undefined, string>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labelNames: ['code', 'method', 'host'],
      registers,
    });
    this.#retries = new Counter({
      name: 'rest_client_request_retries_total',
      help: 'Number of request retries, partitioned by status code, verb, and host.',
      labelNames: ['code', 'verb', 'host'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'rest_client_request_duration_seconds',
      help: 'Request latency in seconds. Broken down by verb, and host.',
      labelNames: ['verb', 'host'],
      buckets: durationBuckets,
      registers,
    });
  }

  /** Counts the attempts of all clients of the process. Returns a function that ends this. */
  observe(): () => void {
    const listener = (message: unknown): void => {
      // seam: the channel has messages of this type only; an exception would end the process
      this.#count(message as AttemptTrace);
    };
    subscribe(attemptChannel, listener);
    return () => void unsubscribe(attemptChannel, listener);
  }

  /** Labels are methods, hosts and codes only: paths and names would need a series each. */
  #count({ method, server, status, after, durationMs }: AttemptTrace): void {
    const host = this.#hostOf(server);
    this.#requests.inc({ code: status === undefined ? errorCode : String(status), method, host });
    this.#duration.observe({ verb: method, host }, durationMs / 1000);
    if (after === undefined) return;
    this.#retries.inc({ code: /^\d{3}$/.test(after) ? after : errorCode, verb: method, host });
  }

  #hostOf(server: string | undefined): string {
    const known = this.#hosts.get(server);
    if (known !== undefined) return known;
    if (this.#hosts.size >= maxHosts) return otherHosts;
    const host = server !== undefined && URL.canParse(server) ? new URL(server).host : '';
    this.#hosts.set(server, host);
    return host;
  }
}
