/** Connection of a session to the terminal of this program. Loaded when it is used. */
import type { Readable, Writable } from 'node:stream';
import { isTransportError, TransportError } from '../../../api/errors.ts';
import type { ProcessExit, Terminal, TerminalSize } from '../../../api/verbs/exec.ts';

/** Session with a process that has a terminal. */
export interface TerminalSession {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable | undefined;
  readonly exit: Promise<ProcessExit>;
  resize(size: TerminalSize): void;
  close(): void;
}

/** Signals that end a program without its `exit` event, unless it has listeners. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Connects a session to a terminal until its process ends and its output has been written. The mode of the
 * terminal is restored then, and also when this program exits or is ended by a signal. If the output cannot
 * be written, the session is closed, and the call rejects with the error of the output.
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
  // Each write reports its error too. Without a listener, EPIPE would end the program.
  const ignore = (): void => undefined;
  output.on('resize', resize);
  output.on('error', ignore);
  try {
    if (output.isTTY) resize();
    const writing = stdout === undefined ? Promise.resolve() : writeAll(stdout, output);
    if (stdin !== undefined) input.pipe(stdin);
    return await untilWritten(exit, writing);
  } catch (error) {
    session.close();
    throw error;
  } finally {
    output.off('resize', resize);
    // The event of an error follows the call that has reported it.
    if (!output.destroyed && output.errored === null) output.off('error', ignore);
    if (stdin !== undefined) input.unpipe(stdin);
    // A terminal that is read keeps the program running.
    input.pause();
    restore();
  }
}

/** Rejects with the error of the output, or if it is closed. The error of the session is that of `exit`. */
async function writeAll(stdout: Readable, output: Writable): Promise<void> {
  const chunks = stdout[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch(() => undefined);
    if (next === undefined || next.done) return;
    await new Promise<void>((resolve, reject) => {
      const closed = (): void =>
        reject(new TransportError('the output was closed', undefined, { code: 'EPIPE' }));
      output.once('close', closed);
      output.write(next.value, (error) => {
        output.off('close', closed);
        if (error) reject(error);
        else resolve();
      });
    });
  }
}

/** A session that is closed or aborted by this program does not wait for its output, which may be blocked. */
async function untilWritten(exit: Promise<ProcessExit>, writing: Promise<void>): Promise<ProcessExit> {
  const failed = new Promise<never>((_resolve, reject) => void writing.catch(reject));
  try {
    const end = await Promise.race([exit, failed]);
    await writing;
    return end;
  } catch (error) {
    if (isTransportError(error) && error.code === 'STATUS_MISSING') await writing;
    throw error;
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
