/**
 * State machine of one event and its repetitions, with the rules of client-go's `tools/events`: the first
 * occurrence is created, the second one makes it a series and is written at once, further ones are counted in
 * memory and written when the series ends, or every 30 minutes while it continues. Has no IO and no timers.
 */
import type { MicroTime } from '@kgen/runtime';
import type { EventV1 } from './event.ts';

/** Time without an occurrence after which a series ends, in milliseconds. */
export const finishMs = 360_000;
/** Time between writes of a series that continues, in milliseconds. */
export const refreshMs = 1_800_000;
/** Largest count of a series, an int32: servers reject events with greater numbers. */
const maxCount = 2 ** 31 - 1;
/** Number of failed attempts after which a write is given up. */
const maxTries = 12;

/** Write that stores the present state of a series: the event, or with `patch` its member `series` only. */
export interface EventWrite {
  readonly verb: 'create' | 'patch';
  readonly event: EventV1;
}

/**
 * Outcome of a write: `written`; `missing`, the event to patch does not exist; `exists`, the event to create
 * does; `failed`, a retry may succeed; `refused`, it cannot.
 */
export type EventOutcome = 'written' | 'missing' | 'exists' | 'failed' | 'refused';

/**
 * Next step of a series: `write` at once, write again after a delay (`retry`), nothing until the next
 * occurrence or check (`rest`), or removal (`forget`).
 */
export type EventStep = 'write' | 'retry' | 'rest' | 'forget';

/**
 * Occurrences of one event. A method that returns `write` or `retry` leaves the series pending: the caller
 * calls `begin`, sends the request, and calls `settle` with its outcome.
 */
export class EventSeries {
  readonly event: EventV1;
  #count: number;
  #lastTime: MicroTime;
  #lastAt: number;
  #written = 0;
  #writtenAt: number;
  #sent = 0;
  #tries = 0;
  #verb: EventWrite['verb'] = 'create';
  #isPending = true;
  #isRefused = false;
  #isEnding = false;
  #isFlushing = false;

  /** Begins with the first occurrence, whose write is pending, or continues the event's series. */
  constructor(event: EventV1, now: number) {
    this.event = event;
    this.#count = event.series?.count ?? 1;
    this.#lastTime = event.eventTime;
    this.#lastAt = now;
    this.#writtenAt = now;
  }

  /** Number of occurrences. */
  get count(): number {
    return this.#count;
  }

  /** Whether a write is due or under way. */
  get isPending(): boolean {
    return this.#isPending;
  }

  /** Counts a further occurrence. */
  observe(time: MicroTime, now: number): EventStep {
    this.#count = Math.min(this.#count + 1, maxCount);
    this.#lastTime = time;
    this.#lastAt = now;
    this.#isEnding = false;
    return this.#count === 2 ? this.#writeIfChanged() : 'rest';
  }

  /** Returns the request for the present state. */
  begin(): EventWrite {
    this.#sent = this.#count;
    const { event } = this;
    if (this.#count < 2) return { verb: this.#verb, event };
    const series = { count: this.#count, lastObservedTime: this.#lastTime };
    return { verb: this.#verb, event: { ...event, series } };
  }

  /** Processes the outcome of the request that `begin` returned. */
  settle(outcome: EventOutcome, now: number): EventStep {
    if (outcome === 'written') return this.#settleWritten(now);
    if (outcome === 'refused') return this.#settleRefused();
    if (outcome === 'missing') this.#verb = 'create';
    if (outcome === 'exists') {
      // The response to an earlier attempt was lost. An event without repetitions needs no further write.
      if (this.#sent < 2) return this.#settleWritten(now);
      this.#verb = 'patch';
    }
    this.#tries += 1;
    if (this.#tries >= maxTries) return this.#giveUp();
    return outcome === 'failed' ? 'retry' : 'write';
  }

  /** Ends a quiet series, and writes the count of one that continues. To be called about once a minute. */
  check(now: number): EventStep {
    if (this.#isPending) return 'rest';
    if (now - this.#lastAt >= finishMs) return this.end();
    return now - this.#writtenAt >= refreshMs ? this.#writeIfChanged() : 'rest';
  }

  /** Ends the series: its last count is written before it is removed. */
  end(): EventStep {
    const step = this.#writeIfChanged();
    if (step === 'rest' && !this.#isPending) return 'forget';
    this.#isEnding = true;
    return step;
  }

  /** Writes a count that exists in memory only: at once, or after the write that is pending. */
  flush(): EventStep {
    this.#isFlushing = this.#isPending;
    return this.#writeIfChanged();
  }

  /** Withdraws a write that `observe`, `check`, `end` or `flush` requested: the queue is full. */
  postpone(): void {
    this.#isPending = false;
    this.#isEnding = false;
  }

  #writeIfChanged(): EventStep {
    if (this.#isPending || this.#isRefused || this.#written >= this.#count) return 'rest';
    this.#isPending = true;
    return 'write';
  }

  #settleWritten(now: number): EventStep {
    this.#written = this.#sent;
    this.#writtenAt = now;
    this.#tries = 0;
    this.#verb = 'patch';
    this.#isPending = false;
    if (this.#isEnding) return 'forget';
    const isDue = this.#isFlushing || this.#written < 2;
    this.#isFlushing = false;
    return isDue ? this.#writeIfChanged() : 'rest';
  }

  /** A refused series stays until it ends, so that its occurrences cause no further requests. */
  #settleRefused(): EventStep {
    this.#isRefused = true;
    this.#isPending = false;
    return this.#isEnding ? 'forget' : 'rest';
  }

  /** Drops the pending write. If the event exists on the server, the next refresh writes the series. */
  #giveUp(): EventStep {
    this.#tries = 0;
    this.#isPending = false;
    return this.#isEnding || this.#verb === 'create' ? 'forget' : 'rest';
  }
}
