/** Metrics of REST clients, from the diagnostics channels of their attempts, with the names of client-go. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type AttemptTrace,
  attemptChannel,
  type LookupTrace,
  lookupChannel,
  type ResponseTrace,
  responseChannel,
} from '@kgen/runtime/observe';
import type { Registry } from 'prom-client';
import { CounterFamily, HistogramFamily } from './series.ts';

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
  readonly #requests: CounterFamily<'code' | 'method' | 'host'>;
  readonly #retries: CounterFamily<'code' | 'verb' | 'host'>;
  readonly #duration: HistogramFamily<'verb' | 'host'>;
  readonly #limited: HistogramFamily<'verb' | 'host'>;
  readonly #requestSize: HistogramFamily<'verb' | 'host'>;
  readonly #responseSize: HistogramFamily<'verb' | 'host'>;
  readonly #lookup: HistogramFamily<'host'>;
  readonly #hosts = new Map<string | undefined, string>();

  constructor(registry: Registry) {
    this.#requests = new CounterFamily({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labelNames: ['code', 'method', 'host'],
      registry,
    });
    this.#retries = new CounterFamily({
      name: 'rest_client_request_retries_total',
      help: 'Number of request retries, partitioned by status code, verb, and host.',
      labelNames: ['code', 'verb', 'host'],
      registry,
    });
    const perVerb = (name: string, help: string, buckets: number[]): HistogramFamily<'verb' | 'host'> =>
      new HistogramFamily({ name, help, labelNames: ['verb', 'host'], buckets, registry });
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
    this.#lookup = new HistogramFamily({
      name: 'rest_client_dns_resolution_duration_seconds',
      help: 'DNS resolver latency in seconds. Broken down by host.',
      labelNames: ['host'],
      buckets: lookupBuckets,
      registry,
    });
  }

  /** Observes all clients of the process. Returns a function that ends this. */
  observe(): () => void {
    // seam: each channel has messages of one type only; an exception would end the process
    const listeners = [
      [attemptChannel, (message: unknown): void => this.#count(message as AttemptTrace)],
      [responseChannel, (message: unknown): void => this.#countResponse(message as ResponseTrace)],
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
    this.#requests.of(status === undefined ? errorCode : String(status), method, host).add(1);
    this.#duration.of(method, host).record(durationMs / 1000);
    this.#requestSize.of(method, host).record(requestBytes);
    if (limitedMs !== undefined) this.#limited.of(method, host).record(limitedMs / 1000);
    if (after === undefined) return;
    this.#retries.of(/^\d{3}$/.test(after) ? after : errorCode, method, host).add(1);
  }

  #countResponse({ method, server, responseBytes }: ResponseTrace): void {
    this.#responseSize.of(method, this.#hostOf(server)).record(responseBytes);
  }

  #countLookup({ host, durationMs }: LookupTrace): void {
    this.#lookup.of(this.#hostOf(`dns://${host}`)).record(durationMs / 1000);
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
