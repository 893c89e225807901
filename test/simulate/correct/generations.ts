/** Generations and resource versions of its Deployment, which it copies into a status and an annotation. */
import { deployments } from '@kgen/kubernetes/apps/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, labelsOf, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'it copies the latest generation whenever the Deployment changes';

const owner = { fieldManager: 'generations', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const cache = informers.of(deployments);
  return {
    owns: [cache, informers.of(configMaps)],
    reconcile: async (app) => {
      const { name, namespace } = app.metadata;
      const deployment = await resource(rest, deployments)
        .in(namespace)
        .apply(setControllerReference(deploymentOf(app), app), owner);
      const { generation = 0, uid } = deployment.metadata;
      const observed = deployment.status.observedGeneration ?? 0;
      const map = { metadata: { name, namespace }, data: { generation: `${generation}`, of: uid } };
      await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
      await writeStatus(rest, app, {
        ...withMessage(app, `Deployment ${generation}`),
        observedGeneration: observed,
      });
    },
  };
});

function deploymentOf(app: App) {
  const { name, namespace } = app.metadata;
  return {
    metadata: { name, namespace },
    spec: {
      replicas: app.spec.appName.length % 3,
      selector: { matchLabels: labelsOf(app) },
      template: {
        metadata: { labels: labelsOf(app) },
        spec: { containers: [{ name: 'app', image: `app:${app.spec.version}` }] },
      },
    },
  };
}
