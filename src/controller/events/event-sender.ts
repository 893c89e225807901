/** Sends the writes of event series: a bounded queue, eight requests at once, retries, flush and close. */
import { setMaxListeners } from 'node:events';
import {
  isAlreadyExists,
  isApiError,
  isConflict,
  isDecodeError,
  isNotFound,
  isTimeoutError,
  isTooManyRequests,
  isTransportError,
  type RESTClient,
} from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { bucketRateLimiter, eventLoopTurn, type RateLimiter } from '@kgen/runtime/queue';
import type { RESTRequest } from '@kgen/runtime/rest';
import type { EventOutcome, EventSeries, EventStep, EventWrite } from './event-series.ts';

/** Maximum number of series with a write that is queued, under way or waits for a retry. */
const queueLength = 1000;
/** Requests at once. */
const workers = 8;
/** Requests per second, and after a pause: events of many objects must not displace other requests. */
const rate = { qps: 20, burst: 100 } as const;
/** Delay before a retry, in milliseconds, and the part of it that is random and added. */
const retryMs = 10_000;
const retryJitter = 0.25;
/** Delay before a retry during a flush, in milliseconds. */
const flushRetryMs = 1000;
/** Maximum delay that the server can request with `Retry-After`, in milliseconds. */
const maxRetryAfterMs = 300_000;
/** Time limit of a request, in milliseconds. */
const requestMs = 30_000;

/** Observer of the results of an `EventSender`. */
export interface EventSenderObserver {
  /** Called after each write that succeeded. */
  written(verb: EventWrite['verb']): void;
  /** Called if a write cannot succeed, or is given up after the last attempt. */
  failed(write: EventWrite, error: unknown): void;
  /** Called with a series that has ended or was given up. */
  forgotten(series: EventSeries): void;
}

/** Parts of an `EventSender`. */
export interface EventSenderParts {
  readonly rest: Pick<RESTClient, 'request'>;
  readonly environment: RuntimeEnvironment;
  readonly observer: EventSenderObserver;
}

/** Sends the writes of series. Never throws; `close` settles every promise. */
export class EventSender {
  readonly #parts: EventSenderParts;
  readonly #queue = new Set<EventSeries>();
  readonly #sending = new Set<EventSeries>();
  /** Series that wait for a retry, with the function that ends the wait. */
  readonly #waiting = new Map<EventSeries, () => void>();
  readonly #idle = new Set<() => void>();
  readonly #limiter: RateLimiter;
  /** Ends the wait for a token of the limiter, which is then valid. */
  #endWait: (() => void) | undefined;
  /** Whether a token has been taken for the next request. */
  #hasToken = false;
  readonly #abort = new AbortController();

