/** `kgen --check --from-cluster` after changes of the cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { kubeconfigOf, startTestServer, type TestServer } from '@kgen/testserver';
import type { Drift } from 'kgen/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { base, definitionOf, type Parts, rows } from './rows.ts';

const group = 'command.contracts.example.com';
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const folder = mkdtempSync(join(tmpdir(), 'kgen-contract-'));
let server: TestServer;
let rest: RESTClient;

beforeAll(async () => {
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache');
  server = await startTestServer({ controllers: false });
  rest = new RESTClient(server.config);
  writeFileSync(join(folder, 'kubeconfig'), kubeconfigOf(server.config));
  await rest.post(path, { body: definitionOf(group, base) });
  expect(await kgen('')).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await rest.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

function kgen(options: string): ReturnType<typeof runIn> {
  const input = `--from-cluster --kubeconfig kubeconfig --include *.contracts.example.com,apps/v1`;
  return runIn(folder, `${input} --out generated ${options}`);
}

/** Replaces the definition, as an upgrade of its operator does. */
async function upgrade(change: Partial<Parts>): Promise<void> {
  const name = `widgets.${group}`;
  const { spec } = definitionOf(group, { ...base, ...change });
  await rest.patch(`${path}/${name}`, { body: { spec }, contentType: 'application/merge-patch+json' });
}

test('exits with 0 if the cluster serves what the output was generated from', async () => {
  const { code, stdout } = await kgen('--check --json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, drifts: [] });
  expect(code).toBe(0);
});

test('exits with 1 and lists no drifts for additions', async () => {
  await upgrade({ fields: { ...base.fields, color: { type: 'string' } } });
  const { code, stdout } = await kgen('--check --json');
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, drifts: [] });
  expect(code).toBe(1);
});

test('exits with 1 and lists drifts that are not breaking as notes, and no change of types as breaking', async () => {
  await upgrade({ fields: { ...base.fields, mode: { type: 'string', enum: ['A', 'B', 'C', 'D'] } } });
  const { code, stdout } = await kgen('--check --json');
  expect(JSON.parse(stdout)).toMatchObject({
    drifts: [
      {
        resource: `${group}/v1 widgets`,
        path: 'spec.mode',
        kind: 'enum-widened',
        breaking: false,
        message: 'new values: "D"',
      },
    ],
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).typeChanges.filter((change: { breaking: boolean }) => change.breaking)).toEqual(
    [],
  );
  const text = (await kgen('--check')).stdout;
  expect(text).toContain(`note: ${group}/v1 widgets spec.mode: new values: "D"\n`);
  expect(text).not.toMatch(/^(?:breaking|contract):/m);
});

test('exits with 4 and prints breaking drifts', async () => {
  const { level: _level, ...fields } = base.fields;
  await upgrade({ fields: { ...fields, size: { type: 'integer', minimum: 1, maximum: 5, default: 3 } } });
  const { code, stdout } = await kgen('--check');
  expect(stdout.split('\n').filter((line) => line.startsWith('contract:'))).toEqual([
    `contract: ${group}/v1 widgets spec.level: the field does not exist`,
    `contract: ${group}/v1 widgets spec.size: maximum was 9, is 5`,
  ]);
  expect(code).toBe(4);
});

test('reports resources that the cluster lacks, but not those that are no longer selected', async () => {
  await upgrade({ served: false });
  const { code, stdout } = await kgen('--check --json --exclude apps/v1');
  expect(JSON.parse(stdout).drifts).toMatchObject([
    { resource: `${group}/v1 widgets`, kind: 'version-missing', breaking: true },
  ]);
  expect(code).toBe(4);
});

test('exits with 4 and names each kind if the cluster serves none of the selected ones', async () => {
  await rest.delete(`${path}/widgets.${group}`);
  const { code, stdout, stderr } = await kgen(`--check --exclude apps/v1`);
  expect(stdout.split('\n').filter((line) => line.startsWith('contract:'))).toEqual([
    `contract: ${group}/v1 widgets: the kind is not served`,
    `contract: ${group}/v2 widgets: the kind is not served`,
  ]);
  expect(stderr).toContain('the cluster serves none of the selected kinds');
  expect(stderr).not.toMatch(/matches nothing|correct them/);
  expect(code).toBe(4);
});

test('reports patterns of kinds that neither the cluster nor the folder has', async () => {
  const { code, stderr } = await kgen(`--check --include nobody.example.com --exclude apps/v1`);
  expect(stderr).toContain('--include "nobody.example.com" matches nothing in the input');
  expect(stderr).not.toContain('*.contracts.example.com');
  expect(code).toBe(4);
});

test.each([
  ['refuses connections', 'https://127.0.0.1:1'],
  ['has an unknown name', 'https://cluster.invalid'],
])('reports only that a server %s', async (_, address) => {
  writeFileSync(join(folder, 'unreachable'), kubeconfigOf({ ...server.config, server: address }));
  const line =
    '--from-cluster --kubeconfig unreachable --include a.example.com --group-alias a.example.com=a';
  const { code, stderr } = await runIn(folder, `${line} --out generated --check`);
  expect(stderr).toMatch(/^error: [^\n]+\n$/);
  expect(code).toBe(1);
});

test('judges every change as contract tests do, in the text, the JSON and the exit status', async () => {
  const groupOf = (index: number): string => `c${index}.changes.example.com`;
  const definitions = `--from-cluster --kubeconfig kubeconfig --include *.changes.example.com --out changes`;
  const remove = (index: number): Promise<unknown> => rest.delete(`${path}/widgets.${groupOf(index)}`);
  for (const index of rows.keys()) await rest.post(path, { body: definitionOf(groupOf(index), base) });
  expect(await runIn(folder, definitions)).toMatchObject({ code: 0 });
  for (const [index, { change }] of rows.entries()) {
    await remove(index);
    if (change === undefined) continue;
    await rest.post(path, { body: definitionOf(groupOf(index), { ...base, ...change(base) }) });
  }
  const { code, stdout } = await runIn(folder, `${definitions} --check --json`);
  const { drifts, typeChanges } = JSON.parse(stdout);
  expect(code).toBe(4);
  const lines = (await runIn(folder, `${definitions} --check`)).stdout;
  expect(lines).toContain('breaking: c4.changes.example.com/v1');
  for (const [index, { title, drifts: expected }] of rows.entries()) {
    const isOf = (text: string): boolean => text.startsWith(`${groupOf(index)}/v1`);
    const summaries = drifts
      .filter(({ resource }: Drift) => isOf(resource))
      .map(({ breaking, kind, path: at, since }: Drift) =>
        [breaking ? 'breaking' : 'note', kind, at, ...(since === undefined ? [] : [since])].join(' '),
      );
    expect(summaries.sort(), title).toEqual([...expected].sort());
    if (expected.some((drift) => drift.startsWith('breaking'))) continue;
    const broken = typeChanges.filter(
      (change: { module: string; breaking: boolean }) => change.breaking && isOf(change.module),
    );
    expect(broken, title).toEqual([]);
  }
});
