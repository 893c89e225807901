import { inspect } from 'node:util';
import { coloured, plain, wantsColors } from './colors.ts';
import type { Output } from './console.ts';
import { exitCodes } from './exit.ts';
import { run } from './run.ts';

/** Binds the command to this process. The exit status is set, not forced, so that streams can drain. */
async function main(): Promise<void> {
  // A listener defers the signal to the next turn of the event loop, which is never in the middle of writing files.
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

/** Nothing is left to wait for and the run has not ended: only code of the user can do that. */
function unfinished(): void {
  process.stderr.write('error: the configuration file awaits something that never comes: correct it\n');
  process.exitCode = exitCodes.usage;
}

function output(stream: NodeJS.WriteStream): Output {
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    // The reader went away, as `head` does; the exit status still says how the run went.
    if (cause.code === 'EPIPE') return;
    if (stream !== process.stderr)
      process.stderr.write(`error: the output cannot be written: ${cause.message}\n`);
    process.exit(exitCodes.problems);
  });
  const isTerminal = stream.isTTY === true;
  const paint = wantsColors(process.env, isTerminal) ? coloured : plain;
  return { isTerminal, paint, write: (text) => stream.write(text) };
}

/** Not the user's fault: short, unless the one who looks into it asks for more. */
function internalError(cause: unknown): void {
  const message = cause instanceof Error ? cause.message : String(cause);
  const isDebug = /\bkgen\b/.test(process.env['NODE_DEBUG'] ?? '');
  const detail = isDebug ? inspect(cause) : 'run again with NODE_DEBUG=kgen for details';
  process.stderr.write(
    `kgen: internal error: ${message}\nThis is a bug in kgen, please report it; ${detail}\n`,
  );
  process.exitCode = exitCodes.internal;
}

main().catch(internalError);
