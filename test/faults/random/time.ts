/**
 * A client clock that runs faster than real time, so that delays, idle connections and health checks of half
 * a minute fit into an exchange of milliseconds. It advances with event-loop ticks: if the machine is busy,
 * limits do not elapse sooner. Timers inside of Node.js, such as those of sockets, are not affected.
 */
const machine = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
};

/** Milliseconds of the client clock per tick, and minimum of real milliseconds between two ticks. */
export const turnMs = 100;
const restMs = 1;

/** Longest delay that timers of Node.js support. */
const longestMs = 2 ** 31 - 1;

let now = 0;

/** A timer of the client clock, with the members of Node.js timers that programs use. */
class Timer {
  static readonly pending: Set<Timer> = new Set();
  readonly #act: () => void;
  readonly #ms: number;
  due = 0;

  constructor(act: () => void, ms: number) {
    this.#act = act;
    // As in Node.js, such a timer fires at once.
    if (ms > longestMs) process.emitWarning(`${ms} ms`, 'TimeoutOverflowWarning');
    this.#ms = ms >= 1 && ms <= longestMs ? ms : 1;
    this.refresh();
  }

  refresh(): this {
    this.due = now + this.#ms;
    Timer.pending.add(this);
    return this;
  }

  fire(): void {
    if (Timer.pending.delete(this)) this.#act();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

function turn(): void {
  now += turnMs;
  const due = [...Timer.pending]
    .filter((timer) => timer.due <= now)
    .sort((one, other) => one.due - other.due);
  // Each in a separate tick, so that one that throws does not delay the others.
  for (const timer of due) machine.setTimeout(() => timer.fire(), 0);
}

/** Replaces the clock of Node.js for all code that reads it afterwards. */
export function replaceClock(): void {
  const set = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Timer =>
    new Timer(() => act(...args), ms);
  const clear = (timer: unknown): void => {
    if (timer instanceof Timer) Timer.pending.delete(timer);
    else if (typeof timer === 'object') machine.clearTimeout(timer as NodeJS.Timeout);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  performance.now = () => now;
  machine.setInterval(turn, restMs).unref();
}

/** Returns the number of pending timers of the client, including unreferenced ones. */
export function pendingTimers(): number {
  return Timer.pending.size;
}

/** Waits for real milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void machine.setTimeout(resolve, ms));
}

/** Waits for milliseconds of the client clock. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void new Timer(resolve, ms));
}

/** Real milliseconds between two ticks of the watchdog. */
const tickMs = 50;
/** Processor time between two ticks after which the event loop was blocked. Other processes do not count. */
const heldMs = 3000;

let ticks = 0;
let watching: NodeJS.Timeout | undefined;

/** Starts to count ticks. On a busy machine they are slower. */
export function watch(held: (ms: number) => void): void {
  let before = process.cpuUsage();
  watching = machine.setInterval(() => {
    ticks += 1;
    const { user } = process.cpuUsage(before);
    before = process.cpuUsage();
    if (user / 1000 > heldMs) held(Math.round(user / 1000));
  }, tickMs);
}

export function endWatch(): void {
  clearInterval(watching);
}

/**
 * Waits for `work`. Returns `false` unless it settles within the milliseconds of the client clock and, after
 * them, the real milliseconds. Does not reject.
 */
export async function settles(work: Promise<unknown>, clientMs: number, graceMs: number): Promise<boolean> {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  work.then(settle, settle);
  for (const end = now + clientMs; !settled && now <= end; ) await pause(restMs);
  const end = ticks + Math.ceil(graceMs / tickMs) + 1;
  for (let step = 1; !settled && ticks < end; step = Math.min(step * 2, tickMs)) await pause(step);
  return settled;
}
