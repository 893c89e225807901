/**
 * Recorder of events of `events.k8s.io/v1`.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/
 */
import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isApiError, isForbidden, microTime, type RESTClient } from '@kgen/runtime';
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import type { EventToRecord, EventV1 } from './event.ts';
import { EventBudget } from './event-budget.ts';
import {
  checkReportingController,
  checkReportingInstance,
  cutBytes,
  identifierBytes,
  type ValidEvent,
  validEvent,
} from './event-rules.ts';
import { EventSender } from './event-sender.ts';
import { EventSeries, type EventStep, type EventWrite } from './event-series.ts';

/** Interval of the checks for series that have ended, in milliseconds. */
const checkMs = 60_000;
/** Maximum number of series in memory. */
const maxSeries = 4096;
/** Maximum number of distinct messages that are logged. */
const maxLogged = 256;
/** Time after which a message is logged again, in milliseconds. */
const entryMs = 600_000;
/** Default time limit of `flush` and `stop`, in milliseconds. */
const flushMs = 5_000;

/** Options of an `EventRecorder`. */
export interface EventRecorderOptions {
  /** Client that sends the events. It needs `create` and `patch` of `events` in `events.k8s.io`. */
  readonly rest: Pick<RESTClient, 'request'>;
  /** Qualified name of the controller, such as `example.com/shop-operator`. */
  readonly reportingController: string;
  /**
   * Name of this process, 1 to 128 bytes. Default: the name of the controller and of the host, joined by `-`.
   */
  readonly reportingInstance?: string | undefined;
  /**
   * Records events that differ only in their note separately. Default: false, as in client-go: they are one
   * series, which has the first note.
   */
  readonly distinctNotes?: boolean | undefined;
  /** Receiver of warnings and errors. Default: `console`. */
  readonly log?: Logger | undefined;
  /** Clock of delays and random numbers. Default: those of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
  /** Returns the time of day of occurrences. Default: the system clock. */
  readonly date?: (() => Date) | undefined;
}

