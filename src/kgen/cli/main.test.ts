/** Tests of the built command as a process: signals and closed streams. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';
import { moduleOf } from '../manifests/declared.fixture.ts';

const bin = fileURLToPath(new URL('../bin/kgen.js', import.meta.url));

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-main-'));
  writeFileSync(join(cwd, 'good.yaml'), crdText('Good'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { cwd, stdio: 'pipe' });
}

/** Writes more than a pipe can buffer: once it is written, kgen has started to read. */
function feed({ stdin }: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => stdin?.write('#'.repeat(1 << 20), resolve));
}

test.each([
  { signal: 'SIGINT', want: 130 },
  { signal: 'SIGTERM', want: 143 },
] as const)('terminates with $want on $signal and writes nothing', async ({ signal, want }) => {
  const child = start('good.yaml', '-');
  const exit = once(child, 'exit');
  await feed(child);
  child.kill(signal);
  expect(await exit).toEqual([want, null]);
  expect(readdirSync(cwd)).toEqual(['good.yaml']);
});

test('Node.js does not warn of FORCE_COLOR with NO_COLOR', async () => {
  const env = { ...process.env, FORCE_COLOR: '1', NO_COLOR: '1' };
  const child = spawn(process.execPath, [bin, 'missing.yaml'], { cwd, env, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, 'close');
  expect(stderr).toContain('\u001b[31merror');
  expect(stderr).not.toContain('NO_COLOR');
});

test.each(['stdout', 'stderr'] as const)('ignores a closed reader of %s', async (name) => {
  const child = start('good.yaml', '--group-alias', 'other=x');
  child[name]?.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readdirSync(join(cwd, 'generated'))).toContain('index.ts');
});

test('rejects a folder as standard input', async () => {
  const folder = openSync(cwd, 'r');
  const child = spawn(process.execPath, [bin, '-'], { cwd, stdio: [folder, 'ignore', 'pipe'] });
  const [[code], reported] = await Promise.all([once(child, 'exit'), child.stderr?.toArray()]);
  closeSync(folder);
  expect(code).toBe(1);
  expect(String(reported)).toBe('<stdin>: error: this is a folder and not a file: give a file\n');
});

test('reports a configuration file that awaits a promise that never settles', async () => {
  writeFileSync(join(cwd, 'kgen.config.mjs'), 'await new Promise(() => {});');
  const child = start('good.yaml', '--config', 'kgen.config.mjs');
  const [[code], reported] = await Promise.all([once(child, 'exit'), child.stderr?.toArray()]);
  expect(code).toBe(2);
  expect(String(reported)).toContain('awaits a promise that never settles');
});

describe('a signal while many files are generated', () => {
  const files = 400;

  function crds(): void {
    mkdirSync(join(cwd, 'in'));
    for (let index = 0; index < files; index += 1) {
      const text = crdText('Many').replaceAll('my.domain', `g${index}.my.domain`);
      writeFileSync(join(cwd, 'in', `${index}.yaml`), text);
    }
  }

  /** Returns the files below the output folder with their content. */
  function content(): readonly string[] {
    const out = join(cwd, 'out');
    if (!existsSync(out)) return [];
    return readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => `${path}\n${readFileSync(path, 'utf8')}`)
      .sort();
  }

  /** Resolves when the staging folder has files, or when the process has ended. */
  function staged(child: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        const out = join(cwd, 'out');
        const isStaged =
          existsSync(out) && readdirSync(out).some((name) => name.startsWith('.kgen-staging-'));
        if (isStaged || child.exitCode !== null) resolve();
        else setImmediate(look);
      };
      look();
    });
  }

  test.each([
    ['a new folder', false],
    ['a folder with other files', true],
  ])('ends it with 130 and leaves %s as before', async (_, isOld) => {
    crds();
    if (isOld) {
      const first = start('in', '--out', 'out', '--no-docs');
      expect(await once(first, 'exit')).toEqual([0, null]);
      writeFileSync(join(cwd, 'out', 'own.txt'), 'own');
    }
    const before = content();
    for (const wait of [staged, (child: ChildProcess) => once(child, 'spawn').then(() => feed(child))]) {
      const isFed = wait !== staged;
      const child = start('in', ...(isFed ? ['-'] : []), '--out', 'out');
      const exit = once(child, 'exit');
      await wait(child);
      child.kill('SIGINT');
      expect(await exit).toEqual([130, null]);
      expect(content()).toEqual(before);
      expect(existsSync(join(cwd, 'out'))).toBe(isOld);
    }
  });
});

test('a watch of modules ends on SIGINT, with the files of its last run', async () => {
  symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(cwd, 'node_modules'));
  mkdirSync(join(cwd, 'api'));
  const path = join(cwd, 'api/thing.ts');
  const text = `import { api, type CustomResource, version } from 'kgen/api';
${moduleOf('name: string;')}`;
  writeFileSync(path, text);
  const child = start('manifests', '--watch');
  const exit = once(child, 'exit');
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += String(chunk);
  });
  await expect.poll(() => output.stdout).toBe('config: 2 new, 0 changed, 0 removed, 0 unchanged\n');
  writeFileSync(path, text.replace('name: string', 'name: number'));
  await expect.poll(() => output.stderr).toMatch(/^api\/thing\.ts:3:1: error: spec\.name is a number/);
  writeFileSync(path, text.replace('name: string', 'title: string'));
  await expect.poll(() => output.stdout).toContain('0 new, 1 changed, 0 removed, 1 unchanged\n');
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  expect(readFileSync(join(cwd, 'config/crd/example.com_things.yaml'), 'utf8')).toContain('title:');
  expect(output.stderr.match(/\n/g)).toHaveLength(1);
});
