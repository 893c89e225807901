import { type Clientset, InformerFactory } from '@kgen/kubernetes';
import type { KubernetesObject, Stored } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { template } from '../support/built-in-samples/pods.ts';
import { deadline } from '../support/cluster-tests.ts';
import { record } from '../support/recording.ts';
import { pair } from './clientset-pair.ts';
import { differences } from './differences.ts';
import type { Env } from './env.ts';
import { unexpectedLines } from './expected-differences.ts';
import { otherThanProtobuf } from './traffic.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Registers tests of streamed responses: lists, watches, and features based on them. */
export function streamTests(env: Env): void {
  describe('a list in protobuf', () => {
    it('is equal, complete and in pages', async () => {
      const { protobuf: clientset, json: other, seen } = pair(env);
      const { namespace } = await env.home();
      const [maps, same] = [clientset, other].map(({ coreV1 }) => coreV1.configMaps(namespace));
      if (maps === undefined || same === undefined) throw new Error('two clients are needed');
      const empty = await maps.list();
      const then = {
        resourceVersion: empty.metadata.resourceVersion,
        resourceVersionMatch: 'Exact',
      } as const;
      expect(await same.list(then)).toStrictEqual(empty);
      for (const name of names) await maps.create({ metadata: { name }, data: { name, empty: '' } });
      const { resourceVersion } = (await maps.list()).metadata;
      const exactly = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
      const whole = await same.list(exactly);
      expect(whole.items).toHaveLength(names.length);
      expect(await maps.list(exactly)).toStrictEqual(whole);
      const page = await maps.list({ ...exactly, limit: 3 });
      expect(page).toStrictEqual(await same.list({ ...exactly, limit: 3 }));
      const next = { limit: 3, continue: page.metadata.continue };
      expect(await maps.list(next)).toStrictEqual(await same.list(next));
      const items: unknown[] = [];
      for await (const item of maps.iterate({ ...exactly, pageSize: 2 })) items.push(item);
      expect(items).toStrictEqual(whole.items);
      expect(otherThanProtobuf(seen)).toEqual([]);
    });
  });

  watchTests(env);
  informerTests(env);
}

