/** Documents for tests of the page: a recording of an operator, and a simulation that fails. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Manager } from '@kgen/controller';
import { InformerFactory, resource } from '@kgen/runtime';
import { type SimulateOptions, SimulationError, samplesOf, simulate } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { vi } from 'vitest';
import { redisClusterController } from '../../examples/operators/rediscluster/src/controllers/rediscluster.ts';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
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
