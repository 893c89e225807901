/** A Deployment that an HPA scales, as with KEDA: a fixed number of replicas takes the place of the HPA. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { horizontalPodAutoscalers } from '@kgen/kubernetes/autoscaling/v2';
import { resource, type Stored } from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import {
  ignoreNotFound,
  labelsOf,
  optionsWith,
  owner,
  type Site,
  siteOperator,
  withStatus,
} from '../sites.ts';

export const because =
  'the Deployment has replicas only while the site has: otherwise the field is that of the HPA';

export const options = optionsWith([{ replicas: 2 }, { settings: { min: '2', max: '5' } }]);

export const operator = siteOperator(({ rest, informers, own }) => ({
  owns: [informers.of(deployments), informers.of(horizontalPodAutoscalers)],
  reconcile: async (site) => {
    const { name, namespace } = site.metadata;
    const { replicas } = site.spec;
    const scalers = resource(rest, horizontalPodAutoscalers).in(namespace);
    if (replicas === undefined) {
      await resource(rest, deployments).in(namespace).apply(deploymentOf(site), owner);
      await scalers.apply(scalerOf(site), owner);
    } else {
      const known = await scalers.find(name);
      if (known !== undefined && isControlledBy(known, site))
        await scalers.delete(name).catch(ignoreNotFound);
      await resource(rest, deployments).in(namespace).apply(deploymentOf(site, { replicas }), owner);
    }
    const phase = replicas === undefined ? 'Scaled' : 'Fixed';
    await own.in(namespace).updateStatus(withStatus(site, { phase }));
  },
}));

function deploymentOf(site: Stored<Site>, scale: { readonly replicas?: number } = {}) {
  const { name, namespace } = site.metadata;
  const labels = labelsOf(site);
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'web', image: site.spec.image }] },
  };
  const spec = { ...scale, selector: { matchLabels: labels }, template };
  return setControllerReference({ metadata: { name, namespace }, spec }, site);
}

function scalerOf(site: Stored<Site>) {
  const { name, namespace } = site.metadata;
  const { min, max } = site.spec.settings ?? {};
  const spec = {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    minReplicas: Number(min ?? 1),
    maxReplicas: Math.max(Number(max ?? 3), Number(min ?? 1)),
  };
  return setControllerReference({ metadata: { name, namespace }, spec }, site);
}
