/** Leadership, and services outside of the cluster. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@kgen/runtime/objects';
import { type SimulateOptions, simulation } from '@kgen/testing';
import { mapOf, owner, plainOptions, siteOperator, sites, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

/** A service with records under names of its own. */
const records = simulation.service('records', {
  'GET /': (_, items) => items.entries().map(([id, owner]) => ({ id, owner })),
  'POST /': ({ body }, items) => items.add(body),
  'PUT /:name': ({ params, body }, items) => items.set(params.name, body),
  'DELETE /:id': ({ params }, items) => {
    items.delete(params.id);
    return undefined;
  },
});

/**
 * Sends a request to the service. Returns the content of its response.
 * @throws {Error} if the service does not accept it
 */
async function send(method: string, path: string, body?: string): Promise<string> {
  const response = await fetch(`http://records/${path}`, { method, ...(body ? { body } : {}) });
  if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}`);
  return response.text();
}

const finalizer = 'web.example.com/record';
const serviceOptions: SimulateOptions = { ...plainOptions, services: [records] };

export const outside: readonly PlantedBug[] = [
  {
    bug: 'continues a timer after its lease was lost',
    operator: siteOperator(
      ({ plain, informers, maps }) => {
        const timers = new Map<string, NodeJS.Timeout>();
        return {
          owns: [informers.of(configMaps)],
          reconcile: async (site) => {
            const { namespace, uid } = site.metadata;
            await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
            const client = resource(plain, configMaps).in(namespace);
            const beat = (): void =>
              void client.apply(mapOf(site), { ...owner, fieldManager: 'beat' }).catch(() => undefined);
            clearTimeout(timers.get(uid));
            timers.set(uid, setTimeout(beat, 15_000));
          },
        };
      },
      { leaderElection: { name: 'sites' } },
    ),
    options: plainOptions,
    check: 'leadership',
    story: /replica-\d writes while replica-\d leads/,
    line: "client.apply(mapOf(site), { ...owner, fieldManager: 'beat' })",
    foundBy: undefined,
  },
  {
    bug: 'creates a record twice after a crash, as it has no identity of its own',
    operator: siteOperator(({ informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const message = site.status?.message ?? (await send('POST', '', site.metadata.uid));
        await maps.in(site.metadata.namespace).apply(mapOf(site, { image: site.spec.image }), owner);
        await own.in(site.metadata.namespace).updateStatus(withStatus(site, { message }));
      },
      finalize: async (site) => void (await send('DELETE', site.status?.message ?? '-')),
    })),
    options: serviceOptions,
    check: 'deletion',
    story: /records \(service\) item-\d still exists/,
    line: 'await fetch(',
    foundBy: 6,
  },
  {
    bug: 'leaks a record if the object is deleted before its finalizer is added',
    operator: siteOperator(({ rest }) => {
      const client = resource(rest, sites);
      return {
        owns: [],
        reconcile: async (site) => {
          const { namespace, uid } = site.metadata;
          await send('PUT', uid, 'published');
          if (!hasFinalizer(site, finalizer))
            await client.in(namespace).update(addFinalizer(site, finalizer));
        },
        reconcileDeleted: async (site) => {
          const { namespace, uid } = site.metadata;
          if (!hasFinalizer(site, finalizer)) return;
          await send('DELETE', uid);
          await client.in(namespace).update(removeFinalizer(site, finalizer));
        },
      };
    }),
    options: serviceOptions,
    check: 'deletion',
    story: /records \(service\)/,
    line: 'update(addFinalizer(site, finalizer))',
    foundBy: 8,
  },
  {
    bug: 'takes a refused request to a service for success',
    operator: siteOperator(({ own }) => ({
      owns: [],
      reconcile: async (site) => {
        const { namespace, uid } = site.metadata;
        if (site.status?.message === site.spec.image) return;
        await fetch(`http://records/${uid}`, { method: 'PUT', body: site.spec.image });
        await own.in(namespace).updateStatus(withStatus(site, { message: site.spec.image }));
      },
      finalize: async (site) => void (await send('DELETE', site.metadata.uid)),
    })),
    options: serviceOptions,
    check: 'convergence',
    story: /records \(service\)/,
    line: "{ method: 'PUT', body: site.spec.image }",
    foundBy: 17,
  },
  {
    bug: 'removes its finalizer before the record',
    operator: siteOperator(({ rest }) => {
      const client = resource(rest, sites);
      return {
        owns: [],
        reconcile: async (site) => {
          const { namespace, uid } = site.metadata;
          if (!hasFinalizer(site, finalizer))
            await client.in(namespace).update(addFinalizer(site, finalizer));
          await send('PUT', uid, 'published');
        },
        reconcileDeleted: async (site) => {
          const { namespace, uid } = site.metadata;
          if (hasFinalizer(site, finalizer))
            await client.in(namespace).update(removeFinalizer(site, finalizer));
          await send('DELETE', uid);
        },
      };
    }),
    options: serviceOptions,
    check: 'deletion',
    story: /records \(service\)/,
    line: 'update(removeFinalizer(site, finalizer))',
    foundBy: 6,
  },
];
