import type { KubernetesList, KubernetesObject, Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import type { Finished } from '../support/cluster-tests.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';
import { connectBehindProxy } from './proxy.ts';
import type { NamespacedSample } from './samples.ts';
import { storyOf } from './watch.ts';

/**
 * Registers tests of watches whose connection is reset: they resume after the last event, without a gap or a
 * duplicate.
 */
export function watchCutTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  describe(`a watch of ${sample.plural} whose connection is cut`, () => {
    const open = (finished: Finished) => openNearAndFar(env, sample, finished);

    it('misses no events in the meantime', async ({ onTestFinished }) => {
      const { proxy, near, far } = await open(onTestFinished);
      const a = await near.create(sample.make('a', 1));
      const watch = record(onTestFinished, (signal) => far.watch({ signal }));
      await watch.until((events) => events.length === 1);
      proxy.block();
      const changed = await near.update(sample.change(a, 2));
      await near.update(sample.change(changed, 3));
      await near.create(sample.make('b', 1));
      await near.delete('b');
      await proxy.turnedAway();
      proxy.restore();
      await near.create(sample.make('c', 1));
      await watch.until((events) => events.length >= 6);
      expect(storyOf(sample, watch.events)).toEqual([
        'ADDED a 1',
        'MODIFIED a 2',
        'MODIFIED a 3',
        'ADDED b 1',
        'DELETED b 1',
        'ADDED c 1',
      ]);
      await watch.end();
    });

    it('yields one history after repeated cuts', async ({ onTestFinished }) => {
      const { proxy, near, far } = await open(onTestFinished);
      let object = await near.create(sample.make('a', 1));
      const watch = record(onTestFinished, (signal) => far.watch({ signal }));
      for (const expected of [2, 3, 4, 5]) {
        await watch.until((events) => events.length >= expected - 1);
        proxy.cut();
        object = await near.update(sample.change(object, expected));
      }
      await watch.until((events) => events.length >= 5);
      expect(storyOf(sample, watch.events)).toEqual([
        'ADDED a 1',
        ...[2, 3, 4, 5].map((expected) => `MODIFIED a ${expected}`),
      ]);
      await watch.end();
    });
  });
}

/** Creates one client that connects directly, and one behind the proxy. */
async function openNearAndFar<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
  finished: Finished,
) {
  const namespace = await env.namespace();
  const { proxy, behind } = await connectBehindProxy(env.config, finished);
  const near = sample.client(env.clientset, namespace);
  return { proxy, near, far: sample.client(behind, namespace) };
}
