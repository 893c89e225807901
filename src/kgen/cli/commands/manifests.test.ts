/** The command line of `kgen manifests --against`. */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn } from '../console.fixture.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'kgen-against-'));

function declare(maximum: number): void {
  writeFileSync(
    join(folder, 'api/store.ts'),
    `import { api, version, type CustomResource, type Int32 } from 'kgen/api';
export interface StoreSpec {
  /** @maximum ${maximum} */
  size?: Int32;
}
export interface Store extends CustomResource<StoreSpec> {}
export default api({ group: 'example.com', kind: 'Store', versions: { v1: version<Store>()({ storage: true }) } });
`,
  );
}

function git(...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

beforeAll(async () => {
  mkdirSync(join(folder, 'api'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  declare(9);
  const { code, stderr } = await runIn(folder, 'manifests');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  git('init', '--initial-branch', 'main');
  git('add', 'config');
  git('commit', '--message', 'first');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('reports changes with their lines, and has the exit status of breaking ones', async () => {
  declare(9);
  expect(await runIn(folder, 'manifests --against HEAD')).toEqual({
    ...{ code: 0, stderr: '', stdout: 'config is up to date\n' },
  });
  declare(5);
  await runIn(folder, 'manifests');
  const { code, stdout, stderr } = await runIn(folder, 'manifests --against HEAD');
  expect({ code, stderr }).toEqual({ code: 4, stderr: '' });
  expect(stdout).toMatch(
    /^breaking: api\/store\.ts:\d+:\d+: stores\.example\.com v1 \.spec\.size: maximum lowered, was 9, is 5$/m,
  );
  const json = JSON.parse((await runIn(folder, 'manifests --against HEAD --json')).stdout);
  expect(json).toMatchObject({
    ok: false,
    changes: [{ rule: 'maximum-lowered', before: 9, after: 5 }],
    stored: [],
  });
});

test('refuses a value that is not a commit, and a dry run', async () => {
  const refused = await runIn(folder, 'manifests --against absent');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain('"absent" is neither a file nor a commit of this repository');
  expect((await runIn(folder, 'manifests --against HEAD --dry-run')).code).toBe(2);
});

test('--check fails for a request without a rule, a rule without a request, and a definition that differs', async () => {
  declare(9);
  const role = join(folder, 'config/rbac/role.yaml');
  const program = (...lines: readonly string[]): void => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    const clients = `import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';
const { coreV1 } = new Clientset(await loadConfig());
`;
    writeFileSync(join(folder, 'src/main.ts'), `${clients}${lines.join('\n')}\n`);
  };
  const [get, list] = [`await coreV1.pods('shop').get('web');`, `await coreV1.secrets('shop').list();`];
  const options = '--name stores';
  program(get);
  expect(await runIn(folder, `manifests ${options}`)).toMatchObject({ code: 0, stderr: '' });
  const check = async () => {
    const { code, stdout, stderr } = await runIn(folder, `manifests --check ${options}`);
    return {
      code,
      stdout: stdout.trim(),
      files: [...stderr.matchAll(/^(\S+): error: the file differs/gm)].map(([, file]) => file),
    };
  };
  const outdated = { code: 1, stdout: 'config is not up to date, or has errors' };
  const present = { code: 0, stdout: 'config is up to date', files: [] };
  expect(await check()).toEqual(present);
  program(get, list);
  expect(await check()).toEqual({ ...outdated, files: ['config/rbac/role.yaml'] });
  program(get);
  const rules = readFileSync(role, 'utf8');
  writeFileSync(role, rules.replace('verbs: [get]', 'verbs: [delete, get]'));
  expect(await check()).toEqual({ ...outdated, files: ['config/rbac/role.yaml'] });
  writeFileSync(role, rules);
  expect(await check()).toEqual(present);
  declare(5);
  expect(await check()).toEqual({ ...outdated, files: ['config/crd/example.com_stores.yaml'] });
  declare(9);
  rmSync(join(folder, 'src'), { recursive: true });
}, 60_000);

test('writes and removes nothing if the configuration is invalid', async () => {
  declare(9);
  const path = join(folder, 'kgen.config.yaml');
  const files = (): readonly string[] =>
    readdirSync(join(folder, 'config'), { recursive: true, encoding: 'utf8' }).sort();
  writeFileSync(path, 'deployment: {}\n');
  expect(await runIn(folder, 'manifests --name shop')).toMatchObject({ code: 0, stderr: '' });
  const written = files();
  expect(written).toContain('manager/manager.yaml');
  writeFileSync(path, 'deployment: {}\nunknown: 1\n');
  const { code, stdout, stderr } = await runIn(folder, 'manifests --name shop');
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: 'config: nothing was written, because of the errors\n',
  });
  expect(stderr).toContain('unknown');
  expect(files()).toEqual(written);
  rmSync(path);
});

test('refuses options of a comparison without one', async () => {
  const { code, stderr } = await runIn(folder, 'manifests --context prod');
  expect(code).toBe(2);
  expect(stderr).toContain('--context is an option of kgen manifests --against cluster');
});
