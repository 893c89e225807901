import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runIn } from '../../console.fixture.ts';

let cwd = '';

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-new-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cwd, { recursive: true });
});

/** Adds a package manager to the path, which writes its arguments to a file of the folder that it runs in. */
function installManager(name: string, status = 0): void {
  const folder = join(cwd, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" > arguments\nexit ${status}\n`);
  chmodSync(join(folder, name), 0o755);
  vi.stubEnv('PATH', [folder, process.env['PATH']].join(delimiter));
}

describe('kgen new', () => {
  test.each([
    ['npm', 'npx kgen dev'],
    ['pnpm', 'pnpm exec kgen dev'],
    ['yarn', 'yarn kgen dev'],
    ['bun', 'bunx kgen dev'],
  ])('makes a folder, installs with %s, and prints the next steps', async (manager, dev) => {
    installManager(manager);
    vi.stubEnv('npm_config_user_agent', `${manager}/1.0.0 node/v24.0.0`);
    const { code, stdout } = await runIn(cwd, 'new apps/my-operator --domain example.com');
    expect(code).toBe(0);
    expect(stdout).toContain(`Next:\n  1. cd ${join('apps', 'my-operator')}\n`);
    expect(stdout).toContain(`  3. ${dev}\n`);
    const read = (path: string): string => readFileSync(join(cwd, 'apps/my-operator', path), 'utf8');
    expect(read('arguments')).toBe('install\n');
    expect(JSON.parse(read('package.json'))).toHaveProperty('name', 'my-operator');
  });

  test('keeps the project if its packages cannot be installed', async () => {
    installManager('npm', 1);
    const { code, stderr } = await runIn(cwd, 'new my-operator --domain example.com --packages npm');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error: the project is complete, but npm install has failed: correct its problem, and run npm install in my-operator\n',
    });
    expect(existsSync(join(cwd, 'my-operator/src/main.ts'))).toBe(true);
  });

  test('uses an empty folder, also one of git, and installs nothing on request', async () => {
    mkdirSync(join(cwd, 'my-operator/.git'), { recursive: true });
    const line = 'new my-operator --domain example.com --packages npm --no-install';
    expect((await runIn(cwd, line)).stdout).toContain('  2. npm install\n');
  });

  test.each([
    ['new', 2, 'error: a project needs a folder: give its name, such as my-operator\n'],
    ['new op', 2, 'a project needs the domain of its API groups'],
    [
      'new full --domain example.com',
      2,
      'full: error: the folder is not empty: it contains a, b, c, …; choose another one, or run kgen init in it, which keeps its files\n',
    ],
    ['new full/a --domain example.com', 2, 'full/a: error: it is not a folder: choose another name\n'],
    ['new full/a/op --domain example.com', 2, 'full/a/op: error: '],
    ['new My_Operator --domain example.com', 1, 'beginning with a letter, such as my-operator\n'],
    ['new op --domain example', 1, 'must be a DNS name of at least two parts, such as example.com\n'],
  ])('%s is refused, and writes nothing', async (line, status, message) => {
    mkdirSync(join(cwd, 'full'));
    for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(cwd, 'full', name), '');
    const { code, stdout, stderr } = await runIn(cwd, line);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
    expect(stderr).toContain(message);
    expect(readdirSync(cwd)).toEqual(['full']);
    expect(readdirSync(join(cwd, 'full'))).toHaveLength(4);
  });
});

// File systems of the kernel on which no account creates anything.
test.each([
  [
    '/sys',
    'init op --domain example.com',
    /: error: .*(denied|read-only).*run the command in another folder\n$/,
  ],
  [
    '/proc',
    'init op --domain example.com',
    /: error: .*cannot be created here: run the command in another folder\n$/,
  ],
  [
    '/sys',
    'new op --domain example.com',
    /: error: .*(denied|read-only).*run the command in another folder\n$/,
  ],
])('in %s, kgen %s is refused', async (folder, line, message) => {
  const { code, stdout, stderr } = await runIn(folder, line);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
});

test.each([
  ['api', /error: kgen must write here and finds/],
  ['test', /error: kgen must write here and finds/],
])('create api changes nothing while %s is a file', async (path, message) => {
  await runIn(cwd, 'init my-operator --domain example.com');
  writeFileSync(join(cwd, path), 'mine');
  const files = (): readonly string[] =>
    readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && !each.parentPath.includes('.git'))
      .map((each) => `${join(each.parentPath, each.name)} ${readFileSync(join(each.parentPath, each.name))}`);
  const before = files();
  const { code, stderr } = await runIn(cwd, 'create api --group shop --version v1 --kind Foo');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
  expect(files()).toEqual(before);
});

test.each([
  ['--group My_Group --version v1 --kind Foo', 'group "My_Group" must', 'such as my-group'],
  ['--group shop --version 1 --kind Foo', 'version "1" must', 'such as v1'],
  ['--group shop --version V1-Beta1 --kind Foo', 'version "V1-Beta1" must', 'such as v1beta1'],
  ['--group shop --version v1 --kind redis-cluster', 'kind "redis-cluster" must', 'such as RedisCluster'],
  ['--group shop --version v1 --kind Foo --plural Foo-s', 'plural "Foo-s" must', 'such as foos'],
  ['--group shop --version first --kind Foo', 'version "first" must', 'v1alpha1\n'],
])('create api %s proposes a valid name', async (options, what, proposal) => {
  await runIn(cwd, 'init my-operator --domain example.com');
  const { code, stderr } = await runIn(cwd, `create api ${options}`);
  expect(code).toBe(1);
  expect(stderr).toContain(what);
  expect(stderr).toContain(proposal);
});
