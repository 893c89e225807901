/** Names and labels with a hash of the identity of the app, as they are used across namespaces. */
import { createHash } from 'node:crypto';
import { configMaps, services } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'the hash depends on the app only, so that each reconcile uses the same names';

const owner = { fieldManager: 'hashes', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => ({
  owns: [informers.of(configMaps), informers.of(services)],
  reconcile: async (app) => {
    const { namespace } = app.metadata;
    const hash = hashOf(app);
    const labels = { owner: hash };
    const name = `app-${hash}`;
    for (const role of ['main', 'side']) {
      const map = {
        metadata: { name: `${role}-${hash}`, namespace, labels },
        data: { role, service: `${name}.${namespace}.svc`, version: app.spec.version },
      };
      await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
    }
    const service = {
      metadata: { name, namespace, labels },
      spec: { clusterIP: 'None', selector: labels, ports: [{ port: 80 }] },
    };
    await resource(rest, services).in(namespace).apply(setControllerReference(service, app), owner);
    await writeStatus(rest, app, withMessage(app, `http://${name}.${namespace}.svc`));
  },
}));

function hashOf({ metadata: { uid } }: App): string {
  return createHash('sha1').update(uid).digest('hex').slice(0, 8);
}
