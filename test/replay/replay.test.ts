/** Recordings of operators on the server in memory, and their replay. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, RESTClient, resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { replay } from '@kgen/testing';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operator as myAppOperator } from '../../examples/operators/myapp/src/operator.ts';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';

type OperatorOf = (config: ClusterConfig, options: ManagerOptions) => Manager;

/** An operator on a server, whose manager records. */
async function recordedWorld(operator: OperatorOf, own: Partial<ManagerOptions['recorder']> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'kgen-replay-'));
  const server = await startTestServer({ crds: ['crds/myapp.yaml'] });
  const log: string[] = [];
  const write = (_: object, message: string): void => void log.push(message);
  const manager = operator(server.config, {
    recorder: { directory, ...own },
    metrics: undefined,
    health: undefined,
    handleSignals: false,
    log: { debug: write, info: write, warn: write, error: write },
  });
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  ended.catch(() => undefined);
  const rest = new RESTClient(server.config);
  onTestFinished(async () => {
    stop.abort();
    await ended.catch(() => undefined);
    await rest.close();
    await server.stop();
    rmSync(directory, { recursive: true });
  });
  const file = join(directory, 'recording.jsonl');
  return { server, manager, rest, file, directory, log, apps: resource(rest, myApps).in('default') };
}

function app(name: string, version = '1.0'): MyApp {
  return { metadata: { name }, spec: { appName: 'shop', version } };
}

/** An operator with a ConfigMap for each app, which contains the first value of the Secret `token`. */
function mapOperator(value: string): OperatorOf {
  return (config, options) => {
    const manager = new Manager(config, { name: 'maps', ...options });
    const informers = new InformerFactory(manager);
    const [maps, tokens] = [informers.of(configMaps), informers.of(secrets)];
    const controller = new Controller({
      name: 'maps',
      for: informers.of(myApps),
      owns: [maps],
      watches: [{ informer: tokens, map: () => [{ namespace: 'default', name: 'web' }] }],
      client: { maps: resource(manager.rest, configMaps), secrets: resource(manager.rest, secrets) },
      reconcile: async (object, { client }) => {
        const { name, namespace } = object.metadata;
        if (value === 'broken') throw new Error('the reconcile has changed');
        const token = await client.secrets.in(namespace).find('token');
        const data = { version: object.spec.version, value, found: String(token !== undefined) };
        const metadata = { name, namespace };
        const intent = setControllerReference({ metadata, data }, object);
        const current = maps.lister.get(namespace, name);
        if (current === undefined) await client.maps.in(namespace).create(intent);
        else await client.maps.in(namespace).update({ ...current, data });
        if (object.spec.version === 'broken') throw new Error('the version is broken');
        return { requeueAfterMs: 60_000 };
      },
    });
    return manager.add(controller);
  };
}

async function available(server: TestServer, rest: RESTClient, name: string): Promise<void> {
  const client = resource(rest, deployments).in('default');
  const { metadata } = await client.get(name);
  const { generation: observedGeneration } = metadata;
  const status = {
    observedGeneration,
    replicas: 1,
    updatedReplicas: 1,
    availableReplicas: 1,
    readyReplicas: 1,
  };
  await client.patchStatus(name, { status });
  expect(server.config).toBeDefined();
}

interface LineOf {
  readonly type: string;
  readonly request?: number;
  readonly result?: string;
}

