/** Exec plugins for tests: small scripts in a folder of their own. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ClusterConfig, ExecConfig } from '../../config/types.ts';
import { credentialsOf } from '../credentials.ts';
import type { AuthEnvironment } from '../environment.ts';

let folder = '';

/** Makes the folder of the plugins before the tests of a file, and removes it after them. */
export function usePluginFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kgen-exec-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
}

/** Returns a path in the folder of the plugins. */
export function pathOf(name: string): string {
  if (folder === '') throw new Error('call usePluginFolder() at the top of the test file');
  return join(folder, name);
}

export const apiVersion = 'client.authentication.k8s.io/v1';

/** Beginning of the plugins of these tests: records the run, and defines functions for responses. */
const prelude = `
import { appendFileSync, existsSync, fstatSync, readFileSync, writeFileSync } from 'node:fs';
const home = import.meta.dirname + '/' + process.argv[2];
appendFileSync(home + '.runs', process.pid + '\\n');
const run = readFileSync(home + '.runs', 'utf8').trim().split('\\n').length;
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const answer = (status) => console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status }));
`;

/** A plugin and its recorded runs. */
export interface Plugin {
  readonly exec: ExecConfig;
  /** Returns the process ids of its runs so far. */
  readonly runs: () => Promise<readonly number[]>;
  readonly file: (ending: string) => string;
}

/** Creates a plugin that runs a script. */
export async function plugin(script: string, more: Partial<ExecConfig> = {}): Promise<Plugin> {
  const id = randomUUID();
  const path = pathOf(`${id}.mjs`);
  await writeFile(path, `${prelude}${script}`);
  const exec: ExecConfig = {
    apiVersion,
    command: process.execPath,
    interactiveMode: 'Never',
    ...more,
    args: [path, id, ...(more.args ?? [])],
  };
  const file = (ending: string): string => pathOf(`${id}.${ending}`);
  const runs = async (): Promise<readonly number[]> => {
    const text = await readFile(file('runs'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  };
  return { exec, runs, file };
}

/** Configuration and environment of a plugin. */
export interface Setup {
  readonly config?: Partial<ClusterConfig>;
  readonly environment?: Partial<AuthEnvironment>;
}

/** Returns the source of a plugin, and the output that it has shown to its user. */
export function sourceOf(exec: ExecConfig, { config, environment }: Setup = {}) {
  const shown: string[] = [];
  const source = credentialsOf(
    { server: 'https://a', ...config, auth: { exec } },
    { show: (chunk) => shown.push(Buffer.from(chunk).toString()), isTerminal: () => false, ...environment },
  );
  if (source === undefined) throw new TypeError('no credentials');
  return { source, shown };
}

/** A zombie process, whose exit status has not been read after its parent ended, is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
