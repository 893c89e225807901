import { isInvalid, type OwnerReference, type Stored } from '@kgen/runtime';
import { describe, expect, it, vi } from 'vitest';
import type { MyApp, MyAppClient } from '../../generated/crds/my.domain/v1/index.ts';
import type { FooClient } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';

interface Family {
  readonly apps: MyAppClient;
  readonly foos: FooClient;
  readonly owner: Stored<MyApp>;
}

function ownedBy({ apiVersion, kind, metadata }: Stored<MyApp>): OwnerReference {
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    blockOwnerDeletion: true,
    controller: true,
  };
}

/** Creates an owner of one kind and two dependents of another. */
async function family(env: Env, finalizers: string[] = []): Promise<Family> {
  const namespace = await env.namespace();
  const apps = env.clientset.myV1.myApps(namespace);
  const foos = env.clientset.samplecontrollerV1alpha1.foos(namespace);
  const owner = await apps.create({ metadata: { name: 'owner' }, spec: { appName: 'a', version: '1' } });
  const ownerReferences = [ownedBy(owner)];
  for (const name of ['one', 'two']) {
    await foos.create({ metadata: { name, ownerReferences, finalizers }, spec: { image: 'x' } });
  }
  await foos.create({ metadata: { name: 'stranger' }, spec: { image: 'x' } });
  await seenByCollector({ apps, foos });
  return { apps, foos, owner };
}

/**
 * Waits until the garbage collector has seen every object created so far. It discovers a new kind up to half
 * a minute late, and considers an owner whose dependents it has not seen as one without dependents. Events of
 * a kind arrive in order: when it has deleted the object that was created last, it has seen all others.
 */
async function seenByCollector({ apps, foos }: Pick<Family, 'apps' | 'foos'>): Promise<void> {
  const canary = await apps.create({ metadata: { name: 'canary' }, spec: { appName: 'a', version: '1' } });
  await foos.create({
    metadata: { name: 'fledgling', ownerReferences: [ownedBy(canary)] },
    spec: { image: 'x' },
  });
  await apps.delete('canary', { propagationPolicy: 'Background' });
  await foos.waitFor('fledgling', (foo) => foo === undefined);
}

async function names(foos: FooClient): Promise<readonly string[]> {
  return (await foos.list()).items.map(({ metadata }) => metadata.name);
}

/** Registers tests of the dependents of a deleted object. */
export function ownershipTests(env: Env): void {
  describe('delete of an owner', () => {
    it('in the background removes it first, and then its dependents', async () => {
      const { apps, foos } = await family(env);
      await apps.delete('owner', { propagationPolicy: 'Background' });
      expect(await apps.find('owner')).toBeUndefined();
      await vi.waitFor(async () => expect(await names(foos)).toEqual(['stranger']), deadline);
    });

    it('in the foreground removes its dependents first', async ({ onTestFinished }) => {
      const hold = 'example.com/hold';
      const { apps, foos } = await family(env, [hold]);
      const watch = record(onTestFinished, (signal) => apps.watch({ signal }));
      const response = await apps.delete('owner', { propagationPolicy: 'Foreground' });
      expect(response).toMatchObject({ kind: 'MyApp', metadata: { finalizers: ['foregroundDeletion'] } });
      // The collector has started, and finalizers hold the dependents back, so the owner has to stay.
      await vi.waitFor(async () => {
        const { metadata } = await foos.get('one');
        expect(metadata.deletionTimestamp).toBeDefined();
      }, deadline);
      expect((await apps.get('owner')).metadata.deletionTimestamp).toBeDefined();
      for (const name of ['one', 'two']) await foos.patch(name, { metadata: { finalizers: null } });
      await apps.waitFor('owner', (owner) => owner === undefined);
      expect(await names(foos)).toEqual(['stranger']);
      await watch.until((events) => events.at(-1)?.type === 'DELETED');
      await watch.end();
    });

    it('with orphan keeps its dependents, without an owner reference', async () => {
      const { apps, foos } = await family(env);
      await apps.deleteAndWait('owner', { propagationPolicy: 'Orphan' });
      expect(await names(foos)).toEqual(['one', 'stranger', 'two']);
      const one = await foos.get('one');
      expect(one.metadata.ownerReferences ?? []).toEqual([]);
    });

    it('without dependents and in the foreground completes', async () => {
      const apps = env.clientset.myV1.myApps(await env.namespace());
      await apps.create({ metadata: { name: 'alone' }, spec: { appName: 'a', version: '1' } });
      await apps.deleteAndWait('alone', { propagationPolicy: 'Foreground' });
      expect(await apps.find('alone')).toBeUndefined();
    });

    policyTests(env);
  });
}

function policyTests(env: Env): void {
  it('with an unknown propagation policy is rejected', async () => {
    const { apps } = await family(env);
    // @ts-expect-error three policies exist
    await apiErrorOf(isInvalid, apps.delete('owner', { propagationPolicy: 'Sideways' }));
    expect((await apps.get('owner')).metadata.deletionTimestamp).toBeUndefined();
  });
}
