/** A Service whose address and port, which the server allocates, are written to a ConfigMap. */
import { configMaps, services } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { labelsOf, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'it reads the allocated values from the response of each write';

const owner = { fieldManager: 'allocated', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => ({
  owns: [informers.of(services), informers.of(configMaps)],
  reconcile: async (app) => {
    const { name, namespace } = app.metadata;
    const service = {
      metadata: { name, namespace },
      spec: { type: 'NodePort', selector: labelsOf(app), ports: [{ name: 'http', port: 80 }] },
    };
    const { spec } = await resource(rest, services)
      .in(namespace)
      .apply(setControllerReference(service, app), owner);
    const port = spec.ports?.[0]?.nodePort ?? 0;
    const map = {
      metadata: { name, namespace },
      data: { host: spec.clusterIP ?? '', port: `${port}`, url: `http://${spec.clusterIP}:${port}/` },
    };
    await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
    await writeStatus(rest, app, { ...withMessage(app, `port ${port}`), readyReplicas: port });
  },
}));
