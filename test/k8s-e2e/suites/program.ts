/** Runs of a program with specs of Ginkgo. */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Spec, specsOf } from './spec.ts';

/** A run of a program. */
export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that the program runs in. Default: `folder`. */
  readonly cwd?: string;
  /** Folder for its report and its output, `log`. */
  readonly folder: string;
  /** File for the output. Default: `output` in `folder`. */
  readonly log?: string;
  /** Prefix of the names of its specs. */
  readonly prefix?: string;
  /** Whether specs that do not run are part of the result. */
  readonly isListed?: boolean;
}

/**
 * Runs a program until it ends, and returns its specs.
 *
 * @throws Error if it writes no report
 */
export async function runProgram(run: ProgramRun): Promise<readonly Spec[]> {
  const report = join(run.folder, `report-${Math.random().toString(36).slice(2)}.json`);
  const log = createWriteStream(run.log ?? join(run.folder, 'output'), { flags: 'a' });
  const args = [...run.args, `--ginkgo.json-report=${report}`, '--ginkgo.no-color'];
  const child = spawn(run.program, args, {
    cwd: run.cwd ?? run.folder,
    env: { ...process.env, ...run.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(status ?? signal ?? 'no code'));
  });
  process.removeListener('exit', end);
  await new Promise<void>((resolve) => log.end(resolve));
  const text = await readFile(report, 'utf8').catch(() => '');
  if (text === '') throw new Error(`${run.program} wrote no report (${code}): see ${String(log.path)}`);
  return specsOf(text, run);
}
