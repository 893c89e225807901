import { InformerFactory } from '@kgen/kubernetes';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { catalog, isCatalogKey } from '@kgen/kubernetes/catalog';
import {
  nodeProxy,
  podAttach,
  podExec,
  podPortForward,
  podProxy,
  pods,
  serviceProxy,
  watchConfigMaps,
} from '@kgen/kubernetes/core/v1';
import { isNotFound, resource } from '@kgen/runtime';
import { connectRequest } from '@kgen/runtime/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deadline } from '../support/cluster-tests.ts';
import { apiErrorOf } from '../support/errors.ts';
import { record } from '../support/recording.ts';
import type { Env } from './env.ts';

const labels = { app: 'web' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const spec = { replicas: 1, selector: { matchLabels: labels }, template };

/**
 * Registers tests of other access paths to the same objects: descriptors, the catalog, watch helpers,
 * informers, connect requests.
 */
export function accessTests(env: Env): void {
  describe('alternative access', () => {
    it('uses a descriptor', async () => {
      const namespace = await env.namespace();
      const { rest } = env.clientset;
      const here = resource(rest, pods).in(namespace);
      const created = await here.create({ metadata: { name: 'web' }, spec: template.spec });
      const everywhere = await resource(rest, pods).list({
        fieldSelector: { 'metadata.namespace': namespace },
      });
      expect(everywhere.items).toEqual([created]);
      expect(await env.clientset.coreV1.pods(namespace).get('web')).toEqual(created);
    });

    it('uses the catalog', async () => {
      const namespace = await env.namespace();
      const { rest } = env.clientset;
      const descriptor = await catalog['apps/v1/Deployment']();
      expect(descriptor).toBe(deployments);
      const created = await resource(rest, descriptor)
        .in(namespace)
        .create({ metadata: { name: 'web' }, spec });
      const { apiVersion, kind } = created;
      const key = `${apiVersion}/${kind}`;
      expect(isCatalogKey(key)).toBe(true);
      expect(isCatalogKey('apps/v1/Cabbage')).toBe(false);
      expect(isCatalogKey('toString')).toBe(false);
    });

    it('uses a watch helper', async ({ onTestFinished: finished }) => {
      const namespace = await env.namespace();
      const { rest, coreV1 } = env.clientset;
      const watch = record(finished, (signal) =>
        watchConfigMaps(rest, { namespace, signal, labelSelector: labels }),
      );
      const maps = coreV1.configMaps(namespace);
      await maps.create({ metadata: { name: 'web', labels }, data: { a: '1' } });
      await watch.until((events) => events.length > 0);
      await maps.patch('web', { data: { a: '2' } });
      await maps.patch('web', { metadata: { labels: null } });
      await watch.until((events) => events.at(-1)?.type === 'DELETED');
      expect(watch.events.map(({ type, object }) => [type, object.data?.['a']])).toEqual([
        ['ADDED', '1'],
        ['MODIFIED', '2'],
        ['DELETED', '2'],
      ]);
      await watch.end();
    });
  });

  informerTests(env);
  connectTests(env);
}

function informerTests(env: Env): void {
  it('shares one factory for informers of many groups', async () => {
    const namespace = await env.namespace();
    const factory = new InformerFactory(env.clientset, { namespace });
    onTestFinished(() => factory.stop());
    const informers = {
      deployments: factory.appsV1.deployments(),
      replicaSets: factory.appsV1.replicaSets(),
      pods: factory.coreV1.pods(),
      roles: factory.rbacV1.roles(),
      leases: factory.coordinationV1.leases(),
      namespaces: factory.coreV1.namespaces({ fieldSelector: { 'metadata.name': namespace } }),
    };
    const byImage = informers.pods.addIndex('image', (pod) =>
      pod.spec.containers.map(({ image }) => image ?? ''),
    );
    const added: string[] = [];
    informers.deployments.handle({
      add: ({ metadata }, { isInitial }) => void added.push(`${metadata.name} ${isInitial}`),
    });
    await factory.start();
    await factory.waitForSync();
    expect(informers.namespaces.lister.get(namespace)?.status.phase).toBe('Active');
    expect(informers.roles.lister.list()).toEqual([]);
    await env.clientset.appsV1.deployments(namespace).create({ metadata: { name: 'web' }, spec });
    await vi.waitFor(() => {
      const [set] = informers.replicaSets.lister.list({ labelSelector: labels });
      const [pod] = byImage.get('web:1');
      expect(pod?.metadata.ownerReferences?.[0]?.uid).toBe(set?.metadata.uid ?? 'none yet');
      expect(added).toEqual(['web false']);
    }, deadline);
    expect(factory.of(pods)).toBe(informers.pods);
    // The namespace of a factory does not apply to cluster-scoped objects.
    expect(informers.namespaces.lister.list()).toHaveLength(1);
  });
}

/** Registers tests of the URLs of connect requests; the connections themselves are opened by other tests. */
function connectTests(env: Env): void {
  const target = { namespace: 'shop', name: 'web-0' };

  it.each([
    {
      of: 'exec',
      request: connectRequest(podExec, target, {
        command: ['sh', '-c', 'ls'],
        container: 'web',
        stdout: true,
        tty: false,
      }),
      want: 'GET /api/v1/namespaces/shop/pods/web-0/exec?command=sh&command=-c&command=ls&container=web&stdout=true&tty=false',
    },
    {
      of: 'attach',
      request: connectRequest(podAttach, { ...target, method: 'POST' }, { stdin: true }),
      want: 'POST /api/v1/namespaces/shop/pods/web-0/attach?stdin=true',
    },
    {
      of: 'port-forward',
      request: connectRequest(podPortForward, target, { ports: [80, 443] }),
      want: 'GET /api/v1/namespaces/shop/pods/web-0/portforward?ports=80&ports=443',
    },
    {
      of: "a pod's proxy",
      request: connectRequest(podProxy, {
        ...target,
        name: 'web-0:http',
        path: 'api/a b',
        query: { page: 2 },
      }),
      want: 'GET /api/v1/namespaces/shop/pods/web-0%3Ahttp/proxy/api/a%20b?page=2',
    },
    {
      of: "a service's proxy",
      request: connectRequest(serviceProxy, { namespace: 'shop', name: 'https:web:443', path: '/' }),
      want: 'GET /api/v1/namespaces/shop/services/https%3Aweb%3A443/proxy/',
    },
    {
      of: "a node's proxy",
      request: connectRequest(nodeProxy, { name: 'n1', path: 'healthz', method: 'DELETE' }),
      want: 'DELETE /api/v1/nodes/n1/proxy/healthz',
    },
  ])('rejects a request for $of', ({ request: { method, path, query }, want }) => {
    const text = new URLSearchParams(
      [...query].map(([name, value]): [string, string] => [name, value]),
    ).toString();
    expect(`${method} ${path}${text === '' ? '' : `?${text}`}`).toBe(want);
  });

  it('accepts a valid request', async () => {
    const target = { namespace: await env.namespace(), name: 'http:web:http', path: 'api/a b' };
    const error = await apiErrorOf(
      isNotFound,
      env.clientset.rest.stream(connectRequest(serviceProxy, target)),
    );
    expect(error.message).toMatch(/^connect services\/proxy .*: 404 NotFound: services "web" not found$/);
  });
}
