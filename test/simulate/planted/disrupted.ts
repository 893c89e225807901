/** Pods that are lost for a moment, webhooks and autoscalers: operators that do not expect them. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { horizontalPodAutoscalers } from '@kgen/kubernetes/autoscaling/v2';
import { resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import {
  ignoreNotFound,
  labelsOf,
  optionsWith,
  owner,
  type Site,
  siteOperator,
  withStatus,
} from '../sites.ts';
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
    story: /deployments\.apps default\/\S+ was deleted and created again[\s\S]*the nodes are lost/,
    line: 'client.delete(name)',
    foundBy: 69,
  },
  {
    bug: 'counts each moment without ready Pods as a failure for ever',
    operator: siteOperator(({ rest, informers, own }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { namespace } = site.metadata;
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
    foundBy: 36,
  },
  {
    bug: 'replaces a Deployment with fields that it has not declared',
    operator: siteOperator(({ rest, informers }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const client = resource(rest, deployments).in(namespace);
        const known = await client.find(name);
        const isDeclared = known?.spec?.template.spec?.tolerations === undefined;
        if (isDeclared) await client.apply(deploymentOf(site), owner);
        else await client.delete(name).catch(ignoreNotFound);
      },
    })),
    options: { ...options, stepsPerSeed: 0, objectsPerSeed: 1 },
    check: 'requests',
    story: /a webhook of others adds an annotation and tolerations/,
    line: 'client.delete(name)',
    foundBy: 1,
  },
  {
    bug: 'sets replicas that an autoscaler has chosen',
    operator: siteOperator(({ rest, informers }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { namespace } = site.metadata;
        await resource(rest, horizontalPodAutoscalers).in(namespace).apply(scalerOf(site), owner);
        await resource(rest, deployments).in(namespace).apply(deploymentOf(site), owner);
      },
    })),
    options: { ...options, stepsPerSeed: 0, objectsPerSeed: 1 },
    check: 'requests',
    story: /deployments\.apps default\/\S+: spec\.replicas changes \d+ times: .*to 4 by another client/,
    line: 'apply(deploymentOf(site), owner)',
    foundBy: 0,
  },
];

function scalerOf(site: Stored<Site>) {
  const { name, namespace } = site.metadata;
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  const metadata = { name, namespace };
  return setControllerReference({ metadata, spec: { scaleTargetRef, maxReplicas: 5 } }, site);
}

function deploymentOf(site: Stored<Site>) {
  const { name, namespace } = site.metadata;
  const labels = labelsOf(site);
  const containers = [{ name: 'web', image: site.spec.image }];
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { replicas: site.spec.replicas ?? 1, selector: { matchLabels: labels }, template };
  return setControllerReference({ metadata: { name, namespace }, spec }, site);
}
