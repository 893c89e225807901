import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';
import { loadKubeconfig } from '@kgen/runtime/kubeconfig';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Clientset as CustomClientset } from '../../generated/crds/index.ts';
import { programs, type ServeProcess, startServe, temporaryFolder } from './started.ts';

/** Returns a client of the server with a kubeconfig. */
async function clientOf(kubeconfig: string): Promise<Clientset> {
  const clientset = new Clientset(await loadConfig({ kubeconfig }));
  onTestFinished(() => clientset.close());
  return clientset;
}

/** Ends a server, and returns its exit status and output. */
function end({ child, ended }: ServeProcess, signal: NodeJS.Signals = 'SIGINT'): ServeProcess['ended'] {
  child.kill(signal);
  return ended;
}

/** Starts a server that prints JSON. */
async function served(options: readonly string[] = []) {
  const process = startServe([...options, '--json']);
  const line = await process.line;
  if (!line.startsWith('{')) throw new Error(line);
  const { url, kubeconfig }: { readonly url: string; readonly kubeconfig: string } = JSON.parse(line);
  return { ...process, url, kubeconfig };
}

const names = Object.keys(programs) as (keyof typeof programs)[]; // seam: keys of an object are strings

describe.each(names)('%s', (name) => {
  test('prints the address and the kubeconfig, which only the user can read, and ends with SIGINT', async () => {
    const process = startServe(['--namespaces', 'shop', '--nodes', '3'], name);
    const [, url, kubeconfig = ''] =
      /^(https:\S+) {2}export KUBECONFIG=(\S+)$/.exec(await process.line) ?? [];
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    const clientset = await clientOf(kubeconfig);
    expect((await loadConfig({ kubeconfig })).server).toBe(url);
    expect((await clientset.coreV1.nodes().list()).items.map(({ metadata }) => metadata.name)).toEqual([
      'node-1',
      'node-2',
      'node-3',
    ]);
    await clientset.coreV1.namespaces().get('shop');
    expect(await end(process)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(dirname(kubeconfig))).toBe(false);
  });

  test('has the same options', async () => {
    const { stdout, code } = await startServe(['--help'], name).ended;
    expect(code).toBe(0);
    expect(stdout.match(/--[a-z]+(?: <\w+>)?(?= {2})/g)).toEqual([
      '--crds <source>',
      '--objects <source>',
      '--namespaces <name>',
      '--nodes <n>',
      '--port <number>',
      '--host <address>',
      '--kubeconfig <file>',
      '--load <file>',
      '--save <file>',
      '--json',
      '--quiet',
      '--help',
    ]);
  });

  test('refuses an unknown option with status 2', async () => {
    const { code, stderr, stdout } = await startServe(['--ports', '1'], name).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/unknown option '--ports'/i);
  });
});

describe('objects and definitions', () => {
  test('exist when the address is printed', async () => {
    const folder = temporaryFolder();
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: 'b' } };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(object));
    const { kubeconfig } = await served(['--crds', 'crds/rediscluster.yaml', '--objects', folder]);
    const clientset = await clientOf(kubeconfig);
    expect((await clientset.coreV1.configMaps('default').get('settings')).data).toEqual({ a: 'b' });
    const custom = new CustomClientset(await loadConfig({ kubeconfig }));
    onTestFinished(() => custom.close());
    const created = await custom.cacheV1
      .redisClusters('default')
      .create({ metadata: { name: 'carts' }, spec: { version: '7.4' } });
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the state', () => {
  test('keeps uids, resourceVersions and integers of 64 bits, and the next server continues', async () => {
    const file = join(temporaryFolder(), 'state.json');
    const first = await served(['--save', file, '--namespaces', 'shop', '--crds', 'crds/rediscluster.yaml']);
    const clientset = await clientOf(first.kubeconfig);
    const secret = await clientset.coreV1
      .secrets('shop')
      .create({ metadata: { name: 'password' }, stringData: { value: 'x' } });
    const generation = 9_007_199_254_740_993n;
    const lease = await clientset.coordinationV1.leases('shop').create({ metadata: { name: 'a' }, spec: {} });
    expect(await end(first, 'SIGTERM')).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // As a client of another language may have written it.
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace('"metadata":{"name":"a"', `"metadata":{"generation":${generation},"name":"a"`),
    );

    const second = await served(['--load', file, '--save', file]);
    const later = await clientOf(second.kubeconfig);
    expect(await later.coreV1.secrets('shop').get('password')).toEqual(secret);
    const created = await later.coreV1.configMaps('shop').create({ metadata: { name: 'later' } });
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Number(lease.metadata.resourceVersion));
    const custom = new CustomClientset(await loadConfig({ kubeconfig: second.kubeconfig }));
    onTestFinished(() => custom.close());
    expect((await custom.cacheV1.redisClusters('shop').list()).items).toEqual([]);
    expect(await end(second)).toMatchObject({ code: 0 });
    const saved = readFileSync(file, 'utf8');
    expect(saved).toContain(`"generation":${generation}`);
    expect(saved).toContain('"name":"later"');
    expect(readdirSync(dirname(file))).toEqual(['state.json']);
  });
});

describe('the kubeconfig', () => {
  test('is written to a file, which later servers replace and the last one removes', async () => {
    const file = join(temporaryFolder(), 'kubeconfig');
    const first = await served(['--kubeconfig', file]);
    const second = await startServe(['--kubeconfig', file]).ended;
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`process ${first.child.pid}: stop`),
    });
    await end(first, 'SIGKILL');
    expect(existsSync(file)).toBe(true);
    const third = await served(['--kubeconfig', file]);
    const kubeconfig = await loadKubeconfig({ kubeconfig: file });
    kubeconfig.setContext('test', { namespace: 'kube-system' });
    await kubeconfig.write();
    await (await clientOf(file)).coreV1.namespaces().list();
    await end(third);
    expect(existsSync(file)).toBe(false);
  });

  test('that another program has written meanwhile stays', async () => {
    const file = join(temporaryFolder(), 'config');
    const process = await served(['--kubeconfig', file]);
    writeFileSync(file, 'apiVersion: v1\nkind: Config\n');
    await end(process);
    expect(existsSync(file)).toBe(true);
  });
});

describe('the address', () => {
  test('has the port, which one server has at a time', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => free.once('listening', resolve));
    const address = free.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const taken = await startServe(['--port', port]).ended;
    const problem = `cannot listen on 127.0.0.1, port ${port}: another program uses the port`;
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
    await new Promise((resolve) => free.close(resolve));
    expect((await served(['--port', port])).url).toBe(`https://127.0.0.1:${port}`);
  });

  test.each(['localhost', '127.0.0.1', '::1'])('of %s is part of the certificate', async (host) => {
    const { url, kubeconfig } = await served(['--host', host]);
    expect(url).toContain(host);
    expect((await (await clientOf(kubeconfig)).coreV1.namespaces().list()).items).toHaveLength(4);
  });

  test('of every interface has a warning', async () => {
    const process = await served(['--host', '0.0.0.0']);
    await (await clientOf(process.kubeconfig)).coreV1.namespaces().list();
    expect(await end(process)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: other machines'),
    });
  });
});

test('--quiet prints the path of the kubeconfig', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'a b'));
  const file = join(folder, 'a b', "it's");
  const quiet = startServe(['--kubeconfig', file, '--quiet']);
  expect(await quiet.line).toBe(file);
  await end(quiet);
  const line = await startServe(['--kubeconfig', file]).line;
  expect(line.endsWith(`export KUBECONFIG='${file.replace("'", "'\\''")}'`)).toBe(true);
});