function entriesOf(file: string): readonly LineOf[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('a recording', () => {
  it('of MyApp with conflicts and errors is repeated without a difference', { timeout: 60_000 }, async () => {
    const { server, manager, rest, apps, file } = await recordedWorld(myAppOperator);
    await apps.create(app('web'));
    const workloads = resource(rest, deployments).in('default');
    await expect.poll(() => workloads.find('web')).toBeDefined();
    const match = { verb: 'patch', resource: 'deployments' };
    server.faults.failNext({ status: 409, reason: 'Conflict', times: 2, match });
    await apps.patch('web', { spec: { version: '2.0' } });
    const image = async () => (await workloads.get('web')).spec.template.spec?.containers[0]?.image;
    await expect.poll(image).toBe('shop:2.0');
    const creation = { verb: 'create', resource: 'deployments' };
    server.faults.failNext({ status: 500, reason: 'InternalError', times: 3, match: creation });
    await apps.create(app('cart'));
    await expect.poll(() => workloads.find('cart')).toBeDefined();
    await available(server, rest, 'web');
    const ready = async () => (await apps.get('web')).status?.conditions?.[0]?.status;
    await expect.poll(ready).toBe('True');
    await apps.delete('cart');
    await manager.record(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const report = await replay(file, myAppOperator);
    expect(report.text).toContain('all as recorded');
    expect(report.isEqual).toBe(true);
    const entries = entriesOf(file);
    const skipped = entries.filter(({ result }) => result === 'skipped').map(({ request }) => request);
    const sent = entries.filter(({ type, request }) => type === 'request' && !skipped.includes(request));
    expect(report.reconciles).toBe(entries.filter(({ type }) => type === 'end').length);
    expect(report.requests).toBe(sent.length);
    expect(entries.filter(({ result }) => result === 'error').length).toBeGreaterThanOrEqual(5);
  });

  it('shows the first difference of a changed operator', { timeout: 60_000 }, async () => {
    const { manager, rest, apps, file } = await recordedWorld(mapOperator('one'));
    await apps.create(app('web'));
    const maps = resource(rest, configMaps).in('default');
    await expect.poll(() => maps.find('web')).toBeDefined();
    await apps.patch('web', { spec: { version: 'broken' } });
    await expect.poll(async () => (await maps.get('web')).data?.['version']).toBe('broken');
    await manager.record(file);
    expect(await replay(file, mapOperator('one'))).toMatchObject({ isEqual: true });
    const { difference, text } = await replay(file, mapOperator('two'));
    expect(difference).toMatchObject({
      kind: 'request',
      reconcile: 'maps default/web, attempt 1',
      lines: ['POST /api/v1/namespaces/default/configmaps', '.data.value is "two", recorded "one"'],
    });
    expect(readFileSync(file, 'utf8').split('\n')[(difference?.line ?? 0) - 1]).toContain('"method":"POST"');
    expect(text).toContain('recording.jsonl:');
    const broken = await replay(file, mapOperator('broken'));
    expect(broken.difference).toMatchObject({
      kind: 'missing request',
      lines: [
        expect.stringContaining('/secrets/token: the reconcile has ended'),
        expect.stringMatching(/^Error: the reconcile has changed at .*replay\.test\.ts:\d+$/),
      ],
    });
  });

  it('that does not exist is refused with the file', async () => {
    await expect(replay('/missing/a.jsonl', mapOperator('one'))).rejects.toThrow(
      /^\/missing\/a\.jsonl: the recording cannot be read: ENOENT.*: pass the path of a file that Manager\.record/,
    );
  });

  it('whose start the ring has dropped begins with the caches of that moment', {
    timeout: 60_000,
  }, async () => {
    const mebibyte = 1024 * 1024;
    const { manager, rest, apps, file } = await recordedWorld(mapOperator('one'), { maxBytes: mebibyte });
    const annotations = { padding: 'x'.repeat(20_000) };
    const maps = resource(rest, configMaps).in('default');
    await apps.create({ ...app('web'), metadata: { name: 'web', annotations } });
    for (const version of Array.from({ length: 20 }, (_, number) => `1.${number}`)) {
      await apps.patch('web', { spec: { version } });
      await expect.poll(async () => (await maps.find('web'))?.data?.['version']).toBe(version);
    }
    await manager.record(file);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(JSON.parse(lines[0] ?? '').dropped).toBeGreaterThan(10);
    expect(lines.filter((line) => line.startsWith('{"type":"object"')).length).toBeGreaterThan(1);
    const report = await replay(file, mapOperator('one'));
    expect(report.text).toContain('all as recorded');
    expect(report.reconciles).toBeGreaterThan(2);
    expect((await replay(file, mapOperator('two'))).isEqual).toBe(false);
  });

  it('with a response that was too large for the ring is repeated up to it', {
    timeout: 60_000,
  }, async () => {
    const maxBytes = 1024 * 1024;
    const { manager, rest, apps, file } = await recordedWorld(mapOperator('one'), { maxBytes });
    const maps = resource(rest, configMaps).in('default');
    await apps.create(app('web'));
    await expect.poll(() => maps.find('web')).toBeDefined();
    const stringData = { padding: 'x'.repeat(300_000) };
    await resource(rest, secrets)
      .in('default')
      .create({ metadata: { name: 'token' }, stringData });
    await expect.poll(async () => (await maps.get('web')).data?.['found']).toBe('true');
    await apps.create({ ...app('cart'), metadata: { name: 'cart', annotations: stringData } });
    await expect.poll(() => maps.find('cart')).toBeDefined();
    await manager.record(file);
    const { isEqual, difference, text, reconciles } = await replay(file, mapOperator('one'));
    expect([isEqual, difference?.kind]).toEqual([false, 'omitted content']);
    expect(reconciles).toBeGreaterThan(1);
    expect(text).toContain('the recording is incomplete');
    expect(text).toContain('raise recorder.maxBytes');
    const line = readFileSync(file, 'utf8').split('\n')[(difference?.line ?? 0) - 1] ?? '';
    expect(JSON.parse(line)).toMatchObject({ type: 'change', object: { metadata: { name: 'cart' } } });
  });

  it('is written after repeated failures', { timeout: 60_000 }, async () => {
    const { apps, directory, log } = await recordedWorld(mapOperator('one'), { failures: 3 });
    await apps.create(app('web', 'broken'));
    await expect.poll(() => log.some((message) => message.startsWith('recording written'))).toBe(true);
    const [file = ''] = readdirSync(directory);
    const report = await replay(join(directory, file), mapOperator('one'));
    expect(report.text).toContain('maps failed 3 times: the version is broken): 3 reconciles');
    expect(report.isEqual).toBe(true);
  });

  it('is not written by itself without a folder', { timeout: 60_000 }, async () => {
    const own = { failures: 1, directory: undefined };
    const { apps, manager, file, log } = await recordedWorld(mapOperator('one'), own);
    await apps.create(app('web', 'broken'));
    const recorded = async (): Promise<string> => {
      await manager.record(file);
      return readFileSync(file, 'utf8');
    };
    await expect.poll(recorded).toContain('"error":"Error: the version is broken');
    expect(log.filter((message) => /recording/.test(message))).toEqual([]);
  });

  it.each<readonly [string, OperatorOf, () => void]>([
    [
      'signal',
      (config, options) => mapOperator('one')(config, { ...options, handleSignals: true }),
      () => process.emit('SIGUSR2', 'SIGUSR2'),
    ],
    [
      'the manager failed: the disk is full',
      (config, options) =>
        mapOperator('one')(config, options).add({
          name: 'failing',
          run: () => Promise.reject(new Error('the disk is full')),
        }),
      () => undefined,
    ],
  ])('is written with the reason %s', { timeout: 60_000 }, async (reason, operator, cause) => {
    const { directory, log } = await recordedWorld(operator);
    cause();
    await expect.poll(() => log.some((message) => message.startsWith('recording written'))).toBe(true);
    const [file = ''] = readdirSync(directory);
    const [header = ''] = readFileSync(join(directory, file), 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({ type: 'kgen recording', reason });
  });

  it('contains no values of Secrets', { timeout: 60_000 }, async () => {
    const { manager, rest, apps, file } = await recordedWorld(mapOperator('one'));
    const value = 'hunter2-is-no-password';
    const tokens = resource(rest, secrets).in('default');
    await tokens.create({ metadata: { name: 'token' }, stringData: { token: value } });
    await apps.create(app('web'));
    const maps = resource(rest, configMaps).in('default');
    await expect.poll(async () => (await maps.find('web'))?.data?.['found']).toBe('true');
    await manager.record(file);
    const content = readFileSync(file, 'utf8');
    expect(content).toContain('"name":"token"');
    expect(content).not.toContain(value);
    expect(content).not.toContain(Buffer.from(value).toString('base64'));
    expect(await replay(file, mapOperator('one'))).toMatchObject({ isEqual: true });
  });
});
