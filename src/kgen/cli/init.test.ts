import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';
import { runIn } from './console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-init-'));
  put('package.json', '{"type": "module"}');
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
}

test.each(['js', 'json', 'yaml'])('init --format %s, then a run', async (format) => {
  const name = `kgen.config.${format}`;
  expect(await runIn(cwd, `init --format ${format}`)).toEqual({
    code: 0,
    stdout: expect.stringMatching(`^${name} is written\\. Next:\\n  1\\. set \`input\``),
    stderr: '',
  });
  mkdirSync(join(cwd, 'crds'));
  put('crds/good.yaml', crdText('Good'));
  expect(await runIn(cwd, '')).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(join(cwd, 'generated'))).toContain('index.ts');
});

test('kgen.config.ts is what is written when nothing is said', async () => {
  expect(await runIn(cwd, 'init')).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'kgen.config.ts'), 'utf8')).toContain("import type { Config } from 'kgen';");
});

test('a file that is there stays, without --force', async () => {
  put('kgen.config.yaml', 'mine');
  expect(await runIn(cwd, 'init --format yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'kgen.config.yaml: error: the file is there already: edit it, or replace it with --force\n',
  });
  expect(readFileSync(join(cwd, 'kgen.config.yaml'), 'utf8')).toBe('mine');
  expect(await runIn(cwd, 'init --format yaml --force')).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'kgen.config.yaml'), 'utf8')).toContain('input:');
});

test.each(['init', 'init --force'])('a file of another format stays alone: %s', async (line) => {
  put('kgen.config.yaml', 'mine');
  expect(await runIn(cwd, line)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'error: there is a configuration file already, and kgen reads one: edit or remove kgen.config.yaml\n',
  });
  expect(readdirSync(cwd).sort()).toEqual(['kgen.config.yaml', 'package.json']);
});

test('a folder in the way', async () => {
  mkdirSync(join(cwd, 'kgen.config.ts'));
  expect(await runIn(cwd, 'init --force')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'kgen.config.ts: error: the file cannot be written (EISDIR): check what stands there, and the rights of the folder\n',
  });
});
