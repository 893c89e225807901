/** Resumption of a log without losing or repeating a line, as values. */

/** A line of a log with its time. */
export interface TimedLine {
  /** Time with which the line begins, as the server sent it; `''` without one. */
  readonly time: string;
  readonly line: string;
}

const timed = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/;

/** Splits a line of a log that was requested with `timestamps`. */
export function splitTime(text: string): TimedLine {
  const [prefix = ''] = timed.exec(text) ?? [];
  return { time: prefix.trimEnd(), line: text.slice(prefix.length) };
}

/** Returns a time in nanoseconds; 0 for a line without a time. */
export function nanoseconds(time: string): bigint {
  const [, seconds, fraction = '', zone] = timed.exec(time) ?? [];
  if (seconds === undefined) return 0n;
  return BigInt(Date.parse(`${seconds}${zone}`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const secondNs = 1_000_000_000n;

/** Reader of one log over several requests. */
export class LogResumption {
  #second = 0n;
  #seen: Map<string, number> = new Map();
  #repeated: Map<string, number> = new Map();

  /**
   * `sinceTime` of the request that resumes the log; `undefined` for one that has not begun. Servers select
   * lines by full seconds.
   */
  get sinceTime(): string | undefined {
    if (this.#second === 0n) return undefined;
    return new Date(Number(this.#second / 1_000_000n)).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  /** Begins another request, which repeats the lines since the second of the last one. */
  resume(): void {
    this.#repeated = new Map(this.#seen);
  }

  /** Returns whether a line is new, and notes it. */
  accept({ time }: TimedLine): boolean {
    const repeats = this.#repeated.get(time) ?? 0;
    if (repeats > 0) {
      this.#repeated.set(time, repeats - 1);
      return false;
    }
    const at = nanoseconds(time);
    const second = at - (at % secondNs);
    if (second > this.#second) {
      this.#second = second;
      this.#seen = new Map();
    }
    if (second === this.#second) this.#seen.set(time, (this.#seen.get(time) ?? 0) + 1);
    return true;
  }
}
