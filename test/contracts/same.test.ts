/** Generated clients and servers of the same API. */
import { Clientset } from '@kgen/kubernetes';
import { type ContractClient, contractTests, type Drift, type TestFramework } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { expect, test } from 'vitest';
import { Clientset as CustomClientset } from '../../generated/crds/index.ts';

test.each<[string, ContractClient, number]>([
  ['@kgen/kubernetes', Clientset, 250],
  ['the definitions of this project', CustomClientset, 18],
])('the clients of %s have no breaking drifts', async (_, client, least) => {
  const server = await startTestServer({ crds: ['crds'], controllers: false, apiVersions: 'all' });
  const tests: (() => Promise<void>)[] = [];
  const notes: Drift[] = [];
  const framework: TestFramework = {
    describe: (_name, body) => body(),
    test: (_name, body) => tests.push(body),
    afterAll: () => undefined,
  };
  const options = { framework, samples: 1, onDrift: (drift: Drift) => notes.push(drift) };
  await contractTests(client, () => server.config, options);
  const errors: string[] = [];
  for (const run of tests) await run().catch((error: unknown) => errors.push(String(error)));
  await server.stop();
  expect(tests.length).toBeGreaterThanOrEqual(least);
  expect(errors).toEqual([]);
  expect(notes.filter(({ kind }) => kind !== 'deprecated')).toEqual([]);
});
