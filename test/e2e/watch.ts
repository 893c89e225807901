import {
  isExpired,
  type KubernetesList,
  type KubernetesObject,
  type Stored,
  type WatchEvent,
} from '@kgen/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failure } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';
import type { NamespacedSample, SampleClient } from './samples.ts';

/** Returns events as `TYPE name wanted/observed`. */
export function storyOf<T extends KubernetesObject>(
  { expected, observed }: Pick<NamespacedSample<T, KubernetesList<Stored<T>>>, 'expected' | 'observed'>,
  events: readonly WatchEvent<T>[],
): readonly string[] {
  return events.map(({ type, object }) => {
    const seen = observed(object);
    return `${type} ${object.metadata.name} ${expected(object)}${seen === undefined ? '' : `/${seen}`}`;
  });
}

/** Registers tests of watches over an uninterrupted connection. */
export function watchTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
): void {
  const open = async () => sample.client(env.clientset, await env.namespace());
  describe(`a watch of ${sample.plural}`, () => {
    it('yields the current objects, and then every change in order', async () => {
      const client = await open();
      await client.create(sample.make('a', 1));
      await client.create(sample.make('b', 1));
      const watch = record(onTestFinished, (signal) => client.watch({ signal }));
      await watch.until((events) => events.length === 2);
      const created = await client.create(sample.make('c', 1));
      const updated = await client.update(sample.change(created, 2));
      const observed = await client.updateStatus(sample.observe(updated, 5));
      await client.update(sample.change(observed, 3));
      await client.delete('a');
      await client.delete('c');
      await watch.until((events) => events.length >= 8);
      expect(storyOf(sample, watch.events)).toEqual([
        'ADDED a 1',
        'ADDED b 1',
        'ADDED c 1',
        'MODIFIED c 2',
        'MODIFIED c 2/5',
        'MODIFIED c 3/5',
        'DELETED a 1',
        'DELETED c 3/5',
      ]);
      for (const { object } of watch.events) {
        expect(object).toMatchObject({ apiVersion: sample.apiVersion, kind: sample.kind });
      }
      expect(watch.events[3]?.object).toEqual(updated);
      await watch.end();
    });

    versionTests(sample, open);
    forgottenTests(env, sample, open);
  });
}

function versionTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  sample: NamespacedSample<T, L>,
  open: () => Promise<SampleClient<T, L>>,
): void {
  it('from a resource version yields later changes only', async () => {
    const client = await open();
    const first = await client.create(sample.make('a', 1));
    const second = await client.update(sample.change(first, 2));
    await client.update(sample.change(second, 3));
    await client.create(sample.make('b', 1));
    const { resourceVersion } = second.metadata;
    const watch = record(onTestFinished, (signal) => client.watch({ resourceVersion, signal }));
    await watch.until((events) => events.length >= 2);
    expect(storyOf(sample, watch.events)).toEqual(['MODIFIED a 3', 'ADDED b 1']);
    await watch.end();
  });

  it('continues after a list without a gap', async () => {
    const client = await open();
    await client.create(sample.make('a', 1));
    const { metadata } = await client.list();
    await client.create(sample.make('b', 1));
    const { resourceVersion } = metadata;
    const watch = record(onTestFinished, (signal) => client.watch({ resourceVersion, signal }));
    await watch.until((events) => events.length >= 1);
    expect(storyOf(sample, watch.events)).toEqual(['ADDED b 1']);
    await watch.end();
  });

  it('with a selector yields objects that enter and leave it', async () => {
    const client = await open();
    const watch = record(onTestFinished, (signal) =>
      client.watch({ labelSelector: { tier: 'web' }, signal }),
    );
    await client.create(sample.make('a', 1, { tier: 'web' }));
    await client.create(sample.make('b', 2, { tier: 'db' }));
    await client.patch('b', [{ op: 'replace', path: '/metadata/labels/tier', value: 'web' }], {
      type: 'json',
    });
    await watch.until((events) => events.length >= 2);
    await client.patch('a', [{ op: 'remove', path: '/metadata/labels/tier' }], { type: 'json' });
    await watch.until((events) => events.length >= 3);
    expect(storyOf(sample, watch.events)).toEqual(['ADDED a 1', 'ADDED b 2', 'DELETED a 1']);
    await watch.end();
  });
}

function forgottenTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: NamespacedSample<T, L>,
  open: () => Promise<SampleClient<T, L>>,
): void {
  it('from an expired resource version fails', async () => {
    const client = await open();
    await client.create(sample.make('a', 1));
    await env.forget();
    const watch = record(onTestFinished, (signal) => client.watch({ resourceVersion: '1', signal }));
    expect(isExpired(await failure(watch.until(() => false)))).toBe(true);
  });
}
