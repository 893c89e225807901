/** Update with optimistic concurrency: a Deployment whose own fields are compared, and written with all. */
import { type Deployment, deployments } from '@kgen/kubernetes/apps/v1';
import { resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, labelsOf, operatorOf, writeStatus } from './apps.ts';

export const because = 'a conflict fails the reconcile, which is repeated with the newer object';

export const operator = operatorOf(({ rest, informers }) => {
  const cache = informers.of(deployments);
  const client = resource(rest, deployments);
  return {
    owns: [cache],
    reconcile: async (app) => {
      const { name, namespace, generation } = app.metadata;
      const known = cache.lister.get(namespace, name);
      if (known === undefined) await client.in(namespace).create(setControllerReference(desired(app), app));
      else if (!hasDesired(known, app)) await client.in(namespace).update(merged(known, app));
      await writeStatus(rest, app, {
        observedGeneration: generation,
        readyReplicas: known?.status.readyReplicas ?? 0,
      });
    },
  };
});

function desired(app: App) {
  const { name, namespace } = app.metadata;
  const { appName, version } = app.spec;
  return {
    metadata: { name, namespace, labels: labelsOf(app) },
    spec: {
      replicas: 2,
      selector: { matchLabels: labelsOf(app) },
      template: {
        metadata: { labels: labelsOf(app), annotations: { release: version } },
        spec: { containers: [{ name: 'app', image: `${appName.toLowerCase()}:${version}` }] },
      },
    },
  };
}

function hasDesired({ metadata, spec }: Stored<Deployment>, app: App): boolean {
  const want = desired(app);
  return (
    spec.replicas === want.spec.replicas &&
    spec.template.spec?.containers[0]?.image === want.spec.template.spec.containers[0]?.image &&
    spec.template.metadata?.annotations?.['release'] === app.spec.version &&
    JSON.stringify(spec.template.metadata.labels) === JSON.stringify(labelsOf(app)) &&
    metadata.labels?.['app.kubernetes.io/instance'] === app.metadata.name
  );
}

function merged(known: Stored<Deployment>, app: App): Stored<Deployment> {
  const want = desired(app);
  const { template } = known.spec;
  const annotations = { ...template.metadata?.annotations, ...want.spec.template.metadata.annotations };
  return {
    ...known,
    metadata: { ...known.metadata, labels: { ...known.metadata.labels, ...labelsOf(app) } },
    spec: {
      ...known.spec,
      replicas: 2,
      template: {
        ...template,
        metadata: { ...template.metadata, labels: labelsOf(app), annotations },
        spec: { ...template.spec, containers: want.spec.template.spec.containers },
      },
    },
  };
}
