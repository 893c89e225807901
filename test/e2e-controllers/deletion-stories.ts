/** Stories of deletions: namespaces with their objects, and owners with their dependents. */
import type { metaV1 } from '@kgen/kubernetes';
import type { Scene, Story } from './scene.ts';

async function configMap(
  { clientset, namespace }: Scene,
  name: string,
  owners: readonly metaV1.ObjectMeta[] = [],
  finalizers: readonly string[] = [],
): Promise<metaV1.ObjectMeta> {
  const ownerReferences = owners.map((owner) => referenceTo(owner));
  const { metadata } = await clientset.coreV1
    .configMaps(namespace)
    .create({ metadata: { name, ownerReferences, finalizers: [...finalizers] } });
  return metadata;
}

function referenceTo({ name = '', uid = '' }: metaV1.ObjectMeta): metaV1.OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid, blockOwnerDeletion: true };
}

const foreground = { propagationPolicy: 'Foreground' } as const;

/** Stories by title. */
export const deletionStories: Readonly<Record<string, Story>> = {
  'a deleted namespace keeps its objects while a pod remains': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const pods = clientset.coreV1.pods(namespace);
    await pods.create({
      metadata: { name: 'web', finalizers: ['example.com/hold'] },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'web:1' }] },
    });
    await configMap(scene, 'kept', [], ['example.com/hold']);
    await settled();
    await clientset.coreV1.namespaces().delete(namespace);
    await settled();
    await pods.patch('web', { metadata: { finalizers: null } });
    await settled();
    await clientset.coreV1.configMaps(namespace).patch('kept', { metadata: { finalizers: null } });
    await settled();
  },
  'foreground deletion of a cycle of owners': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const maps = clientset.coreV1.configMaps(namespace);
    const first = await configMap(scene, 'first');
    const second = await configMap(scene, 'second', [first]);
    const third = await configMap(scene, 'third', [second]);
    await maps.patch('first', { metadata: { ownerReferences: [referenceTo(third)] } });
    await settled();
    await maps.delete('first', foreground);
    await settled();
  },
  'a dependent with another owner survives a foreground deletion': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const first = await configMap(scene, 'first');
    const second = await configMap(scene, 'second');
    await configMap(scene, 'shared', [first, second]);
    await configMap(scene, 'single', [first]);
    await settled();
    await clientset.coreV1.configMaps(namespace).delete('first', foreground);
    await settled();
  },
  'a foreground deletion waits for dependents with finalizers': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const maps = clientset.coreV1.configMaps(namespace);
    const first = await configMap(scene, 'first');
    const second = await configMap(scene, 'second', [first]);
    await configMap(scene, 'third', [second], ['example.com/hold']);
    await settled();
    await maps.delete('first', foreground);
    await settled();
    await maps.patch('third', { metadata: { finalizers: null } });
    await settled();
  },
};
