/** Log of the controllers: an interface that pino satisfies, and an adapter for `console`. */

/** Writes one entry: members for machines and a message for people. */
export type LogMethod = (fields: object, message: string) => void;

/** Structured log. Loggers of pino satisfy it; `consoleLogger` adapts `console`. */
export interface Logger {
  readonly debug: LogMethod;
  readonly info: LogMethod;
  readonly warn: LogMethod;
  readonly error: LogMethod;
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

function reduced(log: Logger, level: keyof Logger, fields: object, message: string): void {
  try {
    log[level](fields, message);
  } catch {
    // A broken logger must not fail a run.
  }
}
