/** Connection of a session to the terminal of this program. Loaded when it is used. */
import type { Readable, Writable } from 'node:stream';
import type { ProcessExit, Terminal, TerminalSize } from '../../../api/verbs/exec.ts';

/** Session with a process that has a terminal. */
export interface TerminalSession {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly exit: Promise<ProcessExit>;
  resize(size: TerminalSize): void;
}

/** Signals that end a program without its `exit` event, unless it has listeners. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Connects a session to a terminal until its process ends. The mode of the terminal is restored then, and
 * also when this program exits or is ended by a signal.
 */
export async function joinTerminal(
  session: TerminalSession,
  { input = process.stdin, output = process.stdout }: Terminal,
): Promise<ProcessExit> {
  const { stdin, stdout, exit } = session;
  const restore = rawMode(input);
  const resize = (): void => {
    if (output.columns > 0 && output.rows > 0) session.resize({ width: output.columns, height: output.rows });
  };
  output.on('resize', resize);
  try {
    if (output.isTTY) resize();
    stdout?.pipe(output, { end: false });
    if (stdin !== undefined) input.pipe(stdin);
    return await exit;
  } finally {
    output.off('resize', resize);
    if (stdin !== undefined) input.unpipe(stdin);
    // A terminal that is read keeps the program running.
    input.pause();
    restore();
  }
}

/** Sets raw mode, in which keys such as Ctrl-C are sent. Returns a function that restores the mode. */
function rawMode(input: NodeJS.ReadStream): () => void {
  if (!input.isTTY) return () => undefined;
  const wasRaw = input.isRaw;
  const restore = (): void => {
    process.off('exit', restore);
    for (const signal of endings) process.off(signal, ended);
    input.setRawMode(wasRaw);
  };
  const ended = (signal: NodeJS.Signals): void => {
    restore();
    // Without this listener the signal has its usual effect.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  process.on('exit', restore);
  for (const signal of endings) process.on(signal, ended);
  input.setRawMode(true);
  return restore;
}
