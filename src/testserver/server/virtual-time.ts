/** The clock of a test server: that of the process, or one that the test advances. */
import { realEnvironment, soon } from '../environment/environment.ts';

/** Clock of a test server: reads it, sets timers, and advances virtual time. */
export interface ServerTime {
  /** Returns the time in milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds. The returned function cancels the call. */
  timer(ms: number, callback: () => void): () => void;
  /**
   * Advances virtual or movable time: runs the timers that become due, in the order of their times, each at
   * its time, with event-loop turns after each of them for the promises that they settle.
   * @throws {Error} the time of the server is real
   */
  advance(ms: number): Promise<void>;
  /**
   * Returns the milliseconds until the next timer, or `undefined` if there is none.
   * @throws {Error} the time of the server is real
   */
  next(): number | undefined;
}

/** The time of the process, which cannot be advanced. */
export const realTime: ServerTime = {
  now: realEnvironment.now,
  timer: realEnvironment.timer,
  advance: async () => isReal(),
  next: () => isReal(),
};

function isReal(): never {
  throw new Error('the time of this server is real: start it with `time: "virtual"` or `"movable"`');
}

/** Start of virtual time, if the test names none. */
const defaultStart = Date.UTC(2026, 0, 1);

/** Event-loop turns after a timer, in which promises, microtasks and requests within the process proceed. */
const defaultTurns = 3;

/** Maximum number of event-loop turns after a timer, if the server never has nothing left to do. */
const mostTurns = 1_000;

/** Maximum number of event-loop turns for work that is not the server's, such as a loop that never ends. */
const mostBusyTurns = 50;

interface Timer {
  readonly at: number;
  /** Timers of equal times run in the order of their creation. */
  readonly order: number;
  /** `undefined` if the timer has run or is cancelled. */
  callback: (() => void) | undefined;
}

/** A clock that stands still until it is advanced. */
export class VirtualTime implements ServerTime {
  /** A heap: no timer is due before the one at half its index. */
  readonly #timers: Timer[] = [];
  #cancelled = 0;
  /** Number of callbacks for the next event-loop turns. */
  #pending = 0;
  #now: number;
  #order = 0;
  /** Ends with the last call of `advance`. */
  #advancing: Promise<void> = Promise.resolve();

  readonly #turns: number;
  readonly #isIdle: () => boolean;

  /**
   * @param turns event-loop turns without work after each timer; 1 if nothing waits for real events
   * @param isIdle whether nothing waits for the next turn. Default: it is not known
   */
  constructor(
    start: number = defaultStart,
    turns: number = defaultTurns,
    isIdle: () => boolean = () => true,
  ) {
    this.#now = start;
    this.#turns = turns;
    this.#isIdle = isIdle;
  }

  readonly now = (): number => this.#now;

  readonly timer = (ms: number, callback: () => void): (() => void) => {
    if (ms <= 0) return this.#soon(callback);
    this.#order += 1;
    const timer: Timer = { at: this.#now + ms, order: this.#order, callback };
    this.#push(timer);
    return () => this.#cancel(timer);
  };

  #soon(callback: () => void): () => void {
    this.#pending += 1;
    let isOver = false;
    const finish = (): void => {
      if (!isOver) this.#pending -= 1;
      isOver = true;
    };
    const cancel = soon(() => {
      finish();
      callback();
    });
    return () => {
      finish();
      cancel();
    };
  }

  /** Cancelled timers are removed when they are the first, or together if they are the majority. */
  #cancel(timer: Timer): void {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    this.#cancelled += 1;
    if (this.#cancelled * 2 < this.#timers.length + 16) return;
    this.#cancelled = 0;
    for (const left of this.#timers.splice(0)) if (left.callback !== undefined) this.#push(left);
  }

  readonly advance = (ms: number): Promise<void> => {
    if (!(ms >= 0)) throw new TypeError(`advance: ms must be >= 0, got ${ms}`);
    const run = this.#advancing.then(() => this.#advance(this.#now + ms));
    this.#advancing = run.catch(() => {});
    return run;
  };

  /** Passes time in which nothing runs, as if the processes stood still: timers that become due run late. */
  readonly skip = (ms: number): void => {
    this.#now += ms;
  };

  async #advance(target: number): Promise<void> {
    await this.#settle();
    for (;;) {
      const first = this.#first();
      if (first === undefined || first.at > target) break;
      this.#now = Math.max(this.#now, first.at);
      this.#pop();
      const { callback } = first;
      first.callback = undefined;
      callback?.();
      await this.#settle();
    }
    this.#now = Math.max(this.#now, target);
  }

  /** Waits until a number of turns have passed in which nothing was left to run. */
  async #settle(): Promise<void> {
    for (let quiet = 0, turn = 0; quiet < this.#turns && turn < mostTurns; turn += 1) {
      await new Promise<void>((resolve) => void soon(resolve));
      const isQuiet = this.#pending === 0 && (turn >= mostBusyTurns || this.#isIdle());
      quiet = isQuiet ? quiet + 1 : 0;
    }
  }

  readonly next = (): number | undefined => {
    const first = this.#first();
    return first === undefined ? undefined : first.at - this.#now;
  };

  #first(): Timer | undefined {
    for (;;) {
      const first = this.#timers[0];
      if (first === undefined || first.callback !== undefined) return first;
      this.#cancelled -= 1;
      this.#pop();
    }
  }

  #push(timer: Timer): void {
    const timers = this.#timers;
    let index = timers.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = timers[parent];
      if (above === undefined || !isBefore(timer, above)) break;
      timers[index] = above;
      index = parent;
    }
    timers[index] = timer;
  }

  #pop(): void {
    const timers = this.#timers;
    const last = timers.pop();
    if (last === undefined || timers.length === 0) return;
    let index = 0;
    for (;;) {
      const [left, right] = [timers[2 * index + 1], timers[2 * index + 2]];
      const isRight = right !== undefined && left !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (child === undefined || !isBefore(child, last)) break;
      timers[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    timers[index] = last;
  }
}

/** The clock of the process, and the time by which it was advanced. */
export class MovableTime implements ServerTime {
  readonly #virtual = new VirtualTime(realEnvironment.now());
  /** Time of this clock before that of the process. */
  #aheadMs = 0;
  #cancelWake: () => void = () => {};

  readonly now = (): number => {
    this.#follow();
    return this.#virtual.now();
  };

  readonly timer = (ms: number, callback: () => void): (() => void) => {
    this.#follow();
    const cancel = this.#virtual.timer(ms, callback);
    if (ms > 0) this.#wakeForNext();
    return cancel;
  };

  readonly advance = async (ms: number): Promise<void> => {
    this.#follow();
    await this.#virtual.advance(ms);
    this.#aheadMs = Math.max(this.#aheadMs, this.#virtual.now() - realEnvironment.now());
    this.#wakeForNext();
  };

  readonly next = (): number | undefined => {
    this.#follow();
    return this.#virtual.next();
  };

  /** Lets the time of the process pass. Has no effect while `advance` is ahead of it. */
  #follow(): void {
    const passedMs = realEnvironment.now() + this.#aheadMs - this.#virtual.now();
    if (passedMs > 0) this.#virtual.skip(passedMs);
  }

  #wakeForNext(): void {
    this.#cancelWake();
    const ms = this.#virtual.next();
    if (ms !== undefined)
      this.#cancelWake = realEnvironment.timer(Math.max(ms, 1), () => void this.advance(0));
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
