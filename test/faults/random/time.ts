/**
 * A clock for the client that runs ahead of the machine's, so that waits, idle connections and health checks of half a
 * minute fit into an exchange of milliseconds. It goes on with the turns of the event loop: where the machine is busy
 * with something else, limits do not come sooner. Timers inside of Node, such as those of sockets, keep their pace.
 */
const machine = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
};

/** Milliseconds of the client in one turn, and of the machine between two turns, at least. */
export const turnMs = 100;
const restMs = 1;

/** The longest time that timers of Node can measure. */
const longestMs = 2 ** 31 - 1;

let now = 0;

/** A timer of the client's clock, as far as programs use those of Node. */
class Timer {
  static readonly pending: Set<Timer> = new Set();
  readonly #act: () => void;
  readonly #ms: number;
  due = 0;

  constructor(act: () => void, ms: number) {
    this.#act = act;
    // As Node does: such a timer fires at once.
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
  // Each in a turn of its own: one that throws must not hold up the others.
  for (const timer of due) machine.setTimeout(() => timer.fire(), 0);
}

/** Puts the clock in place of Node's for everything that reads it from here on. */
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

/** How many timers of the client there are: also such as would not keep a process running. */
export function pendingTimers(): number {
  return Timer.pending.size;
}

/** Waits so many milliseconds of the machine. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void machine.setTimeout(resolve, ms));
}

/** Waits so many milliseconds of the client. */
export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => void new Timer(resolve, ms));
}

/** Milliseconds of the machine between two ticks of its watchdogs. */
const tickMs = 50;
/** Processor time between two ticks after which something held the event loop. Other processes do not count. */
const heldMs = 3000;

let ticks = 0;
let watching: NodeJS.Timeout | undefined;

/** Begins to count ticks. A machine that is busy with something else lets them pass more slowly. */
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
 * Waits for `work`; `false` where it has not settled within so many milliseconds of the client and, after them, of the
 * machine. Does not reject.
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
