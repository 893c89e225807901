import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseServeArguments } from './arguments.ts';
import { serve } from './serve.ts';

/** Runs the command in a new folder with files, and returns its exit status and output. */
async function run(argv: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const parsed = parseServeArguments(argv.map((word) => word.replace('FOLDER', folder)));
  if (parsed.kind !== 'serve') throw new Error(JSON.stringify(parsed));
  let [stdout, stderr] = ['', ''];
  const status = await serve(parsed.value, {
    cwd: folder,
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    onSignal: (handle) => void setImmediate(handle),
  });
  for (const [name, content] of Object.entries(files))
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content);
  return { status, stdout, stderr: stderr.replaceAll(folder, 'FOLDER'), left: readdirSync(folder).sort() };
}

test.each([
  { argv: [], value: {} },
  {
    argv: [
      '--crds',
      'a',
      '--crds=b',
      '--objects',
      'c',
      '--namespaces',
      'd',
      '--nodes',
      '0',
      '--port',
      '6443',
    ],
    value: { crds: ['a', 'b'], objects: ['c'], namespaces: ['d'], nodes: 0, port: 6443 },
  },
  {
    argv: ['--host', '::1', '--kubeconfig', 'k', '--load', 'l', '--save', 's', '--json'],
    value: { host: '::1', kubeconfig: 'k', load: 'l', save: 's', json: true },
  },
])('reads the command line $argv', ({ argv, value }) => {
  expect(parseServeArguments(argv)).toEqual({ kind: 'serve', value });
});

test.each([
  { argv: ['--port', '0'], problem: '--port must be an integer from 1 to 65535, got 0' },
  { argv: ['--port', '65536'], problem: '--port must be an integer from 1 to 65535, got 65536' },
  { argv: ['--nodes', '5001'], problem: '--nodes must be an integer from 0 to 5000, got 5001' },
  { argv: ['--nodes', '1.5'], problem: '--nodes must be an integer from 0 to 5000, got 1.5' },
  { argv: ['--ports', '1'], problem: "Unknown option '--ports'" },
  { argv: ['extra'], problem: "Unexpected argument 'extra'" },
  { argv: ['--crds'], problem: "'--crds <value>' argument missing" },
])('refuses the command line $argv', ({ argv, problem }) => {
  expect(parseServeArguments(argv)).toEqual({ kind: 'invalid', problem: expect.stringContaining(problem) });
});

test.each([
  { argv: ['--json', '--quiet'], problem: '--json and --quiet exclude each other' },
  { argv: ['--crds', ''], problem: '--crds must not be an empty string' },
  {
    argv: ['--load', 'a', '--crds', 'b'],
    problem: '--load contains all objects, --crds would have no effect',
  },
  {
    argv: ['--load', 'a', '--nodes', '2'],
    problem: '--load contains all objects, --nodes would have no effect',
  },
])('refuses $argv with status 2', async ({ argv, problem }) => {
  const { status, stdout, stderr } = await run(argv);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(problem),
  });
});

const state = (more: object): string =>
  JSON.stringify({ kind: 'TestServerState', version: 1, kubernetes: '1.36', resourceVersion: '9', ...more });
const namespace = (metadata: object) => ({ apiVersion: 'v1', kind: 'Namespace', metadata });

