/** Leadership, and services outside of the cluster. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@kgen/runtime/objects';
import { mapOf, owner, plainOptions, siteOperator, sites, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

/** A service with records: each creation has another number. */
class RecordService {
  readonly records = new Map<string, string>();
  #created = 0;

  readonly start = (): void => {
    this.records.clear();
    this.#created = 0;
  };

  create(target: string): string {
    this.#created += 1;
    const id = `record-${this.#created}`;
    this.records.set(id, target);
    return id;
  }
}

const twice = new RecordService();
const leaked = new RecordService();
const finalizer = 'web.example.com/record';

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
        const message = site.status?.message ?? twice.create(site.metadata.uid);
        await maps.in(site.metadata.namespace).apply(mapOf(site, { image: site.spec.image }), owner);
        await own.in(site.metadata.namespace).updateStatus(withStatus(site, { message }));
      },
      finalize: async (site) => void twice.records.delete(site.status?.message ?? ''),
    })),
    options: { ...plainOptions, start: twice.start },
    check: 'convergence',
    story: /record-\d+/,
    line: '',
    foundBy: 16,
  },
  {
    bug: 'leaks a record if the object is deleted before its finalizer is added',
    operator: siteOperator(({ rest }) => {
      const client = resource(rest, sites);
      return {
        owns: [],
        reconcile: async (site) => {
          const { namespace, uid } = site.metadata;
          const known = [...leaked.records.values()].includes(uid);
          if (!known) leaked.create(uid);
          if (!hasFinalizer(site, finalizer))
            await client.in(namespace).update(addFinalizer(site, finalizer));
        },
        reconcileDeleted: async (site) => {
          const { namespace, uid } = site.metadata;
          if (!hasFinalizer(site, finalizer)) return;
          for (const [id, target] of leaked.records) if (target === uid) leaked.records.delete(id);
          await client.in(namespace).update(removeFinalizer(site, finalizer));
        },
      };
    }),
    options: { ...plainOptions, start: leaked.start },
    check: 'services',
    story: /record-\d+/,
    line: 'leaked.create(uid)',
    foundBy: undefined,
  },
];
