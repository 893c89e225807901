/** Apps that compete for one ConfigMap: the oldest has it, and with equal times the first by name. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { myApps } from '../../../generated/crds/my.domain/v1/index.ts';
import { type App, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'each change of an app wakes the others, and the order does not depend on the cache';

const owner = { fieldManager: 'oldest', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const apps = informers.of(myApps);
  const maps = informers.of(configMaps);
  const others = () => apps.lister.list({}).map(({ metadata: { namespace, name } }) => ({ namespace, name }));
  const client = resource(rest, configMaps);
  return {
    owns: [maps],
    watches: [
      { informer: apps, map: others },
      { informer: maps, map: others },
    ],
    reconcile: async (app) => {
      const { namespace } = app.metadata;
      const rivals = apps.lister
        .list({ namespace })
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .sort(byAge);
      const winner = rivals[0] ?? app;
      const isWinner = winner.metadata.uid === app.metadata.uid;
      const known = maps.lister.get(namespace, 'leader');
      if (isWinner && known !== undefined && !isControlledBy(known, app))
        await client.in(namespace).delete('leader', { preconditions: { uid: known.metadata.uid } });
      else if (isWinner) {
        const map = { metadata: { name: 'leader', namespace }, data: { version: app.spec.version } };
        await client.in(namespace).apply(setControllerReference(map, app), owner);
      }
      await writeStatus(rest, app, withMessage(app, `${winner.metadata.name} leads`, isWinner));
    },
  };
});

function byAge(a: App, b: App): number {
  const [one, other] = [a.metadata, b.metadata];
  return one.creationTimestamp === other.creationTimestamp
    ? one.name.localeCompare(other.name)
    : one.creationTimestamp.localeCompare(other.creationTimestamp);
}