test.each([
  { name: 'a file without JSON', content: 'a: b\n', problem: 'a state must be JSON: ' },
  { name: 'another kind', content: '{"kind":"List"}', problem: 'a state must have the kind TestServerState' },
  {
    name: 'a later format',
    content: state({ version: 2 }),
    problem: 'the state has version 2; this release reads version 1',
  },
  {
    name: 'a later release of Kubernetes',
    content: state({ kubernetes: '1.37' }),
    problem: 'the state is of Kubernetes 1.37; this server is of 1.36',
  },
  { name: 'no release', content: state({ kubernetes: 'x' }), problem: 'the state is of Kubernetes x' },
  {
    name: 'a resourceVersion that is not a number',
    content: state({ resourceVersion: 'x' }),
    problem: 'the state must have a resourceVersion',
  },
  {
    name: 'an object without a name',
    content: state({ objects: { namespaces: [namespace({})] } }),
    problem: 'objects["namespaces"][0] must be an object with a kind and a name',
  },
  {
    name: 'an object of the future',
    content: state({ objects: { namespaces: [namespace({ name: 'a', resourceVersion: '10' })] } }),
    problem: 'objects["namespaces"][0] has a later resourceVersion than the state',
  },
  {
    name: 'an object twice',
    content: state({
      objects: { namespaces: [1, 2].map((n) => namespace({ name: 'a', resourceVersion: `${n}` })) },
    }),
    problem: 'objects["namespaces"] has an object twice',
  },
])('refuses a state with $name', async ({ content, problem }) => {
  const { status, stderr, left } = await run(['--load', 'state.json'], { 'state.json': content });
  expect({ status, left }).toEqual({ status: 1, left: ['state.json'] });
  expect(stderr).toMatch('error: cannot load FOLDER/state.json: ');
  expect(stderr).toContain(problem);
});

test.each([
  {
    name: 'a state over another file',
    argv: ['--save', 'package.json'],
    files: { 'package.json': '{}' },
    problem: 'FOLDER/package.json is not a state that --save has written: remove it, or choose another file',
  },
  {
    name: 'a state into a missing folder',
    argv: ['--save', 'a/state.json'],
    problem: 'cannot write FOLDER/a/state.json: ENOENT',
  },
  {
    name: 'a kubeconfig over that of another program',
    argv: ['--kubeconfig', 'config'],
    files: { config: 'apiVersion: v1\nkind: Config\n' },
    problem: 'FOLDER/config is not a kubeconfig of kgen serve: choose another file for --kubeconfig',
  },
  {
    name: 'a kubeconfig over a file that is not YAML',
    argv: ['--kubeconfig', 'config'],
    files: { config: '{' },
    problem: 'FOLDER/config is not a kubeconfig of kgen serve: choose another file for --kubeconfig',
  },
  {
    name: 'a kubeconfig into a missing folder',
    argv: ['--kubeconfig', 'a/config'],
    problem: 'cannot write FOLDER/a/config: ENOENT',
  },
  {
    name: 'an address that the machine does not have',
    argv: ['--host', '192.0.2.1'],
    problem: 'cannot listen on 192.0.2.1, port 0: this machine does not have the address',
  },
  {
    name: 'invalid objects',
    argv: ['--objects', 'FOLDER/bad.yaml'],
    files: { 'bad.yaml': 'apiVersion: v1\nkind: Secrets\nmetadata: { name: a }\n' },
    problem: 'FOLDER/bad.yaml:1: ',
  },
])('does not write or serve $name', async ({ argv, files = {}, problem }) => {
  const { status, stdout, stderr, left } = await run(argv, files);
  expect({ status, stdout, left }).toEqual({ status: 1, stdout: '', left: Object.keys(files) });
  expect(stderr).toContain(`error: ${problem}`);
});

test('a state that --save has written can be loaded, without a change of its objects', async () => {
  const empty = { 'state.json': state({ objects: {} }) };
  const folder = mkdtempSync(join(tmpdir(), 'kgen-serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second] = [join(folder, 'first.json'), join(folder, 'second.json')];
  expect(await run(['--save', first, '--quiet'])).toMatchObject({ status: 0, stderr: '', left: [] });
  const loaded = await run(['--load', first, '--save', second, '--kubeconfig', 'config']);
  expect(loaded).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`\nsaved ${second}\n`),
    left: [],
  });
  const [before, after] = [first, second].map((file) => readFileSync(file, 'utf8').split('\n'));
  expect(before?.length).toBeGreaterThan(50);
  expect(after?.slice(1)).toEqual(before?.slice(1));
  expect(await run(['--load', 'state.json', '--quiet'], empty)).toMatchObject({ status: 0, stderr: '' });
});
