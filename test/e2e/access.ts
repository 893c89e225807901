import { resource } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { showcases } from '../../generated/crds/features.example.com/v2/index.ts';
import { Clientset, InformerFactory } from '../../generated/crds/index.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import type { Env } from './env.ts';

const spec = { appName: 'a', version: '1' };

/**
 * Registers tests of other access paths to the same objects: descriptors, shared connections, shared
 * informers, a kubeconfig.
 */
export function accessTests(env: Env): void {
  describe('alternative access', () => {
    it('uses a descriptor', async () => {
      const namespace = await env.namespace();
      const { rest } = env.clientset;
      const apps = resource(rest, myApps);
      const created = await apps.in(namespace).create({ metadata: { name: 'a' }, spec });
      const { items } = await apps.list({ fieldSelector: { 'metadata.namespace': namespace } });
      expect(items).toEqual([created]);
      const name = unique('door');
      await resource(rest, showcases).create({ metadata: { name }, spec: { color: 'red', nothing: null } });
      expect((await env.clientset.featuresV2.showcases().get(name)).spec?.color).toBe('red');
    });

    it('uses a clientset over the connections of another', async () => {
      const namespace = await env.namespace();
      const shared = new Clientset(env.clientset.rest);
      const created = await shared.myV1.myApps(namespace).create({ metadata: { name: 'a' }, spec });
      await shared.close();
      expect(await env.clientset.myV1.myApps(namespace).get('a')).toEqual(created);
    });

    it('uses a kubeconfig', async () => {
      const namespace = await env.namespace();
      const clientset = new Clientset(await parseKubeconfig(env.kubeconfig));
      onTestFinished(() => clientset.close());
      const created = await clientset.myV1.myApps(namespace).create({ metadata: { name: 'a' }, spec });
      expect(await env.clientset.myV1.myApps(namespace).get('a')).toEqual(created);
    });
  });

  informerDoorTests(env);
}

function informerDoorTests(env: Env): void {
  it('shares an informer with equal options, also with another factory', async () => {
    const namespace = await env.namespace();
    await env.clientset.myV1.myApps(namespace).create({ metadata: { name: 'a' }, spec });
    const factory = new InformerFactory(env.clientset, { namespace });
    onTestFinished(() => factory.stop());
    const informer = factory.myV1.myApps();
    expect(factory.myV1.myApps()).toBe(informer);
    expect(factory.of(myApps)).toBe(informer);
    const other = new InformerFactory(factory, { namespace });
    expect(other.myV1.myApps()).toBe(informer);
    await other.start();
    await factory.waitForSync();
    expect(informer.lister.get(namespace, 'a')?.spec).toEqual(spec);
  });

  it.each([true, false])('informs about a cluster-scoped kind (streaming: %j)', async (streaming) => {
    const group = unique('group');
    const name = unique('seen');
    const client = env.clientset.featuresV2.showcases();
    const metadata = { name, labels: { group } };
    const created = await client.create({ metadata, spec: { color: 'red', nothing: null } });
    const factory = new InformerFactory(env.clientset, { streaming, keepManagedFields: true });
    onTestFinished(() => factory.stop());
    const { lister } = factory.featuresV2.showcases({ labelSelector: { group } });
    await factory.start();
    await factory.waitForSync();
    // A list from the server's cache may lag behind the creation.
    await vi.waitFor(() => expect(lister.list()).toEqual([created]), deadline);
    expect(lister.get(name)).toEqual(created);
    await client.delete(name);
    await vi.waitFor(() => expect(lister.list()).toEqual([]), deadline);
  });
}
