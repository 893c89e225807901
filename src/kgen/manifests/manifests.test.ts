import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { moduleOf, projectWith } from './declared.fixture.ts';
import { type ManifestsOptions, type ManifestsResult, manifests as run } from './manifests.ts';

/** Without results of earlier tests. */
function manifests(options: ManifestsOptions & { readonly cwd: string }): Promise<ManifestsResult> {
  return run({ ...options, cacheFolder: join(options.cwd, 'cache') });
}

const program = `import { type ClusterConfig, resource, RESTClient } from '@kgen/runtime';
import { secrets } from '@kgen/kubernetes/core/v1';

export async function run(config: ClusterConfig): Promise<void> {
  await resource(new RESTClient(config), secrets).in('shop').get('token');
}
`;

const api = `import { api, type CustomResource, version } from 'kgen/api';\n${moduleOf('name: string')}`;

test('definitions and permissions are written, and are then up to date', async () => {
  const cwd = projectWith({
    'package.json': '{"name":"@shop/thing-operator"}',
    'api/thing.ts': api,
    'src/main.ts': program,
  });
  const written = await manifests({ cwd });
  expect(written.problems).toEqual([]);
  expect(written.changes.create.map(({ path }) => path)).toEqual([
    'crd/example.com_things.yaml',
    'kgen.lock.json',
    'rbac/account.yaml',
    'rbac/people-thing.example.com.yaml',
    'rbac/role-binding.yaml',
    'rbac/role.yaml',
  ]);
  expect(readFileSync(join(cwd, 'config/rbac/role.yaml'), 'utf8')).toContain('resourceNames: [token]');
  expect(readFileSync(join(cwd, 'config/rbac/account.yaml'), 'utf8')).toContain('name: thing-operator');
  expect(await manifests({ cwd, mode: 'check' })).toMatchObject({ ok: true, problems: [] });
});

test('a program that has moved needs no other files, one with other requests does', async () => {
  const cwd = projectWith({ 'api/thing.ts': api, 'src/main.ts': program });
  await manifests({ cwd, name: 'things' });
  writeFileSync(join(cwd, 'src/main.ts'), `// A comment.\n${program}`);
  expect(await manifests({ cwd, name: 'things', mode: 'check' })).toMatchObject({ ok: true });
  writeFileSync(join(cwd, 'src/main.ts'), program.replace('.get(', '.delete('));
  const { ok, problems } = await manifests({ cwd, name: 'things', mode: 'check' });
  expect(ok).toBe(false);
  expect(problems.map(formatProblem)).toEqual([
    'config/rbac/role.yaml: error: the file differs from the output of kgen (+2 -2 lines)',
  ]);
});

test('nothing is written if a part has an error', async () => {
  const cwd = projectWith({
    'api/thing.ts': api.replace('name: string', 'name: number'),
    'src/main.ts': program,
  });
  const { ok, changes, problems } = await manifests({ cwd, name: 'Not a name' });
  expect(ok).toBe(false);
  expect(changes.unchanged).toEqual([]);
  expect(problems.map(({ what }) => what)).toEqual([
    expect.stringContaining('spec.name is a number'),
    '"Not a name" is not a name of Kubernetes: name the operator with --name',
  ]);
  expect(() => readFileSync(join(cwd, 'config/kgen.lock.json'))).toThrow('ENOENT');
});

test('files of others are kept, and written files without a module are removed', async () => {
  const cwd = projectWith({ 'api/thing.ts': api, 'config/crd/mine.yaml': 'a: 1\n' });
  await manifests({ cwd });
  writeFileSync(join(cwd, 'api/thing.ts'), api.replace("kind: 'Thing'", "kind: 'Gadget'"));
  const { changes } = await manifests({ cwd });
  expect(changes.remove.map(({ path }) => path)).toEqual(['crd/example.com_things.yaml']);
  expect(readFileSync(join(cwd, 'config/crd/mine.yaml'), 'utf8')).toBe('a: 1\n');
});

test('the default folder must exist, unless there is a program', async () => {
  const empty = await manifests({ cwd: projectWith({}) });
  expect(empty.problems.map(formatProblem)).toEqual(['api: error: file or folder not found: check the path']);
  const cwd = projectWith({ 'src/main.ts': program });
  expect(await manifests({ cwd, name: 'reader' })).toMatchObject({ ok: true, problems: [] });
});

test('a conversion is behind a service, or at an address', async () => {
  const conversions = [
    [
      "{ service: { name: 'a', namespace: 'b' } }",
      { service: { path: '/convert', name: 'a', namespace: 'b' } },
    ],
    ["{ url: 'https://x.example/convert' }", { url: 'https://x.example/convert' }],
  ] as const;
  for (const [text, clientConfig] of conversions) {
    const cwd = projectWith({
      'api/thing.ts': api.replace("kind: 'Thing'", `kind: 'Thing', conversion: ${text}`),
    });
    const { problems, apis } = await manifests({ cwd });
    expect(problems.map(formatProblem)).toEqual([]);
    expect(apis[0]?.value).toMatchObject({
      spec: {
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
      },
    });
  }
  const cwd = projectWith({
    'api/thing.ts': api.replace(
      "kind: 'Thing'",
      "kind: 'Thing',\nconversion: { url: 'https://x.example/?a=1' }",
    ),
  });
  const { problems } = await manifests({ cwd });
  expect(problems.map(formatProblem)).toEqual([
    expect.stringMatching(/^api\/thing\.ts:8:\d+: error: .*query parameters are not permitted in the URL$/),
  ]);
});
