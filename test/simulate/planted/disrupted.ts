/** Pods that are lost or evicted for a moment: operators that take this for the end. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { ignoreNotFound, labelsOf, optionsWith, owner, type Site, siteOperator, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const options = optionsWith([{ replicas: 2 }]);

export const disrupted: readonly PlantedBug[] = [
  {
    bug: 'replaces a Deployment whose Pods are not ready for a moment',
    operator: siteOperator(({ rest, informers, own }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const client = resource(rest, deployments).in(namespace);
        const ready = (await client.find(name))?.status?.readyReplicas ?? 0;
        if (ready === 0 && site.status?.phase === 'Ready') {
          await client.delete(name).catch(ignoreNotFound);
          await own.in(namespace).updateStatus(withStatus(site, { phase: 'Replaced' }));
          return;
        }
        await client.apply(deploymentOf(site), owner);
        const phase = ready > 0 ? 'Ready' : 'Waiting';
        await own.in(namespace).updateStatus(withStatus(site, { phase }));
      },
    })),
    options,
    check: 'identity',
    story: /deployments\.apps default\/\S+ was deleted and created again[^]*the nodes are lost/,
    line: 'client.delete(name)',
    foundBy: 13,
  },
  {
    bug: 'counts each moment without ready Pods as a failure for ever',
    operator: siteOperator(({ rest, informers, own }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const client = resource(rest, deployments).in(namespace);
        const { status } = await client.apply(deploymentOf(site), owner);
        const isReady = (status?.readyReplicas ?? 0) > 0;
        const isDown = !isReady && (site.status?.phase === 'Ready' || site.status?.phase === 'Failed');
        const phase = isDown || site.status?.phase === 'Failed' ? 'Failed' : isReady ? 'Ready' : 'Waiting';
        await own.in(namespace).updateStatus(withStatus(site, { phase }));
      },
    })),
    options,
    check: 'convergence',
    story: /status\.phase/,
    line: 'updateStatus(withStatus(site, { phase })',
    foundBy: 9,
  },
];

function deploymentOf(site: Stored<Site>) {
  const { name, namespace } = site.metadata;
  const labels = labelsOf(site);
  const containers = [{ name: 'web', image: site.spec.image }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: site.spec.replicas ?? 1, selector: { matchLabels: labels }, template };
  return setControllerReference({ metadata: { name, namespace }, spec }, site);
}
