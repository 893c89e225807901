import {
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  type KubernetesList,
  type KubernetesObject,
  retryOnConflict,
  type Stored,
} from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import { apiErrorOf, causesOf } from '../support/errors.ts';
import type { Env } from './env.ts';
import type { Sample, SampleClient } from './samples.ts';

/** Registers tests that create, read, update and delete one object. */
export function objectTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  env: Env,
  sample: Sample<T, L>,
): void {
  const { apiVersion, kind } = sample;
  const open = async (): Promise<SampleClient<T, L>> => {
    return sample.client(env.clientset, sample.namespaced ? await env.namespace() : '');
  };
  describe(`one ${kind}`, () => {
    it('is created with the type and the metadata of the server', async () => {
      const client = await open();
      const name = unique('one');
      const created = await client.create(sample.make(name, 3, { tier: 'web' }));
      expect(created).toMatchObject({
        apiVersion,
        kind,
        metadata: { name, generation: 1, labels: { tier: 'web' } },
      });
      expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(created.metadata.resourceVersion).toMatch(/^[1-9][0-9]*$/);
      expect(created.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(sample.expected(created)).toBe(3);
      expect(await client.get(name)).toEqual(created);
      expect(await client.find(name)).toEqual(created);
    });

    it('is created with a generated name', async () => {
      const client = await open();
      const { metadata, ...rest } = sample.make('unused', 1);
      const object = { ...sample.make('unused', 1), ...rest, metadata: { generateName: 'made-' } };
      const [one, two] = await Promise.all([client.create(object), client.create(object)]);
      expect(one.metadata.name).toMatch(/^made-.+/);
      expect(two.metadata.name).not.toBe(one.metadata.name);
      expect(one.metadata.name).not.toBe(metadata.name);
    });

    it('is rejected with 409 if it exists', async () => {
      const client = await open();
      const name = unique('twice');
      await client.create(sample.make(name, 1));
      const error = await apiErrorOf(isAlreadyExists, client.create(sample.make(name, 2)));
      expect(error).toMatchObject({ code: 409, reason: 'AlreadyExists', details: { name } });
      expect(sample.expected(await client.get(name))).toBe(1);
    });

    missingTests(sample, open);
    updateTests(sample, open);
  });
}

function missingTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  sample: Sample<T, L>,
  open: () => Promise<SampleClient<T, L>>,
): void {
  it('is rejected with 404 by get, update, patch and delete if it does not exist', async () => {
    const client = await open();
    const name = unique('none');
    const there = await client.create(sample.make(unique('there'), 1));
    const ghost = { ...there, metadata: { ...there.metadata, name } };
    expect(await client.find(name)).toBeUndefined();
    const error = await apiErrorOf(isNotFound, client.get(name));
    expect(error.message).toContain(`get ${sample.plural} `);
    expect(error.message).toContain(`${name}: 404 NotFound`);
    await apiErrorOf(isNotFound, client.update(ghost));
    await apiErrorOf(isNotFound, client.updateStatus(ghost));
    await apiErrorOf(isNotFound, client.patch(name, [{ op: 'remove', path: '/spec' }], { type: 'json' }));
    await apiErrorOf(isNotFound, client.delete(name));
  });
}

function updateTests<T extends KubernetesObject, L extends KubernetesList<Stored<T>>>(
  sample: Sample<T, L>,
  open: () => Promise<SampleClient<T, L>>,
): void {
  it('is updated, and increments the generation for changes of the spec', async () => {
    const client = await open();
    const created = await client.create(sample.make(unique('update'), 1));
    const updated = await client.update(sample.change(created, 2));
    expect(sample.expected(updated)).toBe(2);
    expect(updated.metadata).toMatchObject({ uid: created.metadata.uid, generation: 2 });
    expect(updated.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    const same = await client.update(updated);
    expect(same).toEqual(updated);
  });

  it('is rejected with 409 by an update with an old resource version', async () => {
    const client = await open();
    const created = await client.create(sample.make(unique('stale'), 1));
    await client.update(sample.change(created, 2));
    const error = await apiErrorOf(isConflict, client.update(sample.change(created, 3)));
    expect(error).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(sample.expected(await client.get(created.metadata.name))).toBe(2);
  });

  it('is not updated without a resource version', async () => {
    const client = await open();
    const { metadata } = await client.create(sample.make(unique('blind'), 1));
    const error = await apiErrorOf(isInvalid, client.update(sample.make(metadata.name, 2)));
    expect(causesOf(error)).toEqual(['metadata.resourceVersion: FieldValueInvalid']);
  });

  it('is updated by concurrent callers with retryOnConflict', async () => {
    const client = await open();
    const { metadata } = await client.create(sample.make(unique('race'), 1));
    const increment = async (): Promise<Stored<T>> => {
      const read = await client.get(metadata.name);
      return client.update(sample.change(read, sample.expected(read) + 1));
    };
    await Promise.all([1, 2, 3].map(() => retryOnConflict(increment)));
    expect(sample.expected(await client.get(metadata.name))).toBe(4);
  });
}
