/** Logs of controllers: an interface that pino and the console satisfy. */

/** Members of a log entry besides its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Receiver of log entries. Loggers of pino and `console` satisfy it. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

/**
 * Returns a logger that adds `fields` to each entry. Entries never throw: an exception of `log` is dropped,
 * because entries are written in timers and event handlers.
 */
export function childLogger(log: Logger, fields: LogFields): Logger {
  const write = (level: (typeof levels)[number]) => (own: LogFields, message: string) => {
    try {
      log[level]({ ...fields, ...own }, message);
    } catch {
      // A broken logger must not fail a run.
    }
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/**
 * Creates a logger that writes one line of JSON for each entry to the standard error output, as pino does:
 * `{"level":"info","time":"…","msg":"…",…}`. Errors under `err` are written with name, message and stack.
 * @param level the lowest level that is written. Default: `'info'`
 */
export function jsonLogger(level: 'debug' | 'info' | 'warn' | 'error' = 'info'): Logger {
  const lowest = levels.indexOf(level);
  const write = (at: number) => (fields: LogFields, message: string) => {
    if (at < lowest) return;
    process.stderr.write(`${line(levels[at] ?? 'info', fields, message)}\n`);
  };
  return { debug: write(0), info: write(1), warn: write(2), error: write(3) };
}

function line(level: string, fields: LogFields, msg: string): string {
  const entry = { level, time: new Date().toISOString(), msg, ...fields };
  try {
    return JSON.stringify(entry, plainValue);
  } catch {
    // Fields with cycles.
    return JSON.stringify({ level, time: entry.time, msg });
  }
}

function plainValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, ...(cause !== undefined && { cause }) };
}