/** Registers tests of watches. */
export function watchTests(env: Env): void {
  it('yields equal watch events in protobuf', async () => {
    const { protobuf: clientset, json: other, seen } = pair(env);
    const { namespace } = await env.home();
    const pods = clientset.coreV1.pods(namespace);
    const before = await pods.create({ metadata: { name: 'before' }, spec: template.spec });
    const watches = [clientset, other].map(({ coreV1 }) =>
      record(onTestFinished, (signal) => coreV1.pods(namespace).watch({ signal, bookmarks: true })),
    );
    for (const watch of watches) await watch.until((events) => events.length === 2);
    const after = await pods.create({ metadata: { name: 'after' }, spec: template.spec });
    await pods.patch('before', { metadata: { labels: { a: 'b' } } });
    await pods.delete('after', { gracePeriodSeconds: 0 });
    for (const watch of watches) await watch.until((events) => events.some(({ type }) => type === 'DELETED'));
    const [reported, same] = watches.map(({ events }) => events.filter(({ type }) => type !== 'BOOKMARK'));
    expect(reported).toStrictEqual(same);
    expect(reported?.slice(0, 2)).toStrictEqual([
      { type: 'ADDED', object: before },
      { type: 'ADDED', object: after },
    ]);
    expect(new Set(reported?.map(({ type }) => type))).toEqual(new Set(['ADDED', 'MODIFIED', 'DELETED']));
    const [bookmark, sameBookmark] = watches.map(({ events }) => events[1]);
    expect(bookmark?.type).toBe('BOOKMARK');
    expect(Object.keys(bookmark?.object ?? {})).toEqual(Object.keys(sameBookmark?.object ?? {}));
    expect(bookmark?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    for (const watch of watches) await watch.end();
    expect(seen.filter(({ watch }) => watch)).toHaveLength(1);
    expect(otherThanProtobuf(seen)).toEqual([]);
  });
}

type Kept = readonly Stored<KubernetesObject>[];

/** Registers tests of informers. */
export function informerTests(env: Env): void {
  it('fills informers equally in protobuf, also after many changes', async () => {
    const { protobuf: clientset, json: other, seen } = pair(env);
    const { namespace } = await env.home();
    const held = [clientset, other].map((of) => follow(of, namespace));
    await churn(other, namespace, 'early');
    for (const { factory } of held) await factory.start();
    for (const { factory } of held) await factory.waitForSync();
    await churn(clientset, namespace, 'late');
    const last = await other.coreV1.configMaps(namespace).create({ metadata: { name: 'last' } });
    const [ours, theirs] = held;
    await vi.waitFor(() => {
      for (const { kept } of held) {
        expect(Object.values(kept().maps).map(({ metadata }) => metadata.uid)).toContain(last.metadata.uid);
      }
      expect(versionsOf(ours?.kept() ?? {})).toEqual(versionsOf(theirs?.kept() ?? {}));
    }, deadline);
    expect(unexpectedLines('', env.minor, differences(ours?.kept(), theirs?.kept()))).toEqual([]);
    expect(ours?.kept()['roles']?.length).toBeGreaterThan(30);
    expect(seen.filter(({ watch }) => watch).length).toBeGreaterThanOrEqual(6);
    expect(otherThanProtobuf(seen)).toEqual([]);
  });
}

interface Followed {
  readonly factory: InformerFactory;
  kept(): { readonly maps: Kept; readonly [kind: string]: Kept };
}

/** Creates informers of kinds that differ as much as possible. */
function follow(clientset: Clientset, namespace: string): Followed {
  const factory = new InformerFactory(clientset, { namespace });
  onTestFinished(() => factory.stop());
  const { coreV1, appsV1, coordinationV1, batchV1, rbacV1 } = factory;
  const informers = {
    maps: coreV1.configMaps(),
    secrets: coreV1.secrets(),
    pods: coreV1.pods(),
    deployments: appsV1.deployments(),
    leases: coordinationV1.leases(),
    jobs: batchV1.jobs(),
    roles: rbacV1.clusterRoles(),
  };
  const sorted = (objects: Kept): Kept =>
    [...objects].sort((a, b) => (a.metadata.uid < b.metadata.uid ? -1 : 1));
  return {
    factory,
    kept: () => ({
      maps: sorted(informers.maps.lister.list()),
      ...Object.fromEntries(
        Object.entries(informers).map(([key, { lister }]) => [key, sorted(lister.list())]),
      ),
    }),
  };
}

function versionsOf(kept: Readonly<Record<string, Kept>>): readonly string[] {
  return Object.values(kept)
    .flat()
    .map(({ metadata: { name, resourceVersion } }) => `${name} ${resourceVersion}`);
}

/** Creates, changes and deletes objects of each kind. */
async function churn(
  { coreV1, appsV1, coordinationV1 }: Clientset,
  namespace: string,
  prefix: string,
): Promise<void> {
  const labels = { app: 'web' };
  for (const name of names.slice(0, 3).map((letter) => `${prefix}-${letter}`)) {
    const metadata = { name, labels };
    const map = await coreV1.configMaps(namespace).create({ metadata, binaryData: { b: 'AA==' } });
    await coreV1.configMaps(namespace).update({ ...map, data: { changed: 'yes' } });
    await coreV1.secrets(namespace).create({ metadata, data: { b: '/+8=' } });
    await coreV1.pods(namespace).create({ metadata, spec: template.spec });
    const spec = { selector: { matchLabels: labels }, template };
    await appsV1.deployments(namespace).create({ metadata, spec: { replicas: 0, ...spec } });
    await appsV1
      .deployments(namespace)
      .patch(name, { spec: { strategy: { rollingUpdate: { maxSurge: '10%' } } } });
    await coordinationV1
      .leases(namespace)
      .create({ metadata, spec: { renewTime: '2026-01-02T03:04:05.000600Z' } });
  }
  await coreV1.pods(namespace).delete(`${prefix}-a`, { gracePeriodSeconds: 0 });
  await coreV1.secrets(namespace).deleteCollection({ labelSelector: 'app=web' });
}
