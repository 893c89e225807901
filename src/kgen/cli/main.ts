import { inspect } from 'node:util';
import { coloured, plain, wantsColors } from './colors.ts';
import type { Output } from './console.ts';
import { exitCodes } from './exit.ts';
import { run } from './run.ts';

main().catch(internalError);

/** A bug in kgen: prints a short message, or the stack if it is requested. */
function internalError(cause: unknown): void {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isDebug = /\bkgen\b/.test(process.env['NODE_DEBUG'] ?? '');
  const detail = isDebug ? inspect(cause) : 'run again with NODE_DEBUG=kgen for details';
  process.stderr.write(
    `kgen: internal error: ${message}\nThis is a bug in kgen, please report it; ${detail}\n`,
  );
  process.exitCode = exitCodes.internal;
}

/**
 * Runs the command in this process. Sets the exit status without forcing an exit, so that streams can drain.
 */
async function main(): Promise<void> {
  // A listener defers the signal to the next event-loop turn, which never interrupts writing of files.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('beforeExit', unfinished);
  process.exitCode = await run(process.argv.slice(2), {
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    now: () => performance.now(),
  });
  process.removeListener('beforeExit', unfinished);
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
  const paint = wantsColors(process.env, isTerminal) ? coloured : plain;
  return { isTerminal, paint, write: (text) => stream.write(text) };
}

/** The event loop is empty and the run has not ended, which only user code can cause. */
function unfinished(): void {
  process.stderr.write(
    'error: a module or the configuration file awaits a promise that never settles: correct it\n',
  );
  process.exitCode = exitCodes.usage;
}
