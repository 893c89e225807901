/** Program `kgen`. It generates in a worker thread, so that a signal ends it at once while it computes. */
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { version } from '../common/version.ts';
import { parseArguments } from './arguments.ts';
import { coloured, plain, wantsColors } from './colors.ts';
import type { Console, EndSignal, Output } from './console.ts';
import { exitCodes } from './exit.ts';
import { run } from './run.ts';
import { useCompileCache } from './thread/compile-cache.ts';
import { interrupt, interruptionFlags } from './thread/interruption.ts';
import type { InputMessage, ThreadData, ThreadMessage } from './thread/thread.ts';

/** Exit statuses after signals, as shells report them. */
const interruptedBy = { SIGINT: 130, SIGTERM: 143 } as const;

main().catch(internalError);

/** A bug in kgen: prints a short message, or the stack if it is requested. */
function internalError(cause: unknown): void {
  process.removeListener('beforeExit', unfinished);
  const message = cause instanceof Error ? cause.message : String(cause);
  const isDebug = /\bkgen\b/.test(process.env['NODE_DEBUG'] ?? '');
  const detail = isDebug ? inspect(cause) : 'run again with NODE_DEBUG=kgen for details';
  process.stderr.write(
    `kgen: internal error: ${message}\nThis is a bug in kgen, please report it; ${detail}\n`,
  );
  process.exitCode = exitCodes.internal;
}

/**
 * Runs the command. Sets the exit status without forcing an exit, so that streams can drain. Commands that
 * only print, and operators, which use timers and modules of the process, run in this thread.
 */
async function main(): Promise<void> {
  useCompileCache();
  const argv = process.argv.slice(2);
  const parsed = parseArguments(argv, version);
  const [stdout, stderr] = [output(process.stdout), output(process.stderr)];
  if (!('exitCode' in parsed || 'command' in parsed)) return runInThread(argv, stdout, stderr);
  let handle = (signal: EndSignal): void => process.exit(interruptedBy[signal]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => handle(signal));
  process.once('beforeExit', unfinished);
  const now = (): number => performance.now();
  const onSignal: Console['onSignal'] = (other) => {
    handle = other;
  };
  const { stdin } = process;
  process.exitCode = await run(argv, { cwd: process.cwd(), stdin, stdout, stderr, now, onSignal });
  process.removeListener('beforeExit', unfinished);
}

/**
 * Generates in another thread. A signal ends the process at once, unless files are being written: the thread
 * then restores the folder and ends.
 */
function runInThread(argv: readonly string[], stdout: Output, stderr: Output): void {
  const flags = interruptionFlags();
  const facts = ({ isTerminal, hasCursor, paint }: Output) => ({
    isTerminal,
    hasCursor,
    isColoured: paint === coloured,
  });
  const data: ThreadData = { argv, flags, stdout: facts(stdout), stderr: facts(stderr) };
  const thread = new Worker(new URL('./thread/thread.js', import.meta.url), { workerData: data });
  let interrupted: number | undefined;
  let isFinished = false;
  for (const [signal, code] of Object.entries(interruptedBy)) {
    process.on(signal, () => {
      interrupted = code;
      if (interrupt(flags)) process.exit(code);
    });
  }
  thread.on('message', (message: ThreadMessage) => {
    if ('stream' in message) {
      (message.stream === 'stdout' ? stdout : stderr).write(message.text);
      return;
    }
    if ('needsInput' in message) return forwardInput(thread);
    isFinished = true;
    const isReverted = interrupted !== undefined && message.exitCode !== exitCodes.ok;
    process.exitCode = isReverted ? interrupted : message.exitCode;
  });
  thread.on('error', internalError);
  thread.on('exit', (code) => {
    if (isFinished || process.exitCode !== undefined) return;
    if (code === 0 || code === unsettledAwait) unfinished();
    else process.exitCode = code;
  });
}

/** Exit status of a thread whose module awaits a promise that never settles. */
const unsettledAwait = 13;

function forwardInput(thread: Worker): void {
  const send = (message: InputMessage): void => thread.postMessage(message);
  process.stdin
    .on('data', (chunk: Uint8Array) => send({ chunk }))
    .on('end', () => send({ end: true }))
    .on('error', (cause: NodeJS.ErrnoException) => {
      const { message, code } = cause;
      send({ failure: { message, code } });
    });
}

function output(stream: NodeJS.WriteStream): Output {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as `head` does. The exit status still reports the result of the run.
    if (cause.code === 'EPIPE') return;
    if (stream !== process.stderr)
      process.stderr.write(`error: the output cannot be written: ${cause.message}\n`);
    process.exit(exitCodes.problems);
  });
  const isTerminal = stream.isTTY === true;
  const hasCursor = isTerminal && process.env['TERM'] !== 'dumb';
  const paint = wantsColors(process.env, isTerminal) ? coloured : plain;
  return { isTerminal, hasCursor, paint, write: (text) => stream.write(text) };
}

/** The event loop is empty and the run has not ended, which only user code can cause. */
function unfinished(): void {
  process.stderr.write(
    'error: a module or the configuration file awaits a promise that never settles: correct it\n',
  );
  process.exitCode = exitCodes.usage;
}
