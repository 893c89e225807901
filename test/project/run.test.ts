/** `kgen run` of a new project, against a cluster in memory. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamicClient } from '@kgen/runtime/dynamic';
import { kubeconfigOf, startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Command, command } from '../support/command.ts';
import { repository } from '../support/emitted.ts';

const program = join(repository, 'src/kgen/bin/kgen.js');
let cwd = '';
let server: TestServer;

const words = (line: string): readonly string[] => [program, ...line.split(' ').filter(Boolean)];
const kgen = async (line: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, words(line), { cwd })).stdout;
const start = (line: string): Command => command(words(line), cwd);

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'kgen-project-'));
  symlinkSync(join(repository, 'node_modules'), join(cwd, 'node_modules'), 'junction');
  await kgen('init my-operator --domain example.com');
  await kgen('create api --group shop --version v1alpha1 --kind Cart');
  await kgen('');
  server = await startTestServer({ controllers: true, nodes: ['n1'] });
  writeFileSync(join(cwd, 'kubeconfig'), kubeconfigOf(server.admin));
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(cwd, { recursive: true });
});

test('names the command that installs definitions', { timeout: 60_000 }, async () => {
  const { end } = start('run --kubeconfig kubeconfig');
  expect(await end).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not serve carts.shop.example.com: run kgen install first'),
  });
});

test('runs the operator until a signal, and returns its status', { timeout: 60_000 }, async () => {
  await kgen('install --kubeconfig kubeconfig');
  const { end, line, child } = start('run --kubeconfig kubeconfig');
  expect(await line('context')).toContain('context test: http');
  await line('leads');
  child.kill('SIGINT');
  expect(await end).toMatchObject({ code: 0 });
});

test('refuses to run beside the deployed operator', { timeout: 60_000 }, async () => {
  await kgen('deploy --kubeconfig kubeconfig');
  const { end } = start('run --kubeconfig kubeconfig');
  expect(await end).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('kgen dev --cluster pauses it'),
  });
});

describe('kgen dev --cluster', () => {
  beforeAll(async () => {
    await kgen('deploy --kubeconfig kubeconfig');
  }, 60_000);

  const replicas = async (): Promise<unknown> => {
    const apps = new DynamicClient(server.admin).resource({
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
    });
    const { spec, metadata } = await apps.namespace('my-operator').get('my-operator');
    return { replicas: Object(spec).replicas, pausedBy: metadata.annotations?.['kgen.dev/paused-by'] };
  };
  const leases = async (): Promise<readonly string[]> => {
    const client = new DynamicClient(server.admin).resource({
      group: 'coordination.k8s.io',
      version: 'v1',
      resource: 'leases',
    });
    return (await client.namespace('my-operator').list()).items.map(({ metadata }) => metadata.name);
  };
  const restored = { replicas: 2, pausedBy: undefined };
  const edit = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(cwd, path), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(cwd, path), text.replace(from, to));
  };

  test('runs in place of the deployed operator, follows changes, and restores it', {
    timeout: 300_000,
  }, async () => {
    const { child, line, end } = start('dev --cluster --samples --kubeconfig kubeconfig');
    await line('paused     Deployment my-operator/my-operator: it had 2 replicas');
    await line('reconciled cart-sample');
    expect(await replicas()).toEqual({ replicas: 0, pausedBy: expect.stringContaining(`/${child.pid}`) });
    expect(await leases()).toContain('my-operator-local');
    const refused = start('deploy --kubeconfig kubeconfig');
    expect((await refused.end).stderr).toContain(`(process ${child.pid}) pauses it`);
    edit('src/controllers/cart.ts', '`reconciled ', '`seen again ');
    await line('seen again cart-sample');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: expect.stringContaining('restored   Deployment') });
    expect(await replicas()).toEqual(restored);
  });

  test('restores the deployed operator after SIGKILL', { timeout: 120_000 }, async () => {
    const { child, line, end } = start('dev --cluster --kubeconfig kubeconfig');
    await line('cart-sample');
    child.kill('SIGKILL');
    const { stdout } = await end;
    const [operator = '', restoring] = stdout.split(
      'restored   Deployment my-operator/my-operator: 2 replicas',
    );
    expect(operator).toContain('stops for SIGTERM');
    expect(restoring).toBe('\n');
    expect(await replicas()).toEqual(restored);
  });
});
