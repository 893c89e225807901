/** Records of an external service, which a finalizer deletes. The service is outside of the cluster. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type SimulateOptions, simulation } from '@kgen/testing';
import { options as common, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'records are created under the identity of the app, and deleted before its finalizer';

const records = simulation.service('records', {
  'PUT /records/:uid': ({ params, body }, items) => items.set(params.uid, { target: body }),
  'DELETE /records/:uid': ({ params }, items) => {
    items.delete(params.uid);
    return undefined;
  },
});

export const options: SimulateOptions = { ...common, services: [records] };

/** @throws {Error} if the service does not accept the request */
async function send(method: string, uid: string, body?: string): Promise<void> {
  const response = await fetch(`http://records/records/${uid}`, { method, ...(body ? { body } : {}) });
  if (!response.ok) throw new Error(`${method} ${uid}: status ${response.status}`);
}

const owner = { fieldManager: 'external', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => ({
  owns: [informers.of(configMaps)],
  reconcile: async (app) => {
    const { name, namespace, uid } = app.metadata;
    const { version: target } = app.spec;
    await send('PUT', uid, target);
    const map = { metadata: { name, namespace }, data: { target } };
    await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
    await writeStatus(rest, app, withMessage(app, `${target} is published`));
  },
  finalize: async (app) => {
    await send('DELETE', app.metadata.uid);
    return undefined;
  },
}));
