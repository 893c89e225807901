/** Commands as processes that end with their test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A command that runs. */
export interface Command {
  readonly child: ChildProcess;
  /** Returns the next line of the output with a text. Rejects if the command ends before. */
  readonly line: (text: string) => Promise<string>;
  /** Resolves once the command, and the processes that share its output, have ended. */
  readonly end: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

/**
 * Starts a program of Node.js.
 * @param failing errors with which the next line rejects, although the command runs. Default: none
 */
export function command(args: readonly string[], cwd: string, failing?: RegExp): Command {
  const child = spawn(process.execPath, args, { cwd });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (more) => {
    text.stdout += more;
  });
  const failed = new Promise<never>((_, reject) => {
    child.stderr.on('data', (more) => {
      text.stderr += more;
      if (failing?.test(text.stderr) === true) reject(new Error(text.stderr));
    });
  });
  const end = once(child, 'close').then(() => ({ code: child.exitCode, ...text }));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await end;
  });
  const failure = end.then(({ code, stdout, stderr }) => {
    throw new Error(`${args.join(' ')} has ended (${code}): ${stdout}${stderr}`);
  });
  const problem = Promise.race([failed, failure]);
  problem.catch(() => undefined); // Reported by the next line.
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    end,
    line: async (part) => {
      for (;;) {
        const { value, done } = await Promise.race([lines.next(), problem]);
        if (done === true) return failure;
        if (value?.includes(part)) return value;
      }
    },
  };
}
