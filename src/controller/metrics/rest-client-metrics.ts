/** Metrics of REST clients, from the diagnostics channels of their attempts, with the names of client-go. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type AttemptTrace,
  attemptChannel,
  type LookupTrace,
  lookupChannel,
  type RequestTrace,
  requestChannel,
} from '@kgen/runtime/observe';
import { Counter, Histogram, type Registry } from 'prom-client';

/** Code of an attempt without a response. */
const errorCode = '<error>';
/** Maximum number of hosts with a label of their own; the others share one. */
const maxHosts = 25;
const otherHosts = 'exceeded_cardinality_limit';

/** In seconds. */
const lookupBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30];
const durationBuckets = [...lookupBuckets, 60];
/** In bytes. */
const sizeBuckets = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** Metric families of the REST clients of the process. */
export class RestClientFamilies {
  readonly #requests: Counter<'code' | 'method' | 'host'>;
  readonly #retries: Counter<'code' | 'verb' | 'host'>;
  readonly #duration: Histogram<'verb' | 'host'>;
  readonly #limited: Histogram<'verb' | 'host'>;
  readonly #requestSize: Histogram<'verb' | 'host'>;
  readonly #responseSize: Histogram<'verb' | 'host'>;
  readonly #lookup: Histogram<'host'>;
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
    const perVerb = (name: string, help: string, buckets: number[]): Histogram<'verb' | 'host'> =>
      new Histogram({ name, help, labelNames: ['verb', 'host'], buckets, registers });
    this.#duration = perVerb(
      'rest_client_request_duration_seconds',
      'Request latency in seconds. Broken down by verb, and host.',
      durationBuckets,
    );
    this.#limited = perVerb(
      'rest_client_rate_limiter_duration_seconds',
      'Client side rate limiter latency in seconds. Broken down by verb, and host.',
      durationBuckets,
    );
    this.#requestSize = perVerb(
      'rest_client_request_size_bytes',
      'Request size in bytes. Broken down by verb and host.',
      sizeBuckets,
    );
    this.#responseSize = perVerb(
      'rest_client_response_size_bytes',
      'Response size in bytes. Broken down by verb and host.',
      sizeBuckets,
    );
    this.#lookup = new Histogram({
      name: 'rest_client_dns_resolution_duration_seconds',
      help: 'DNS resolver latency in seconds. Broken down by host.',
      labelNames: ['host'],
      buckets: lookupBuckets,
      registers,
    });
  }

  /** Observes all clients of the process. Returns a function that ends this. */
  observe(): () => void {
    // seam: each channel has messages of one type only; an exception would end the process
    const listeners = [
      [attemptChannel, (message: unknown): void => this.#count(message as AttemptTrace)],
      [
        `tracing:${requestChannel}:asyncEnd`,
        (message: unknown): void => this.#countResponse(message as RequestTrace),
      ],
      [lookupChannel, (message: unknown): void => this.#countLookup(message as LookupTrace)],
    ] as const;
    for (const [channel, listener] of listeners) subscribe(channel, listener);
    return () => {
      for (const [channel, listener] of listeners) unsubscribe(channel, listener);
    };
  }

  /** Labels are methods, hosts and codes only: paths and names would need a series each. */
  #count({ method, server, status, after, durationMs, limitedMs, requestBytes }: AttemptTrace): void {
    const host = this.#hostOf(server);
    const labels = { verb: method, host };
    this.#requests.inc({ code: status === undefined ? errorCode : String(status), method, host });
    this.#duration.observe(labels, durationMs / 1000);
    this.#requestSize.observe(labels, requestBytes);
    if (limitedMs !== undefined) this.#limited.observe(labels, limitedMs / 1000);
    if (after === undefined) return;
    this.#retries.inc({ code: /^\d{3}$/.test(after) ? after : errorCode, ...labels });
  }

  #countResponse({ method, server, responseBytes }: RequestTrace): void {
    if (responseBytes === undefined) return;
    this.#responseSize.observe({ verb: method, host: this.#hostOf(server) }, responseBytes);
  }

  #countLookup({ host, durationMs }: LookupTrace): void {
    this.#lookup.observe({ host: this.#hostOf(`dns://${host}`) }, durationMs / 1000);
  }

  /** Returns the host and port of a URL as a label. */
  #hostOf(server: string | undefined): string {
    const known = this.#hosts.get(server);
    if (known !== undefined) return known;
    if (this.#hosts.size >= maxHosts) return otherHosts;
    const host = server !== undefined && URL.canParse(server) ? new URL(server).host : '';
    this.#hosts.set(server, host);
    return host;
  }
}
