import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { describe, expect, it } from 'vitest';
import type { RunningServer } from './env.ts';
import { pagingTests } from './paging.ts';

const availability = controlPlaneAvailability();

/** Compacts etcd up to the newest change of the API server. */
async function compact(etcd: string, rest: RESTClient): Promise<void> {
  const newest: unknown = await rest.get('/api/v1/namespaces', { query: { limit: 1 } });
  const revision: unknown = Reflect.get(Object(Reflect.get(Object(newest), 'metadata')), 'resourceVersion');
  const body = JSON.stringify({ revision, physical: true });
  const { status } = await fetch(`${etcd}/v3/kv/compaction`, { method: 'POST', body });
  expect(status).toBe(200);
}

async function start(): Promise<RunningServer> {
  // Newer servers serve pages from snapshots in memory, which outlive the history in etcd.
  const apiServerFlags = ['--feature-gates=ListFromCacheSnapshot=false'];
  const { config, kubeconfig, etcd, stop } = await startControlPlane({ apiServerFlags });
  const rest = new RESTClient(config);
  const end = async (): Promise<void> => {
    await rest.close();
    await stop();
  };
  return { config, kubeconfig, forget: () => compact(etcd, rest), stop: end };
}

if (availability.available || process.env['KGEN_NOTHING_SKIPPED']) {
  const server = { name: 'a real API server', start };
  pagingTests(server);
} else {
  describe.skip(`lists of a real API server: ${availability.reason}`, () => {
    it('requires one', () => undefined);
  });
}
