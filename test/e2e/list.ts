import { isBadRequest, type KubernetesList, type KubernetesObject, type Stored } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';
import type { Sample, SampleClient } from './samples.ts';

const names = ['a', 'b', 'c', 'd', 'e'] as const;

function namesOf<T extends KubernetesObject>(items: readonly Stored<T>[]): readonly string[] {
  return items.map((item) => item.metadata.name);
}

/** Registers tests of lists: whole, in pages, and as one loop over all pages. */
export function listTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: Sample<T, L>,
): void {
  const filled = async (): Promise<SampleClient<T, L>> => {
    const client = sample.client(env.clientset, await env.namespace());
    await Promise.all(names.map((name, index) => client.create(sample.make(name, index + 1))));
    return client;
  };
  describe(`a list of ${sample.plural}`, () => {
    it('has every object of the namespace, complete and sorted by name', async () => {
      const client = await filled();
      const list = await client.list();
      expect(list).toMatchObject({ kind: `${sample.kind}List`, apiVersion: sample.apiVersion });
      expect(namesOf(list.items)).toEqual(names);
      expect(list.metadata.continue ?? '').toBe('');
      expect(Number(list.metadata.resourceVersion)).toBeGreaterThan(0);
      for (const item of list.items) expect(item).toEqual(await client.get(item.metadata.name));
    });

    it('is empty without objects', async () => {
      const { items, metadata } = await sample.client(env.clientset, await env.namespace()).list();
      expect(items).toEqual([]);
      expect(Number(metadata.resourceVersion)).toBeGreaterThan(0);
    });

    pageTests(sample, filled);
  });
}

function pageTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  sample: Sample<T, L>,
  filled: () => Promise<SampleClient<T, L>>,
): void {
  it('comes in pages of one state', async () => {
    const client = await filled();
    const first = await client.list({ limit: 2 });
    expect(namesOf(first.items)).toEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(3);
    await client.create(sample.make('bb', 1));
    const second = await client.list({ limit: 2, continue: first.metadata.continue });
    expect(namesOf(second.items)).toEqual(['c', 'd']);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const third = await client.list({ limit: 2, continue: second.metadata.continue });
    expect(namesOf(third.items)).toEqual(['e']);
    expect(third.metadata.continue ?? '').toBe('');
  });

  it('is iterated page by page', async () => {
    const client = await filled();
    const iteration = client.iterate({ pageSize: 2 });
    expect(iteration.resourceVersion).toBeUndefined();
    const seen: string[] = [];
    for await (const item of iteration) {
      expect(item).toMatchObject({ apiVersion: sample.apiVersion, kind: sample.kind });
      seen.push(item.metadata.name);
    }
    expect(seen).toEqual(names);
    expect(iteration.consistent).toBe(true);
    expect(Number(iteration.resourceVersion)).toBeGreaterThan(0);
  });

  it('rejects an invalid continue token', async () => {
    const client = await filled();
    await apiErrorOf(isBadRequest, client.list({ limit: 2, continue: 'no-token' }));
  });
}
