/** Tests that every operator passes, whatever it creates. */
import { join } from 'node:path';
import type { KubernetesObject } from '@kgen/runtime';
import { applyManifests } from '@kgen/runtime/manifests';
import { expect, it } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { campaign, type Random, randomOf } from '../support/random.ts';
import type { Env } from './env.ts';

/** The objects of one operator, as users and observers see them. */
export interface Subject {
  /** Creates a primary object. */
  create(namespace: string, name: string): Promise<void>;
  /** Changes the desired state of a primary object. */
  change(namespace: string, name: string, random: Random): Promise<void>;
  /** Edits or deletes an object that the operator owns, as far as it exists. */
  disturb(namespace: string, name: string, random: Random): Promise<void>;
  /** Requests the deletion of a primary object. */
  remove(namespace: string, name: string): Promise<void>;
  /** Throws unless a primary object, its dependents and its status have converged. */
  expectConverged(namespace: string, name: string): Promise<void>;
  /** All objects of the kinds that the operator creates. */
  dependents(namespace: string): Promise<readonly KubernetesObject[]>;
}

/** Waits until all of these objects have converged. */
export async function converge(subject: Subject, namespace: string, names: readonly string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        for (const name of names) await subject.expectConverged(namespace, name);
        return 'converged';
      },
      { ...deadline, timeout: 30_000 },
    )
    .toBe('converged');
}

/** Registers the tests. */
export function storyTests(env: () => Env, subject: Subject): void {
  const names = ['a', 'b', 'c', 'd'];
  const createAll = (namespace: string) => Promise.all(names.map((name) => subject.create(namespace, name)));

  it('has a Deployment and a sample that the server accepts', async () => {
    const files = ['config/manager/manager.yaml', 'samples'].map((file) => join(env().folder, file));
    const results = await applyManifests(
      env().kubernetes,
      { files },
      { fieldManager: 'test', dryRun: 'All' },
    );
    expect(results.length).toBeGreaterThan(1);
    expect(results.filter(({ error }) => error !== undefined)).toEqual([]);
  });

  it('repairs what others edit and delete, and rests', async () => {
    const namespace = await env().namespace();
    await createAll(namespace);
    await converge(subject, namespace, names);
    const random = randomOf(1);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(names.map((name) => subject.disturb(namespace, name, random)));
      await converge(subject, namespace, names);
    }
    await env().rest();
    await converge(subject, namespace, names);
  });

  it.each(campaign('killed operators', { rounds: 2 }))(
    'converges after it was killed at random moments, seed %i',
    async (seed) => {
      const random = randomOf(seed);
      const namespace = await env().namespace();
      const created: string[] = [];
      for (let kills = 0; kills < 3; kills += 1) {
        const batch = names.map((name) => `${name}${kills}`);
        const before = env().writesIn(namespace).length;
        await Promise.all(batch.map((name) => subject.create(namespace, name)));
        created.push(...batch);
        const until = before + 1 + random.int(2 * batch.length);
        await expect
          .poll(() => env().writesIn(namespace).length, { ...deadline, interval: 1 })
          .toBeGreaterThanOrEqual(until);
        await env().kill();
        for (const name of random.some(created, created.length)) {
          await (random.chance(0.5) ? subject.change : subject.disturb)(namespace, name, random);
        }
        env().operator.start();
      }
      await converge(subject, namespace, created);
    },
  );

  it('continues after the API server was restarted', async () => {
    const namespace = await env().namespace();
    await createAll(namespace);
    await converge(subject, namespace, names);
    await env().plane.restart();
    const random = randomOf(2);
    await Promise.all(names.map((name) => subject.change(namespace, name, random)));
    await Promise.all(names.map((name) => subject.disturb(namespace, name, random)));
    await converge(subject, namespace, names);
  });

  it('leaves nothing behind when its objects are deleted', async () => {
    const namespace = await env().namespace();
    await createAll(namespace);
    await converge(subject, namespace, names);
    await Promise.all(names.map((name) => subject.remove(namespace, name)));
    await expect.poll(() => subject.dependents(namespace), deadline).toEqual([]);
    await env().rest();
    expect(await subject.dependents(namespace)).toEqual([]);
  });

  it('stops with the exit code 0 after SIGTERM, and releases its lease', async () => {
    expect(await env().operator.stop()).toBe(0);
    const { kubernetes } = env();
    const { items } = await kubernetes.coordinationV1.leases().list();
    const lease = items.find(({ metadata }) => metadata.name === metadata.namespace);
    expect(lease?.spec?.holderIdentity ?? '').toBe('');
    env().operator.start();
    await expect.poll(() => env().requests().length, deadline).toBeGreaterThan(0);
  });
}
