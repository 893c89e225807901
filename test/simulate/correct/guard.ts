/** A finalizer at Secrets of users, which cannot be deleted while a site refers to them. */
import { secrets } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { optionsWith, siteOperator, sites, withStatus } from '../sites.ts';

export const because = 'a Secret cannot be deleted, and created again, while it is used';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'credentials', namespace: 'default' },
  stringData: { user: 'admin' },
};
const finalizer = 'web.example.com/in-use';

export const options = { ...optionsWith([{ reference: 'credentials' }, {}]), objects: [secret] };

export const operator = siteOperator(({ rest, informers, own }) => {
  const [all, known] = [informers.of(secrets), informers.of(sites)];
  const client = resource(rest, secrets);
  const guard = async (namespace: string): Promise<void> => {
    const users = known.lister.list({ namespace });
    for (const value of all.lister.list({ namespace })) {
      const { name, finalizers = [], deletionTimestamp } = value.metadata;
      const isUsed = users.some(
        ({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.reference === name,
      );
      const isMissing = isUsed && !finalizers.includes(finalizer) && deletionTimestamp === undefined;
      const isLeft = !isUsed && finalizers.includes(finalizer);
      if (!isMissing && !isLeft) continue;
      const next = isMissing ? [...finalizers, finalizer] : finalizers.filter((each) => each !== finalizer);
      await client.in(namespace).update({ ...value, metadata: { ...value.metadata, finalizers: next } });
    }
  };
  return {
    owns: [],
    watches: [
      {
        informer: all,
        map: () => known.lister.list().map(({ metadata: { namespace, name } }) => ({ namespace, name })),
      },
    ],
    reconcile: async (site) => {
      await guard(site.metadata.namespace);
      await own.in(site.metadata.namespace).updateStatus(withStatus(site, { phase: 'Guarded' }));
    },
    finalize: (site) => guard(site.metadata.namespace),
  };
});
