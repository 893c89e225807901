/**
 * Time, timers and random numbers of a simulated process in place of those of Node.js. They are replaced once
 * for the whole process, and ask which simulated process calls: other callers receive the real ones.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type * as DiagnosticsChannel from 'node:diagnostics_channel';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type * as TimersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import { outsideReconcile } from './reconcile-call.ts';

/** The address of a request, or the request itself. */
export type FetchInput = Parameters<typeof fetch>[0];

/** Time and randomness of a simulated process, in place of those of Node.js. */
export interface VirtualProcess {
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` after `ms` milliseconds. Returns the function that cancels the call. */
  timer(ms: number, callback: () => void): () => void;
  random(): number;
  /** Calls `undo` at the end of the process. */
  atEnd(undo: () => void): void;
  /** Sends a request to an external service. */
  fetch(input: FetchInput, init?: RequestInit): Promise<Response>;
  /**
   * Called for each use of something that a simulation replaces: `Math.random()`, `a socket`.
   * @param advice the alternative, if the use fails
   */
  used(what: string, advice?: string): void;
}

const current = new AsyncLocalStorage<VirtualProcess>();

/** Runs a function, and everything that it begins, in a simulated process. */
export function inProcess<T>(process: VirtualProcess, run: () => T): T {
  return current.run(process, run);
}

/** Binds a callback to the process and the other contexts of the caller. */
export function bound(callback: () => void): () => void {
  // `AsyncResource.bind` adds members to the function, which takes ten times as long.
  const context = new AsyncResource('SimulatedTimer');
  return () => context.runInAsyncScope(callback);
}

/** Number of simulations that run. */
let installed = 0;
let restore: () => void = () => undefined;

/** Replaces the globals. Returns the function that undoes it, after the last of several simulations. */
export function installGlobals(): () => void {
  installed += 1;
  if (installed === 1) restore = replaceAll();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    installed -= 1;
    if (installed === 0) restore();
  };
}

/** A place, its member, and the replacement, which receives the original. */
type Replacement = readonly [holder: object, name: string, value: unknown];

function replaceAll(): () => void {
  const saved: Replacement[] = [];
  for (const [holder, name, value] of replacements()) {
    saved.push([holder, name, Reflect.get(holder, name)]);
    Reflect.set(holder, name, value);
  }
  syncBuiltinESMExports();
  const leaveTests = enterTests();
  return () => {
    for (const [holder, name, value] of saved.reverse()) Reflect.set(holder, name, value);
    syncBuiltinESMExports();
    leaveTests();
  };
}

/** Marks the process as one of tests, in which informers freeze their objects. */
function enterTests(): () => void {
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'test';
  return () => {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  };
}

const load = createRequire(import.meta.url);

function replacements(): readonly Replacement[] {
  const timers = timerFunctions();
  // seam: modules of Node.js, whose members are replaced.
  const promises = load('node:timers/promises') as typeof TimersPromises;
  const { setTimeout: pause } = promises;
  const wait = (
    ms = 1,
    value?: unknown,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<unknown> => {
    const process = current.getStore();
    if (process === undefined) return pause(ms, value, options);
    process.used('setTimeout of node:timers/promises');
    return waitIn(process, ms, value, options.signal);
  };
  Object.defineProperty(timers['setTimeout'] ?? {}, promisify.custom, { value: wait });
  // seam: as above.
  const channels = load('node:diagnostics_channel') as typeof DiagnosticsChannel;
  const random = Math.random;
  const now = performance.now.bind(performance);
  return [
    ...Object.entries(timers).flatMap(([name, value]): Replacement[] => [
      [globalThis, name, value],
      [load('node:timers') as object, name, value],
    ]),
    [promises, 'setTimeout', wait],
    [AbortSignal, 'timeout', timeoutSignal(AbortSignal.timeout.bind(AbortSignal))],
    [Math, 'random', () => read('Math.random()', (process) => process.random(), random)],
    [globalThis, 'Date', virtualDate(Date)],
    // Not reported: reading the clock is as exact as the clock.
    [performance, 'now', () => current.getStore()?.now() ?? now()],
    subscription(channels, 'subscribe', (name, listener) => channels.unsubscribe(name, listener)),
    [globalThis, 'fetch', fetchOf(globalThis.fetch)],
    refused(Socket.prototype, 'connect', 'a socket'),
    refused(Server.prototype, 'listen', 'a server that listens'),
  ];
}

function read<T>(what: string, virtual: (process: VirtualProcess) => T, real: () => T): T {
  const process = current.getStore();
  if (process === undefined) return real();
  process.used(what);
  return virtual(process);
}

/** A timer of a simulated process, with the members of Node's. */
class VirtualTimer {
  readonly #process: VirtualProcess;
  readonly #ms: number;
  readonly #call: () => void;
  readonly #isRepeated: boolean;
  #cancel: () => void = () => undefined;

  constructor(process: VirtualProcess, ms: number, call: () => void, isRepeated: boolean) {
    this.#process = process;
    // As Node.js does for values that are too small, too large or not numbers.
    this.#ms = ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1;
    this.#call = call;
    this.#isRepeated = isRepeated;
    this.refresh();
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

  refresh(): this {
    this.#cancel();
    this.#cancel = this.#process.timer(this.#ms, () => {
      if (this.#isRepeated) this.refresh();
      this.#call();
    });
    return this;
  }

  close(): this {
    this.#cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.#cancel();
  }
}

type Callback = (...args: readonly unknown[]) => void;

function timerFunctions(): Record<string, object> {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const create =
    (name: string, real: typeof setTimeout, isRepeated: boolean) =>
    (callback: Callback, ms = 1, ...args: readonly unknown[]): unknown => {
      const process = current.getStore();
      if (process === undefined) return real(callback, ms, ...args);
      process.used(name);
      return new VirtualTimer(process, ms, () => outsideReconcile(() => callback(...args)), isRepeated);
    };
  const clear =
    (real: typeof clearTimeout) =>
    (timer?: NodeJS.Timeout | VirtualTimer): void => {
      if (timer instanceof VirtualTimer) timer.close();
      else real(timer);
    };
  return {
    setTimeout: create('setTimeout()', setTimeout, false),
    // seam: both return a timer that `clear` accepts.
    setInterval: create('setInterval()', setInterval as typeof setTimeout, true),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
  };
}

function waitIn(
  process: VirtualProcess,
  ms: number,
  value: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = process.timer(ms, () => {
      signal?.removeEventListener('abort', stop);
      resolve(value);
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function timeoutSignal(real: (ms: number) => AbortSignal): (ms: number) => AbortSignal {
  return (ms) => {
    const process = current.getStore();
    if (process === undefined) return real(ms);
    process.used('AbortSignal.timeout()');
    const controller = new AbortController();
    const late = 'The operation was aborted due to timeout';
    process.timer(ms, () => controller.abort(new DOMException(late, 'TimeoutError')));
    return controller.signal;
  };
}

/** Returns a `Date` whose present is that of the calling process. `instanceof` holds for both. */
function virtualDate(real: DateConstructor): unknown {
  const present = (): number => current.getStore()?.now() ?? real.now();
  function Virtual(this: unknown, ...args: readonly unknown[]): unknown {
    if (new.target === undefined) return new real(present()).toString();
    return Reflect.construct(real, args.length === 0 ? [present()] : args, new.target);
  }
  Object.setPrototypeOf(Virtual, real);
  Object.defineProperty(Virtual, 'prototype', { value: real.prototype });
  return Object.assign(Virtual, { now: present });
}

type Listener = DiagnosticsChannel.ChannelListener;

/** A subscription of a simulated process ends with it, as it does when a real process ends. */
function subscription(
  holder: typeof DiagnosticsChannel,
  name: 'subscribe',
  undo: (channel: string | symbol, listener: Listener) => void,
): Replacement {
  const { subscribe } = holder;
  return [
    holder,
    name,
    (channel: string | symbol, listener: Listener): void => {
      subscribe(channel, listener);
      current.getStore()?.atEnd(() => undo(channel, listener));
    },
  ];
}

/** Requests of a simulated process go to the services of the simulation. */
function fetchOf(real: typeof fetch): typeof fetch {
  return (input, init) => {
    const process = current.getStore();
    return process === undefined ? real(input, init) : process.fetch(input, init);
  };
}

/** A method that throws in a simulated process. */
function refused(holder: object, name: string, what: string): Replacement {
  const real: unknown = Reflect.get(holder, name);
  return [
    holder,
    name,
    function (this: unknown, ...args: readonly unknown[]): unknown {
      const process = current.getStore();
      if (process === undefined && typeof real === 'function') return Reflect.apply(real, this, args);
      process?.used(what);
      throw new Error(`a simulated operator cannot use ${what}: pass the options of simulate to the Manager`);
    },
  ];
}
