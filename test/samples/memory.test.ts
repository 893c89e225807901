import { RESTClient } from '@kgen/runtime';
import { startTestServer } from '@kgen/testserver';
import { expect, test } from 'vitest';
import { definitionsIn, mistakes, resourcesOf } from '../support/custom-samples.ts';
import { rounds } from '../support/seeds.ts';

const files = ['myapp', 'foo', 'rediscluster', 'showcase'].map((name) => `crds/${name}.yaml`);

test('the server in memory accepts valid samples and refuses invalid ones at their path', async () => {
  const server = await startTestServer({ crds: files });
  const rest = new RESTClient(server.config);
  try {
    for (const resource of files.flatMap(definitionsIn).flatMap(resourcesOf)) {
      for (let seed = 1; seed <= rounds(5, 1); seed += 1) {
        expect(await mistakes(rest, resource, { seed, most: rounds(500, 20) })).toEqual([]);
      }
    }
  } finally {
    await server.stop();
  }
});
