/** Log of the controllers: an interface that pino satisfies, and an adapter for `console`. */

import type { Clock } from '@kgen/runtime/informers';

/** Writes one entry: members for machines and a message for people. */
export type LogMethod = (fields: object, message: string) => void;

/** Entries about one operation that fails again and again are at least this far apart, in milliseconds. */
const entryMs = 60_000;

/** Structured log. Loggers of pino satisfy it; `consoleLogger` adapts `console`. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
}

/** An entry of a log. */
export interface LogEntry {
  readonly level: keyof Logger;
  readonly fields: object;
  readonly message: string;
}

/** Methods of `console` that `consoleLogger` calls. */
export interface ConsoleMethods {
  /** Prints an entry for developers. */
  debug(...data: readonly unknown[]): void;
  /** Prints an entry about regular operation. */
  info(...data: readonly unknown[]): void;
  /** Prints a warning. */
  warn(...data: readonly unknown[]): void;
  /** Prints an error. */
  error(...data: readonly unknown[]): void;
}

/** Returns a logger that prints the message and the fields. Default target: the global `console`. */
export function consoleLogger(target: ConsoleMethods = console): Logger {
  return {
    debug: (fields, message) => target.debug(message, fields),
    info: (fields, message) => target.info(message, fields),
    warn: (fields, message) => target.warn(message, fields),
    error: (fields, message) => target.error(message, fields),
  };
}

/**
 * Returns a logger that adds `fields` to each entry. Entries never throw, because they are written in timers
 * and event handlers: if `log` throws, such as for a member that cannot be serialized, the entry is written
 * without its own members.
 */
export function childLogger(log: Logger, fields: object): Logger {
  const method =
    (level: keyof Logger): LogMethod =>
    (own, message) => {
      try {
        log[level]({ ...fields, ...own }, message);
      } catch {
        reduced(log, level, fields, message);
      }
    };
  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') };
}

/**
 * Returns a logger that calls a function for each entry.
 * @param logged must not throw
 */
export function observedLogger(log: Logger, logged: (entry: LogEntry) => void): Logger {
  const method =
    (level: keyof Logger): LogMethod =>
    (fields, message) => {
      logged({ level, fields, message });
      log[level](fields, message);
    };
  return { debug: method('debug'), info: method('info'), warn: method('warn'), error: method('error') };
}

function reduced(log: Logger, level: keyof Logger, fields: object, message: string): void {
  try {
    log[level](fields, message);
  } catch {
    // A broken logger must not fail a run.
  }
}

/** Parts of a `FailureLog`. */
export interface FailureLogParts {
  readonly log: Logger;
  readonly clock: Clock;
  /** Time after which failures in a row are errors, in milliseconds. */
  readonly lastingMs: number;
}

/**
 * Log of an operation that is retried. The first failure of a series is a warning, and those of one that
 * lasts are errors; each at most once a minute.
 */
export class FailureLog {
  readonly #parts: FailureLogParts;
  readonly #entries = { warn: Number.NEGATIVE_INFINITY, error: Number.NEGATIVE_INFINITY };
  /** Time of the first and of the last failure of the series. */
  #series: { readonly since: number; readonly last: number } | undefined;
  /** Number of failures since the last entry, this one included. */
  #count = 0;

  constructor(parts: FailureLogParts) {
    this.#parts = parts;
  }

  /** Records a failure. Returns whether it was logged. */
  failed(message: string, fields: object = {}): boolean {
    const { log, clock, lastingMs } = this.#parts;
    const now = clock.now();
    // A series without an end that was recorded: the operation succeeded without effect meanwhile.
    const isOld = this.#series !== undefined && now - this.#series.last > 2 * lastingMs;
    const since = this.#series === undefined || isOld ? now : this.#series.since;
    this.#series = { since, last: now };
    this.#count += 1;
    const level = now - since >= lastingMs ? 'error' : 'warn';
    if (now - this.#entries[level] < entryMs) return false;
    this.#entries[level] = now;
    log[level]({ ...fields, failures: this.#count }, message);
    this.#count = 0;
    return true;
  }

  /** Ends a series. */
  succeeded(): void {
    this.#series = undefined;
  }
}
