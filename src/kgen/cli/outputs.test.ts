import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { crdText } from '../input/reading.fixture.ts';
import { coloured } from './colors.ts';
import { runIn } from './console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-outputs-'));
  put('good.yaml', crdText('Good'));
  put('bad.yaml', 'a: [\n');
  configure({ outputs: [{ out: 'a' }, { out: 'b', emit: 'js' }] });
});

afterEach(() => rmSync(cwd, { recursive: true }));

function put(name: string, text: string): void {
  writeFileSync(join(cwd, name), text);
}

function configure(config: object): void {
  put('kgen.config.json', JSON.stringify({ input: 'good.yaml', ...config }));
}

test('writes and reports each output', async () => {
  expect(await runIn(cwd, '')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^output a\n1 source read.*\na: \d+ new.*\noutput b\n1 source read.*\nb: \d+ new.*\n$/,
    ),
    stderr: '',
  });
  expect(readdirSync(join(cwd, 'a'))).toContain('index.ts');
  expect(readdirSync(join(cwd, 'b'))).toContain('index.d.ts');
});

test('separates tables and names the output in progress on a terminal', async () => {
  const { stdout, stderr } = await runIn(cwd, '', { isTerminal: true, paint: coloured });
  expect(stdout.match(/^group {6}version {2}kinds$/gm)).toBeNull();
  expect(stdout.split('\u001b[1mgroup      version  kinds\u001b[0m\n')).toHaveLength(3);
  expect(stdout).toMatch(/unchanged\n\n/);
  expect(stderr).toMatch(/\ra: reading ….*\rb: reading …/s);
});

test('generates only the output of --out', async () => {
  expect(await runIn(cwd, '--out ./b')).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, 'a'))).toBe(false);
});

test('returns the worst exit status, and an error affects only its own output', async () => {
  configure({ outputs: [{ out: 'a', input: 'bad.yaml' }, { out: 'b' }] });
  const { code, stdout, stderr } = await runIn(cwd, '');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^output a\nbad\.yaml:2:1: error: .*\n$/),
  });
  expect(stdout).toContain('a: nothing was written, because of the errors');
  expect(existsSync(join(cwd, 'b'))).toBe(true);
});

test('prints one object with outputs for --json, also with --out', async () => {
  const one = (out: string, ok: boolean): unknown =>
    expect.objectContaining({ ok, out, mode: 'check', durationMs: 0 });
  await runIn(cwd, '--out a');
  const { code, stdout } = await runIn(cwd, '--json --check');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    ok: false,
    outputs: [one('a', true), one('b', false)],
    durationMs: 0,
  });
  expect(JSON.parse((await runIn(cwd, '--json --check --out a')).stdout)).toEqual({
    ok: true,
    outputs: [one('a', true)],
    durationMs: 0,
  });
});

test.each([
  ['--out c', /--out "c" is not the folder of an output/],
  ['good.yaml', /choose one of them with --out/],
  ['--context c', /output "a": --context requires --from-cluster/],
])('returns exit status 2 for %s and writes nothing', async (line, want) => {
  expect(await runIn(cwd, line)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(want) });
  expect(readdirSync(cwd).sort()).toEqual(['bad.yaml', 'good.yaml', 'kgen.config.json']);
});

test('replaces the cluster of the configuration file by input of the command line', async () => {
  put('kgen.config.json', '{"fromCluster": true, "context": "nowhere", "paths": true, "out": "a"}');
  expect(await runIn(cwd, 'good.yaml')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(cwd, 'a/index.ts'), 'utf8')).toContain('my.domain');
});
