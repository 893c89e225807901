import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { crdText } from '../../input/reading.fixture.ts';
import { runIn } from '../console.fixture.ts';
import { runnableFormat } from './init-client.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-init-'));
  put('package.json', '{"type": "module"}');
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
}

test.each(['js', 'json', 'yaml'])(
  'creates a configuration file with init --format %s that a run accepts',
  async (format) => {
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
  },
);

test('chooses a default format that this version of Node.js runs', async () => {
  expect(await runIn(cwd, 'init --client')).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cwd)).toContain(`kgen.config.${runnableFormat()}`);
  mkdirSync(join(cwd, 'crds'));
  put('crds/good.yaml', crdText('Good'));
  expect(await runIn(cwd, '')).toMatchObject({ code: 0 });
});

test.each([
  [{ typescript: 'strip' }, 'ts'],
  [{ typescript: false }, 'js'],
  [{}, 'js'],
])('with the features %j chooses the format %s', (features, want) => {
  expect(runnableFormat(features)).toBe(want);
});

test('does not replace an existing file without --force', async () => {
  put('kgen.config.yaml', 'mine');
  expect(await runIn(cwd, 'init --format yaml')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'kgen.config.yaml: error: the file already exists: edit it, or replace it with --force\n',
  });
  expect(readFileSync(join(cwd, 'kgen.config.yaml'), 'utf8')).toBe('mine');
  expect(await runIn(cwd, 'init --format yaml --force')).toMatchObject({ code: 0 });
  expect(readFileSync(join(cwd, 'kgen.config.yaml'), 'utf8')).toContain('input:');
});

test('does not replace a file of another format without --force', async () => {
  put('kgen.config.yaml', 'mine');
  expect(await runIn(cwd, 'init --format js')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'error: kgen.config.yaml already exists, and kgen reads one configuration file: edit it, or replace it with --force\n',
  });
  expect(readdirSync(cwd).sort()).toEqual(['kgen.config.yaml', 'package.json']);
  expect(await runIn(cwd, 'init --format js --force')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kgen\.config\.js is written, in place of kgen\.config\.yaml\. Next:/),
  });
  expect(readdirSync(cwd).sort()).toEqual(['kgen.config.js', 'package.json']);
});

test('reports a folder at the path of the file', async () => {
  mkdirSync(join(cwd, 'kgen.config.ts'));
  put('kgen.config.yaml', 'mine');
  expect(await runIn(cwd, 'init --format ts --force')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'kgen.config.ts: error: the file cannot be written (EISDIR): check the path and the permissions of the folder\n',
  });
  expect(readFileSync(join(cwd, 'kgen.config.yaml'), 'utf8')).toBe('mine');
});

test.each(['--dry-run', '--domain example.com', 'name'])(
  'refuses %s, which is that of a project, with --client',
  async (argument) => {
    expect(await runIn(cwd, `init --client ${argument}`)).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync(cwd)).toEqual(['package.json']);
  },
);
