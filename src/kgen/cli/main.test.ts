/** Tests of the built command as a process: signals and closed streams. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';

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

test.each(['stdout', 'stderr'] as const)('ignores a closed reader of %s', async (name) => {
  const child = start('good.yaml', '--group-alias', 'other=x');
  child[name]?.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(readdirSync(join(cwd, 'generated'))).toContain('index.ts');
});

test('rejects a folder as standard input', async () => {
  const folder = openSync(cwd, 'r');
  const child = spawn(process.execPath, [bin, '-'], { cwd, stdio: [folder, 'ignore', 'pipe'] });
  const [[code], told] = await Promise.all([once(child, 'exit'), child.stderr?.toArray()]);
  closeSync(folder);
  expect(code).toBe(1);
  expect(String(told)).toBe('<stdin>: error: this is a folder and not a file: give a file\n');
});

test('reports a configuration file that awaits a promise that never settles', async () => {
  writeFileSync(join(cwd, 'kgen.config.mjs'), 'await new Promise(() => {});');
  const child = start('good.yaml', '--config', 'kgen.config.mjs');
  const [[code], told] = await Promise.all([once(child, 'exit'), child.stderr?.toArray()]);
  expect(code).toBe(2);
  expect(String(told)).toContain('awaits a promise that never settles');
});
