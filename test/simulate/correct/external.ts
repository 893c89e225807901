/** Records of an external service, which a finalizer deletes. The service is outside of the cluster. */

import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'records are created under the identity of the app, and deleted before its finalizer';

const records = new Map<string, { readonly id: number; readonly target: string }>();
let created = 0;

/** Empties the service before each run. */
export function start(): void {
  records.clear();
  created = 0;
}

const owner = { fieldManager: 'external', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => ({
  owns: [informers.of(configMaps)],
  reconcile: async (app) => {
    const { name, namespace, uid } = app.metadata;
    const known = records.get(uid);
    if (known === undefined) created += 1;
    const record = { id: known?.id ?? created, target: app.spec.version };
    records.set(uid, record);
    const map = { metadata: { name, namespace }, data: { target: record.target } };
    await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
    await writeStatus(rest, app, withMessage(app, `${records.get(uid)?.target} is published`));
  },
  finalize: async (app) => {
    records.delete(app.metadata.uid);
    return undefined;
  },
}));