/** Options of `flush` and `stop`. */
export interface FlushOptions {
  /** Maximum duration in milliseconds. Default: 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Numbers of events since the creation of an `EventRecorder` (counters) and at present (gauges). */
export interface EventRecorderStats {
  /** Occurrences that were accepted. */
  readonly accepted: number;
  /** Requests that created an event. */
  readonly created: number;
  /** Requests that wrote the count of a series. */
  readonly patched: number;
  /** Writes that the server refused, or that failed in every attempt. */
  readonly failed: number;
  /** Occurrences that were dropped: arguments are invalid. */
  readonly invalid: number;
  /** Occurrences that were dropped: the object has too many new events. */
  readonly rateLimited: number;
  /** Occurrences that were dropped: the queue was full, or the recorder stopped. */
  readonly dropped: number;
  /** Gauge: series in memory. */
  readonly series: number;
  /** Gauge: series with a pending write. */
  readonly pending: number;
}

/** Time of an occurrence: of the monotonic clock, and of day. */
interface Occurrence {
  readonly now: number;
  readonly time: string;
}

type Counter = Exclude<keyof EventRecorderStats, 'series' | 'pending'>;

/**
 * Records events. Equal events (type, reason, action, objects) are one series: its first two occurrences are
 * written at once, further ones are counted. An object may have 25 new events at once and one more every 5
 * minutes; the recorder sends 100 requests at once and 20 per second; the queue holds 1000 writes. Events
 * beyond the limits of objects and of the queue are dropped, counted, and logged once per 10 minutes.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #environment: RuntimeEnvironment;
  readonly #log: Logger;
  readonly #reportingInstance: string;
  readonly #budget = new EventBudget();
  /** In the order of the last occurrence. */
  readonly #series = new Map<string, EventSeries>();
  readonly #keys = new WeakMap<EventSeries, string>();
  readonly #sender: EventSender;
  readonly #counters: Record<Counter, number> = {
    accepted: 0,
    created: 0,
    patched: 0,
    failed: 0,
    invalid: 0,
    rateLimited: 0,
    dropped: 0,
  };
  /** Times of the last entries by message, and the number of events since. */
  readonly #logged = new Map<string, { readonly at: number; readonly count: number }>();
  /** Context of the constructor: requests must not belong to the run or the span that reported an event. */
  readonly #context = new AsyncResource('EventRecorder');
  #cancelCheck: (() => void) | undefined;
  #stopped: Promise<boolean> | undefined;

  /**
   * Creates a recorder.
   * @throws {TypeError} `reportingController` or `reportingInstance` is invalid
   */
  constructor(options: EventRecorderOptions) {
    const { reportingController, environment = systemEnvironment, log = consoleLogger() } = options;
    checkReportingController(reportingController);
    const instance =
      options.reportingInstance ?? cutBytes(`${reportingController}-${hostname()}`, identifierBytes);
    checkReportingInstance(instance);
    this.#options = { ...options };
    this.#reportingInstance = instance;
    this.#environment = environment;
    this.#log = childLogger(log, { reportingController });
    this.#sender = new EventSender({
      rest: options.rest,
      environment,
      observer: {
        written: (verb) => this.#count(verb === 'create' ? 'created' : 'patched'),
        failed: (write, error) => this.#reportFailure(write, error),
        forgotten: (series) => this.#forget(series),
      },
    });
  }

  /**
   * Records an occurrence. Returns at once and never throws: an event with invalid members is not recorded,
   * and the violated rule is logged as an error.
   */
  event(event: EventToRecord): void {
    const valid = validEvent(event);
    if (typeof valid === 'string') {
      this.#count('invalid');
      this.#logOnce('error', {}, `event was not recorded: ${valid}`);
      return;
    }
    this.#context.runInAsyncScope(() => this.#record(valid));
  }

  /**
   * Writes the pending events and the counts of all series, and waits for the responses, at most `timeoutMs`.
   * Never rejects. Returns whether everything was written or refused in time.
   */
  flush({ timeoutMs = flushMs }: FlushOptions = {}): Promise<boolean> {
    return this.#context.runInAsyncScope(() => {
      for (const series of [...this.#series.values()]) this.#follow(series, series.flush());
      return this.#sender.flush(timeoutMs);
    });
  }

  /**
   * Stops the recorder: further events are dropped, those before it are flushed. Never rejects. A second call
   * returns the promise of the first one.
   */
  stop(options: FlushOptions = {}): Promise<boolean> {
    this.#stopped ??= this.#stop(options);
    return this.#stopped;
  }

  /** Returns the numbers of events that were accepted, written and dropped, for metrics. */
  stats(): EventRecorderStats {
    return { ...this.#counters, series: this.#series.size, pending: this.#sender.pending };
  }

  async #stop(options: FlushOptions): Promise<boolean> {
    this.#cancelCheck?.();
    const isFlushed = await this.flush(options);
    if (!isFlushed) {
      this.#logOnce('warn', { pending: this.#sender.pending }, 'events were not written before the stop');
    }
    this.#sender.close();
    this.#series.clear();
    return isFlushed;
  }

  #record(valid: ValidEvent): void {
    const now = this.#environment.clock.now();
    const time = microTime(this.#options.date?.());
    const key = keyOf(valid, this.#options.distinctNotes);
    const series = this.#series.get(key);
    if (this.#stopped !== undefined) this.#drop('dropped', valid, 'the recorder has stopped');
    else if (series === undefined) this.#begin(key, valid, { now, time });
    else this.#repeat(key, series, { now, time });
  }

  #repeat(key: string, series: EventSeries, { now, time }: Occurrence): void {
    this.#count('accepted');
    // Deleted and set, so that the map is in the order of the last occurrence.
    this.#series.delete(key);
    this.#series.set(key, series);
    this.#follow(series, series.observe(time, now));
  }

  #begin(key: string, valid: ValidEvent, { now, time }: Occurrence): void {
    const series = new EventSeries(this.#eventOf(valid, time), now);
    if (!this.#budget.take(JSON.stringify(valid.regarding), now)) {
      this.#drop('rateLimited', valid, 'its object has too many new events');
    } else if (this.#sender.enqueue(series)) {
      this.#count('accepted');
      this.#add(key, series);
    } else {
      this.#drop('dropped', valid, 'the queue of events is full');
    }
  }

  #add(key: string, series: EventSeries): void {
    this.#series.set(key, series);
    this.#keys.set(series, key);
    if (this.#series.size > maxSeries) this.#evict();
    this.#checkLater();
  }

  #eventOf(valid: ValidEvent, time: string): EventV1 {
    const { regarding, related, type, reason, action, note } = valid;
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      // Events about cluster-scoped objects are in the namespace `default`.
      metadata: { name: nameOf(regarding.name), namespace: regarding.namespace ?? 'default' },
      eventTime: time,
      type,
      reason,
      action,
      note,
      regarding,
      ...(related !== undefined && { related }),
      reportingController: this.#options.reportingController,
      reportingInstance: this.#reportingInstance,
    };
  }

  #follow(series: EventSeries, step: EventStep): void {
    if (step === 'forget') this.#forget(series);
    if (step === 'write' && !this.#sender.enqueue(series)) series.postpone();
  }

  #forget(series: EventSeries): void {
    const key = this.#keys.get(series);
    if (key !== undefined && this.#series.get(key) === series) this.#series.delete(key);
  }

  /** Ends the series whose last occurrence is the oldest. */
  #evict(): void {
    for (const series of this.#series.values()) {
      if (series.isPending) continue;
      this.#follow(series, series.end());
      this.#forget(series);
      return;
    }
  }

  #checkLater(): void {
    this.#cancelCheck ??= this.#environment.clock.timer(checkMs, () => {
      this.#cancelCheck = undefined;
      const now = this.#environment.clock.now();
      for (const series of [...this.#series.values()]) this.#follow(series, series.check(now));
      if (this.#series.size > 0 && this.#stopped === undefined) this.#checkLater();
    });
  }

  #count(counter: Counter): void {
    this.#counters[counter] += 1;
  }

  #drop(counter: Counter, { regarding, reason }: ValidEvent, cause: string): void {
    this.#count(counter);
    this.#logOnce(
      'warn',
      { regarding, reason },
      `event was dropped: ${cause}; further ones are only counted`,
    );
  }

  #reportFailure({ verb, event }: EventWrite, error: unknown): void {
    this.#count('failed');
    const reason = isApiError(error) ? error.reason : error instanceof Error ? error.name : typeof error;
    const cause = isForbidden(error) ? `${reason}: ${permissionText(event)}` : reason;
    const fields = { regarding: event.regarding, reason: event.reason, error };
    this.#logOnce('warn', fields, `${verb} of an event failed: ${cause}; further ones are only counted`);
  }

  /** Logs each message at most once per 10 minutes. A logger that throws must not end a run. */
  #logOnce(level: 'warn' | 'error', fields: object, message: string): void {
    const now = this.#environment.clock.now();
    const logged = this.#logged.get(message) ?? { at: Number.NEGATIVE_INFINITY, count: 0 };
    // In the order of their last entries in the log.
    const [oldest] = this.#logged.entries();
    if (this.#logged.size >= maxLogged && !this.#logged.has(message)) {
      if (oldest === undefined || now - oldest[1].at < entryMs) return;
      this.#logged.delete(oldest[0]);
    }
    const isDue = now - logged.at >= entryMs;
    const count = logged.count + 1;
    if (isDue) this.#logged.delete(message);
    this.#logged.set(message, isDue ? { at: now, count: 0 } : { ...logged, count });
    if (isDue) this.#log[level](count > 1 ? { ...fields, count } : fields, message);
  }
}

/** Returns the action that resolves a missing permission. */
function permissionText({ metadata: { namespace }, regarding }: EventV1): string {
  const reason =
    regarding.namespace === undefined ? ', where events about cluster-scoped objects are created' : '';
  return `grant create and patch of events in events.k8s.io in namespace ${namespace}${reason}`;
}

function keyOf(valid: ValidEvent, distinctNotes = false): string {
  const { type, action, reason, regarding, related, note } = valid;
  return JSON.stringify([type, action, reason, regarding, related, distinctNotes ? note : '']);
}

const eventName = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const nameCharacters = 253;

/** Returns a random name if that of the object, such as `system:node`, is not valid in that of an event. */
function nameOf(object: string): string {
  const suffix = uniqueSuffix();
  const name = `${object}.${suffix}`;
  return eventName.test(name) && !name.includes('..') && name.length <= nameCharacters ? name : suffix;
}

/** Returns the milliseconds of the day's clock and 40 random bits in hexadecimal digits. */
function uniqueSuffix(): string {
  return Date.now().toString(16) + randomBytes(5).toString('hex');
}
