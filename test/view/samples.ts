/** Documents for tests of the page: a recording of an operator, and a simulation that fails. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Manager } from '@kgen/controller';
import { InformerFactory, resource } from '@kgen/runtime';
import { type SimulateOptions, SimulationError, samplesOf, simulate } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { vi } from 'vitest';
import { brokenOperator } from '../../examples/demo/broken-operator.ts';
import { redisClusterController } from '../../examples/operators/rediscluster/src/controllers/rediscluster.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { callSite } from '../../src/testing/operators/simulate/process/call-site.ts';
import { createsTwiceAfterCrash } from '../support/operator-bugs.ts';

/** Returns a recording of the operator of RedisClusters, one write of which has failed. */
export async function recordedClusters(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-view-'));
  const server = await startTestServer({ crds: ['crds/rediscluster.yaml'], namespaces: ['shop'] });
  const ignore = (): void => undefined;
  const manager = new Manager(server.config, {
    name: 'rediscluster-operator',
    recorder: { directory: folder },
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  manager.add(redisClusterController(manager, new InformerFactory(manager)));
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  try {
    const clusters = resource(manager.rest, redisClusters).in('shop');
    const reads = ['get', 'list', 'watch'];
    server.faults.failNext({
      status: 500,
      match: ({ resource: plural, verb }) => plural === 'statefulsets' && !reads.includes(verb),
    });
    for (const name of ['carts', 'orders', 'sessions'])
      await clusters.create({ metadata: { name }, spec: { version: '7.4', replicas: 2 } });
    await ready(3);
    await clusters.patch('carts', { spec: { replicas: 3 } });
    await ready(3);
    await clusters.delete('sessions');
    await vi.waitFor(async () => expectNumber(2, (await clusters.list()).items.length), wait);
    await manager.record(join(folder, 'recording.jsonl'));
    return readFileSync(join(folder, 'recording.jsonl'), 'utf8');

    async function ready(count: number): Promise<void> {
      await vi.waitFor(async () => {
        const { items } = await clusters.list();
        const isReady = items.filter(({ spec, status }) => status?.readyReplicas === spec.replicas);
        expectNumber(count, isReady.length);
      }, wait);
    }
  } finally {
    stop.abort();
    await running;
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

const wait = { timeout: 20_000, interval: 20 } as const;

function expectNumber(expected: number, actual: number): void {
  if (expected !== actual) throw new Error(`${actual} instead of ${expected}`);
}

const options: SimulateOptions = {
  crds: ['crds/myapp.yaml'],
  samples: samplesOf(myApps),
  controllers: ['garbageCollection', 'namespaces'],
  without: ['tamper'],
  seeds: 50,
};

/** Returns the failure of an operator that creates an object twice after a crash. */
export async function failedSimulation(): Promise<SimulationError> {
  const result: unknown = await simulate(createsTwiceAfterCrash, options).catch((error: unknown) => error);
  if (result instanceof SimulationError) return result;
  throw result;
}

/** Returns a recording of the broken operator of the demo: the server has refused one write of a status. */
export async function recordedBug(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-view-'));
  const server = await startTestServer({ crds: ['crds/myapp.yaml'], namespaces: ['shop'] });
  const name = Symbol.for('kgen.callSite');
  // As in processes of `kgen dev`.
  Reflect.set(globalThis, name, callSite);
  const ignore = (): void => undefined;
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const manager = brokenOperator(server.config, { recorder: { directory: folder }, log });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  try {
    const apps = resource(manager.rest, myApps).in('shop');
    const spec = { appName: 'nginx', version: '1.29' };
    for (const each of ['blog', 'cart']) await apps.create({ metadata: { name: each }, spec });
    await vi.waitFor(async () => expectNumber(2, (await observed()).length), wait);
    server.faults.failNext({ status: 500, match: { resource: 'myapps', subresource: 'status' } });
    await apps.create({ metadata: { name: 'web' }, spec });
    await vi.waitFor(async () => expectNumber(3, (await observed()).length), wait);
    const file = join(folder, 'recording.jsonl');
    await vi.waitFor(async () => {
      await manager.record(file);
      expectNumber(
        4,
        readFileSync(file, 'utf8').match(/"change":"add".*"generateName":"\w+-"/g)?.length ?? 0,
      );
    }, wait);
    return readFileSync(file, 'utf8');

    async function observed() {
      const { items } = await apps.list();
      return items.filter(({ status }) => status?.observedGeneration !== undefined);
    }
  } finally {
    Reflect.deleteProperty(globalThis, name);
    stop.abort();
    await running;
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
