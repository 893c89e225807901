/** Servers of the command `kgen serve`, as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { repository } from '../support/emitted.ts';

/** The two programs of the command. */
export const programs = {
  'kgen-testserver': ['src/testserver/bin/kgen-testserver.js'],
  'kgen serve': ['src/kgen/bin/kgen.js', 'serve'],
} as const;

/** A process of the command. */
export interface ServeProcess {
  readonly child: ChildProcess;
  /** Resolves with the first line, or with everything that it prints if it ends without one. */
  readonly line: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string; readonly stdout: string }>;
}

/** Starts the command, in a test, which ends it. */
export function startServe(
  options: readonly string[] = [],
  name: keyof typeof programs = 'kgen-testserver',
): ServeProcess {
  const [program = '', ...words] = programs[name];
  const child = spawn(process.execPath, [join(repository, program), ...words, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: repository,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]: (number | null)[]) => ({
    code: code ?? null,
    stdout,
    stderr,
  }));
  const line = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
    void ended.then(() => resolve(stdout + stderr));
  });
  return { child, line, ended };
}

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-serve-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
