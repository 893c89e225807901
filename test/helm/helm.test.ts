/** Helm with a chart that has a definition, a hook and workloads, on the server in memory. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Clientset } from '@kgen/kubernetes';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, test } from 'vitest';

const chart = join(import.meta.dirname, 'chart');

let folder = '';
let tools = '';
let server: TestServer;
let clientset: Clientset;

beforeAll(async () => {
  const script = join(import.meta.dirname, '../deployment/tools.mjs');
  tools = execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim();
  folder = mkdtempSync(join(tmpdir(), 'kgen-helm-'));
  server = await startTestServer();
  writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig, { mode: 0o600 });
  clientset = new Clientset(server.config);
}, 300_000);
afterAll(async () => {
  await clientset.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs helm in the namespace `shop`, and returns its status and output. The server is in this process. */
async function helm(line: string): Promise<{ readonly status: number | null; readonly output: string }> {
  const homes = Object.fromEntries(['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, folder]));
  const child = spawn(join(tools, 'helm'), [...line.split(' '), '--namespace', 'shop'], {
    env: { ...process.env, ...homes, KUBECONFIG: join(folder, 'kubeconfig') },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
  return { status: await ended, output };
}

/** Returns the image and the ready Pods of the Deployment, and the items of the custom resource. */
async function state() {
  const carts = new DynamicClient(server.config)
    .resource({ group: 'helm.example.com', version: 'v1', resource: 'carts' })
    .namespace('shop');
  const [deployment, cart] = [await clientset.appsV1.deployments('shop').get('web'), await carts.get('web')];
  return {
    image: deployment.spec?.template.spec?.containers[0]?.image,
    ready: deployment.status?.readyReplicas,
    items: cart['spec'],
  };
}

async function revisions(): Promise<unknown> {
  const { output } = await helm('history web --output json');
  const rows: readonly { readonly revision: number; readonly status: string }[] = JSON.parse(output);
  return rows.map(({ revision, status }) => `${revision} ${status}`);
}

test('installs, upgrades, rolls back and removes a release, and waits for its Pods', {
  timeout: 240_000,
}, async () => {
  const jobs = clientset.batchV1.jobs('shop');
  const installed = await helm(`install web ${chart} --create-namespace --wait --timeout 90s`);
  expect(installed, installed.output).toMatchObject({ status: 0 });
  expect(await state()).toEqual({ image: 'example.com/web:1', ready: 2, items: { items: 2 } });
  const { data } = await clientset.coreV1.configMaps('shop').get('web');
  expect(data).toEqual({ image: 'example.com/web:1', carts: 'true', cluster: 'true' });
  const hook = await jobs.get('web-migrate');
  expect(hook.status?.succeeded).toBe(1);

  const preview = await helm(`upgrade web ${chart} --set replicas=3 --dry-run=server`);
  expect(preview, preview.output).toMatchObject({
    status: 0,
    output: expect.stringContaining('replicas: 3'),
  });
  expect((await state()).ready).toBe(2);

  const upgraded = await helm(
    `upgrade web ${chart} --set replicas=3,image=example.com/web:2 --wait --timeout 90s`,
  );
  expect(upgraded, upgraded.output).toMatchObject({ status: 0 });
  expect(await state()).toEqual({ image: 'example.com/web:2', ready: 3, items: { items: 3 } });
  expect((await jobs.get('web-migrate')).metadata.uid).not.toBe(hook.metadata.uid);

  const invalid = await helm(`upgrade web ${chart} --set replicas=10 --wait --timeout 90s`);
  expect(invalid).toMatchObject({
    status: 1,
    output: expect.stringContaining('should be less than or equal to 9'),
  });

  const restored = await helm('rollback web 1 --wait --timeout 90s');
  expect(restored, restored.output).toMatchObject({ status: 0 });
  expect(await state()).toEqual({ image: 'example.com/web:1', ready: 2, items: { items: 2 } });
  expect(await revisions()).toEqual(['1 superseded', '2 superseded', '3 failed', '4 deployed']);

  const removed = await helm('uninstall web --wait --timeout 90s');
  expect(removed, removed.output).toMatchObject({ status: 0 });
  expect((await clientset.appsV1.deployments('shop').list()).items).toEqual([]);
  expect((await clientset.coreV1.secrets('shop').list()).items).toEqual([]);
});

test('--dry-run=server reports an object that the server would refuse', { timeout: 60_000 }, async () => {
  const { status, output } = await helm(`upgrade --install bad ${chart} --set replicas=-1 --dry-run=server`);
  expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('replicas: -1') });
  const applied = await helm(`upgrade --install bad ${chart} --set replicas=-1`);
  expect(applied).toMatchObject({
    status: 1,
    output: expect.stringContaining('must be greater than or equal to 0'),
  });
});
