/** Stories of StatefulSets with claims. */
import type { appsV1 } from '@kgen/kubernetes';
import { createVolume, type Scene, type Story } from './scene.ts';
import { createStatefulSet } from './stories.ts';

type Policy = appsV1.StatefulSetPersistentVolumeClaimRetentionPolicy;

const names = ['data-web-0', 'data-web-1', 'data-web-2'] as const;

async function createSet(scene: Scene, persistentVolumeClaimRetentionPolicy: Policy): Promise<void> {
  for (const name of names) await createVolume(scene, name);
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await createStatefulSet(scene, {
    persistentVolumeClaimRetentionPolicy,
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
  });
}

/** Returns a story that scales a StatefulSet down and up, changes its policy, and deletes it. */
function retention(before: Policy, after: Policy): Story {
  return async (scene) => {
    const { clientset, namespace, settled } = scene;
    const sets = clientset.appsV1.statefulSets(namespace);
    await createSet(scene, before);
    await sets.patch('web', { spec: { replicas: 1 } });
    await settled();
    await sets.patch('web', { spec: { persistentVolumeClaimRetentionPolicy: after } });
    await settled();
    await sets.delete('web');
    await settled();
  };
}

const keeps = { whenScaled: 'Retain', whenDeleted: 'Retain' } as const;
const ends = { whenScaled: 'Delete', whenDeleted: 'Delete' } as const;

/** Stories by title. */
export const claimStories: Readonly<Record<string, Story>> = {
  'a StatefulSet keeps its claims': retention(keeps, ends),
  'a StatefulSet deletes its claims': retention(ends, keeps),
  'a StatefulSet deletes the claims of pods beyond its replicas': retention(
    { whenScaled: 'Delete', whenDeleted: 'Retain' },
    { whenScaled: 'Retain', whenDeleted: 'Delete' },
  ),
  'a StatefulSet does not delete claims of other owners': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const claims = clientset.coreV1.persistentVolumeClaims(namespace);
    await createSet(scene, keeps);
    const { metadata } = await clientset.coreV1.configMaps(namespace).create({ metadata: { name: 'owner' } });
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
    await claims.patch('data-web-1', { metadata: { ownerReferences: [owner] } });
    await claims.patch('data-web-2', { metadata: { ownerReferences: [{ ...owner, controller: true }] } });
    const sets = clientset.appsV1.statefulSets(namespace);
    await sets.patch('web', { spec: { persistentVolumeClaimRetentionPolicy: ends } });
    await settled();
    await sets.patch('web', { spec: { replicas: 0 } });
    await settled();
  },
};
