/** A random password that is created once, copied into a URL, and hashed into an annotation. */
import { createHash } from 'node:crypto';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, labelsOf, operatorOf, writeStatus } from './apps.ts';

export const because = 'the Secret is created under a fixed name, so that a second password is refused';

const owner = { fieldManager: 'passwords', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const cache = informers.of(secrets);
  return {
    owns: [cache, informers.of(deployments), informers.of(configMaps)],
    reconcile: async (app) => {
      const { name, namespace, generation } = app.metadata;
      const known = cache.lister.get(namespace, `${name}-auth`);
      if (known?.metadata.deletionTimestamp !== undefined) return;
      const secret = known ?? (await resource(rest, secrets).in(namespace).create(secretOf(app)));
      const password = Buffer.from(secret.data?.['password'] ?? '', 'base64').toString();
      const map = {
        metadata: { name: `${name}-url`, namespace },
        data: { url: `db://app:${password}@${name}/${app.spec.appName}` },
      };
      await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
      const deployment = deploymentOf(app, password);
      await resource(rest, deployments).in(namespace).apply(setControllerReference(deployment, app), owner);
      await writeStatus(rest, app, { observedGeneration: generation });
    },
  };
});

function secretOf(app: App) {
  const { name, namespace } = app.metadata;
  const password = Math.random().toString(36).slice(2).padEnd(10, 'x');
  const data = { password: Buffer.from(password).toString('base64') };
  return setControllerReference({ metadata: { name: `${name}-auth`, namespace }, data }, app);
}

function deploymentOf(app: App, password: string) {
  const { name, namespace } = app.metadata;
  const checksum = createHash('sha256').update(password).digest('hex');
  return {
    metadata: { name, namespace },
    spec: {
      selector: { matchLabels: labelsOf(app) },
      template: {
        metadata: { labels: labelsOf(app), annotations: { checksum } },
        spec: { containers: [{ name: 'db', image: `db:${app.spec.version}` }] },
      },
    },
  };
}