  constructor(parts: EventSenderParts) {
    this.#parts = parts;
    this.#limiter = bucketRateLimiter({ ...rate, clock: parts.environment.clock });
    // Each request listens to the signal: a warning about a leak would be wrong.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Number of series with a write that is queued, under way or waits for a retry. */
  get pending(): number {
    return this.#queue.size + this.#sending.size + this.#waiting.size;
  }

  /** Queues the write of a series. Returns false if the queue is full or closed. */
  enqueue(series: EventSeries): boolean {
    if (this.#abort.signal.aborted || this.pending >= queueLength) return false;
    this.#queue.add(series);
    this.#work();
    return true;
  }

  /**
   * Retries delayed writes at once and then every second, without a limit of their rate, and waits until no
   * write is pending, at most `timeoutMs`. Returns whether none is.
   */
  flush(timeoutMs: number): Promise<boolean> {
    for (const retry of [...this.#waiting.values()]) retry();
    if (this.pending === 0) return Promise.resolve(true);
    const flushed = new Promise<boolean>((resolve) => {
      const finish = (): void => {
        cancel();
        this.#idle.delete(finish);
        resolve(this.pending === 0);
      };
      const cancel = this.#parts.environment.clock.timer(timeoutMs, finish);
      this.#idle.add(finish);
    });
    this.#endWait?.();
    this.#work();
    return flushed;
  }

  /** Aborts the requests and drops the writes that are pending. */
  close(): void {
    this.#abort.abort();
    this.#queue.clear();
    this.#endWait?.();
    for (const retry of [...this.#waiting.values()]) retry();
    this.#reportIdle();
  }

  #work(): void {
    for (const series of this.#queue) {
      if (this.#sending.size >= workers || !this.#mayBegin()) return;
      this.#queue.delete(series);
      this.#sending.add(series);
      void this.#send(series);
    }
  }

  /** Takes a token for a request. If there is none, work continues once it is valid. */
  #mayBegin(): boolean {
    if (this.#idle.size > 0) return true;
    if (this.#endWait !== undefined) return false;
    const waitMs = this.#hasToken ? 0 : this.#limiter.when('');
    this.#hasToken = waitMs > 0;
    if (waitMs === 0) return true;
    const cancel = this.#parts.environment.clock.timer(waitMs, () => {
      this.#endWait = undefined;
      this.#work();
    });
    this.#endWait = () => {
      cancel();
      this.#endWait = undefined;
    };
    return false;
  }

  async #send(series: EventSeries): Promise<void> {
    // Requests that fail without IO, such as those of a closed client.
    const turn = eventLoopTurn(this.#parts.environment.clock);
    if (turn.isOver) await turn.next();
    const write = series.begin();
    const { outcome, error } = await this.#attempt(write);
    this.#sending.delete(series);
    if (!this.#abort.signal.aborted) this.#settle(series, { write, outcome, error });
    this.#work();
    this.#reportIdle();
  }

  async #attempt(write: EventWrite): Promise<Attempt> {
    try {
      await this.#parts.rest.request(requestOf(write, this.#abort.signal));
      return { outcome: 'written' };
    } catch (error) {
      return { outcome: outcomeOf(error, write.verb), error };
    }
  }

  #settle(series: EventSeries, { write, outcome, error }: Attempt & { readonly write: EventWrite }): void {
    const { observer, environment } = this.#parts;
    const step = series.settle(outcome, environment.clock.now());
    if (outcome === 'written') observer.written(write.verb);
    else if (step === 'forget' || (step === 'rest' && outcome !== 'exists')) observer.failed(write, error);
    this.#follow(series, step, error);
  }

  #follow(series: EventSeries, step: EventStep, error: unknown): void {
    if (step === 'write') this.#queue.add(series);
    if (step === 'forget') this.#parts.observer.forgotten(series);
    if (step === 'retry') this.#retryLater(series, error);
  }

  #retryLater(series: EventSeries, error: unknown): void {
    const { clock, random } = this.#parts.environment;
    const retry = (): void => {
      cancel();
      this.#waiting.delete(series);
      if (this.#abort.signal.aborted) return;
      this.#queue.add(series);
      this.#work();
    };
    const delayMs = Math.max(retryMs * (1 + retryJitter * random()), retryAfterMs(error));
    const isFlushing = this.#idle.size > 0;
    const cancel = clock.timer(isFlushing ? flushRetryMs : delayMs, retry);
    this.#waiting.set(series, retry);
  }

  #reportIdle(): void {
    if (this.pending > 0 && !this.#abort.signal.aborted) return;
    for (const finish of [...this.#idle]) finish();
  }
}

/** Result of one request. */
interface Attempt {
  readonly outcome: EventOutcome;
  readonly error?: unknown;
}

function requestOf({ verb, event }: EventWrite, signal: AbortSignal): RESTRequest {
  const { name, namespace } = event.metadata;
  const collection = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  const isCreate = verb === 'create';
  return {
    method: isCreate ? 'POST' : 'PATCH',
    path: isCreate ? collection : `${collection}/${encodeURIComponent(name)}`,
    headers: {
      'content-type': isCreate ? 'application/json' : 'application/strategic-merge-patch+json',
      accept: 'application/json',
    },
    body: JSON.stringify(isCreate ? event : { series: event.series }),
    operation: { verb, resource: 'events', namespace, name },
    timeoutMs: requestMs,
    // The retries of series are the only ones: a request must not occupy a worker between two attempts.
    maxRetries: 0,
    signal,
  };
}

function outcomeOf(error: unknown, verb: EventWrite['verb']): EventOutcome {
  if (isTransportError(error) || isTimeoutError(error) || isDecodeError(error)) return 'failed';
  if (!isApiError(error)) return 'refused';
  if (verb === 'patch' && isNotFound(error)) return 'missing';
  if (verb === 'create' && isAlreadyExists(error)) return 'exists';
  const isTemporary = isConflict(error) || isTooManyRequests(error) || error.code === 0 || error.code >= 500;
  return isTemporary ? 'failed' : 'refused';
}

function retryAfterMs(error: unknown): number {
  const seconds = isApiError(error) ? error.retryAfterSeconds : undefined;
  return Math.min((seconds ?? 0) * 1000, maxRetryAfterMs);
}
