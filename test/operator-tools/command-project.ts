/** A project for the commands, without the tsconfig.json of the tests, which replaces packages by sources. */
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export const root = join(import.meta.dirname, '../..');

/** Path of the operators in each project. */
export const programs = 'test/operator-tools/programs/operators.ts';

const kgenProgram = join(root, 'src/kgen/bin/kgen.js');

/** Output and exit status of a command. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with operators, definitions and packages. */
export interface CommandProject {
  readonly folder: string;
  readonly kgen: (...args: readonly string[]) => Ran;
  readonly start: (...args: readonly string[]) => ChildProcessByStdio<null, Readable, Readable>;
  readonly remove: () => void;
}

export function createCommandProject(): CommandProject {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-simulate-'));
  cpSync(join(root, programs), join(folder, programs));
  for (const name of ['crds', 'generated', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
  const options = { cwd: folder, env: { ...process.env, KGEN_SEED: '' } };
  return {
    folder,
    kgen: (...args) => {
      const ran = spawnSync(process.execPath, [kgenProgram, ...args], { ...options, encoding: 'utf8' });
      return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
    },
    start: (...args) =>
      spawn(process.execPath, [kgenProgram, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
