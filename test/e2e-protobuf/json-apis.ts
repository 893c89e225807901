import { createAuthority } from '@kgen/certificates/authority';
import type { Clientset } from '@kgen/kubernetes';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { condition, isNotFound, resource } from '@kgen/runtime';
import { dynamicResource } from '@kgen/runtime/dynamic';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Clientset as CustomClientset } from '../../generated/crds/index.ts';
import { deadline, unique } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import { pair } from './clientset-pair.ts';
import type { Env } from './env.ts';
import { JsonServer } from './json-server.ts';
import { json, protobuf } from './raw-client.ts';

/** Registers tests of APIs that support only JSON, in the clientset that uses protobuf for all others. */
export function jsonApiTests(env: Env): void {
  describe('an API without protobuf', () => {
    it('of custom resources works in the same clientset', async () => {
      const { protobuf: clientset, seen } = pair(env);
      const custom = new CustomClientset(clientset.rest);
      const { namespace } = await env.home();
      const apps = custom.myV1.myApps(namespace);
      const watch = record(onTestFinished, (signal) => apps.watch({ signal }));
      const created = await apps.create({ metadata: { name: 'a' }, spec: { appName: 'a', version: '1' } });
      // A watch begins with a list, which may be too late to contain the first state.
      await watch.until((events) => events.length === 1);
      const updated = await apps.update({ ...created, spec: { ...created.spec, version: '2' } });
      expect((await apps.list()).items).toEqual([updated]);
      await apps.delete('a');
      await apiErrorOf(isNotFound, apps.get('a'));
      await watch.until((events) => events.length === 3);
      expect(watch.events.slice(0, 2).map(({ object }) => object)).toEqual([created, updated]);
      await clientset.coreV1.configMaps(namespace).create({ metadata: { name: 'a' } });
      const done = seen.filter(({ status }) => status < 300);
      expect(done.slice(0, -1).filter(({ received }) => received !== json)).toEqual([]);
      expect(done.at(-1)).toMatchObject({ received: protobuf });
      expect(seen.filter(({ sent }) => sent === protobuf)).toEqual([]);
    });

    aggregatedTests(env);
  });
}

/**
 * Returns a descriptor as of a built-in kind: it has codecs, although the server does not support protobuf.
 */
function descriptorOf(plural: string): typeof configMaps {
  return { ...configMaps, group: 'json.example.com', plural };
}

function aggregatedTests(env: Env): void {
  it('of an aggregated server works in the same clientset', async () => {
    const { protobuf: clientset, seen } = pair(env);
    const server = await aggregate(env, clientset);
    const { namespace } = await env.home();
    for (const plural of ['notes', 'stricts']) {
      const client = resource(clientset.rest, descriptorOf(plural)).in(namespace);
      const watch = record(onTestFinished, (signal) => client.watch({ signal }));
      const created = await client.create({ metadata: { name: 'a' }, data: { a: 'b' } });
      const updated = await client.update({ ...created, data: { a: 'c' } });
      const next = await client.create({ metadata: { name: 'b' } });
      expect((await client.list()).items).toEqual([updated, next]);
      expect(await client.get('a')).toEqual(updated);
      await apiErrorOf(isNotFound, client.get('nobody'));
      await watch.until((events) => events.some(({ object }) => object.metadata.name === 'b'));
      expect(watch.events.at(-1)).toEqual({ type: 'ADDED', object: next });
      await watch.end();
    }
    const untyped = {
      group: 'json.example.com',
      version: 'v1',
      resource: 'notes',
      kind: 'ConfigMap',
    } as const;
    const dynamic = resource(clientset.rest, dynamicResource({ ...untyped, scope: 'Namespaced' }));
    expect((await dynamic.in(namespace).list()).items).toHaveLength(2);
    expect(new Set(server.requested.map(({ contentType }) => contentType))).toEqual(new Set(['', json]));
    // A request that is not acceptable is retried once as JSON; later requests use JSON at once.
    const strict = server.requested.filter(({ request }) => request.endsWith(' stricts'));
    expect(strict.filter(({ accept }) => accept !== json).length).toBeLessThanOrEqual(2);
    expect(server.requested.some(({ accept }) => accept.startsWith(protobuf))).toBe(true);
    expect(seen.filter(({ received }) => received === protobuf).length).toBeGreaterThan(0);
  });
}

/**
 * Registers a server behind the real one. It is addressed by name, because the real server does not forward
 * requests to loopback addresses.
 */
async function aggregate(env: Env, { coreV1, apiregistrationV1 }: Clientset): Promise<JsonServer> {
  const { namespace } = await env.home();
  const name = unique('json');
  const authority = await createAuthority();
  const host = `${name}.${namespace}.svc`;
  const server = new JsonServer(await authority.issueServer(host, { names: [host], addresses: [] }));
  onTestFinished(() => server.stop());
  const port = await server.start();
  await coreV1.services(namespace).create({
    metadata: { name },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
  });
  await apiregistrationV1.apiServices().create({
    metadata: { name: 'v1.json.example.com' },
    spec: {
      group: 'json.example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      caBundle: Buffer.from(authority.cert).toString('base64'),
      service: { namespace, name, port },
    },
  });
  await apiregistrationV1
    .apiServices()
    .waitFor('v1.json.example.com', condition('Available'), { timeoutMs: deadline.timeout });
  return server;
}
