/** Time: operators whose clock is a timer, or the clock of another one. */
import { jobs } from '@kgen/kubernetes/batch/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import {
  generatedMapOf,
  ignoreNotFound,
  mapOf,
  optionsWith,
  owner,
  plainOptions,
  siteOperator,
  withStatus,
} from '../sites.ts';
import type { PlantedBug } from './bug.ts';

export const times: readonly PlantedBug[] = [
  {
    bug: 'misses an expiry while it is down',
    operator: siteOperator(({ informers, maps }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { namespace, creationTimestamp } = site.metadata;
          const name = `${site.metadata.name}-token`;
          const { ttlSeconds = 10, image } = site.spec;
          await maps.in(site.metadata.namespace).apply(mapOf(site, { image }), owner);
          const isNew = Date.now() < Date.parse(creationTimestamp) + ttlSeconds * 1_000;
          if (!isNew || cached.lister.get(namespace, name) !== undefined) return;
          await maps.in(site.metadata.namespace).apply(mapOf(site, { token: image }, name), owner);
          const expire = () =>
            maps
              .in(namespace)
              .delete(name)
              .catch(ignoreNotFound)
              .catch(() => undefined);
          setTimeout(expire, ttlSeconds * 1_000);
        },
      };
    }),
    options: optionsWith([{ ttlSeconds: 50_000 }, { ttlSeconds: 60_000 }]),
    check: 'time',
    story: /configmaps default\/\S+-token is deleted within \d+ hours/,
    line: '',
    foundBy: 0,
  },
  {
    bug: 'renews a certificate some time after its own start, not after the creation',
    operator: siteOperator(({ informers, maps }) => {
      const renewals = new Map<string, number>();
      return {
        owns: [informers.of(configMaps)],
        reconcile: async (site) => {
          const { uid, namespace, name } = site.metadata;
          const everyMs = 20 * 3_600_000;
          const dueMs = renewals.get(uid) ?? Date.now() + everyMs;
          const isDue = Date.now() >= dueMs;
          const known = await maps.in(namespace).find(name);
          const number = Number(known?.data?.['number'] ?? 0) + (isDue ? 1 : 0);
          await maps.in(namespace).apply(mapOf(site, { number: String(number) }), owner);
          renewals.set(uid, isDue ? Date.now() + everyMs : dueMs);
          return { requeueAfterMs: everyMs };
        },
      };
    }),
    options: plainOptions,
    check: 'time',
    story: /configmaps default\/\S+ changes within \d+ (hours|days) while the operator runs/,
    line: '',
    foundBy: 0,
  },
  {
    bug: 'notices an expiry only when it starts',
    operator: siteOperator(({ own }) => ({
      owns: [],
      reconcile: async (site) => {
        const { namespace, creationTimestamp } = site.metadata;
        const isOld = Date.now() - Date.parse(creationTimestamp) > 50_000_000;
        await own.in(namespace).updateStatus(withStatus(site, { phase: isOld ? 'Expired' : 'Valid' }));
      },
    })),
    options: plainOptions,
    check: 'time',
    story: /sites\S* default\/\S+ changes if the operator is down for \d+ hours and starts again/,
    line: '',
    foundBy: 0,
  },
  {
    bug: 'does a periodic action again after a restart',
    operator: siteOperator(({ rest }) => {
      const done = new Map<string, number>();
      return {
        owns: [],
        reconcile: async (site) => {
          const { name, namespace, uid } = site.metadata;
          const { everySeconds = 3_600, image } = site.spec;
          const nextMs = (done.get(uid) ?? 0) + everySeconds * 1_000;
          const now = Date.now();
          if (now < nextMs) return { requeueAfterMs: nextMs - now };
          const spec = { restartPolicy: 'Never', containers: [{ name: 'backup', image }] };
          const job = { metadata: { generateName: `${name}-`, namespace }, spec: { template: { spec } } };
          await resource(rest, jobs).in(namespace).create(setControllerReference(job, site));
          done.set(uid, now);
          return { requeueAfterMs: everySeconds * 1_000 };
        },
      };
    }),
    options: optionsWith([{ everySeconds: 86_400 }, { everySeconds: 43_200 }]),
    check: 'restart',
    story: /jobs\S* default\/\S+-\* (\(\d\) )?should not exist/,
    line: '.create(setControllerReference(job, site))',
    foundBy: 0,
  },
  {
    bug: 'compares its clock with that of the server to find out what is new',
    operator: siteOperator(({ rest, informers }) => {
      const client = resource(rest, configMaps);
      return {
        owns: [informers.of(configMaps)],
        reconcile: async (site) => {
          const { namespace, creationTimestamp } = site.metadata;
          const isNew = Date.now() - Date.parse(creationTimestamp) < 10_000;
          const { items } = await client.in(namespace).list({ labelSelector: { site: site.metadata.name } });
          if (items.length === 0 && isNew) await client.in(namespace).create(generatedMapOf(site));
          for (const { metadata } of items)
            await client.in(namespace).patch(metadata.name, { data: { image: site.spec.image } });
        },
      };
    }),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'convergence',
    story: /configmaps \S+-\* (is missing|should exist)/,
    line: '.create(generatedMapOf(site))',
    foundBy: 9,
  },
];
