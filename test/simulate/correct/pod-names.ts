/** A Deployment, and a status with the names of its Pods in one text. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { pods } from '@kgen/kubernetes/core/v1';
import { type ObjectMeta, resource, type StoredObject } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { labelsOf, optionsWith, owner, siteOperator, withStatus } from '../sites.ts';

export const because = 'it watches the Pods, and sorts their names, which are others in each run';

export const options = optionsWith([{ replicas: 2 }, { replicas: 1 }]);

export const operator = siteOperator(({ rest, informers, own }) => {
  const known = informers.of(pods);
  const client = resource(rest, deployments);
  return {
    owns: [informers.of(deployments)],
    watches: [{ informer: known, map: siteOf }],
    reconcile: async (site) => {
      const { name, namespace } = site.metadata;
      const labels = labelsOf(site);
      const template = {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: site.spec.image }] },
      };
      const replicas = Math.min(site.spec.replicas ?? 1, 4);
      const spec = { replicas, selector: { matchLabels: labels }, template };
      const deployment = setControllerReference({ metadata: { name, namespace, labels }, spec }, site);
      await client.in(namespace).apply(deployment, owner);
      const living = known.lister
        .list({ namespace, labelSelector: labels })
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const message = living
        .map(({ metadata, status }) => `${metadata.name}@${status?.podIP ?? ''}`)
        .sort()
        .join(',');
      await own.in(namespace).updateStatus(withStatus(site, { message }));
    },
  };
});

function siteOf({ metadata }: StoredObject) {
  const { namespace = '', labels }: ObjectMeta = metadata;
  const name = labels?.['site'];
  return name === undefined ? [] : [{ namespace, name }];
}
