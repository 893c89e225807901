/** `kgen --check --from-cluster` after changes of the cluster. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESTClient } from '@kgen/runtime';
import { kubeconfigOf, startTestServer, type TestServer } from '@kgen/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runIn } from '../../src/kgen/cli/console.fixture.ts';
import { base, definitionOf, type Parts } from './rows.ts';

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

test('exits with 1 and lists drifts that are not breaking in JSON only', async () => {
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
  expect((await kgen('--check')).stdout).not.toContain('contract:');
});

test('exits with 4 and prints breaking drifts', async () => {
  const { level: _level, ...fields } = base.fields;
  await upgrade({ fields: { ...fields, size: { type: 'integer', minimum: 1, maximum: 5, default: 3 } } });
  const { code, stdout } = await kgen('--check');
  expect(stdout.split('\n').filter((line) => line.startsWith('contract:'))).toEqual([
    `contract: ${group}/v1 widgets spec.size: maximum was 9, is 5`,
    `contract: ${group}/v1 widgets spec.level: the field does not exist`,
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
