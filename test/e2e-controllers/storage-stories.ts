/** Stories of claims and volumes. Their class is the namespace, so that stories do not share volumes. */
import type { coreV1 } from '@kgen/kubernetes';
import type { Scene, Story } from './scene.ts';

interface VolumeOptions {
  readonly size?: string;
  readonly spec?: Partial<coreV1.PersistentVolumeSpec>;
  readonly labels?: Record<string, string>;
}

async function volume(scene: Scene, name: string, options: VolumeOptions = {}): Promise<void> {
  const { clientset, namespace } = scene;
  await clientset.coreV1.persistentVolumes().create({
    metadata: { name: `${namespace}-${name}`, ...(options.labels && { labels: options.labels }) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: options.size ?? '1Gi' },
      storageClassName: namespace,
      hostPath: { path: `/tmp/${namespace}/does-not-exist` },
      ...options.spec,
    },
  });
}

async function claim(
  { clientset, namespace }: Scene,
  name: string,
  spec: Partial<coreV1.PersistentVolumeClaimSpec> = {},
): Promise<void> {
  await clientset.coreV1.persistentVolumeClaims(namespace).create({
    metadata: { name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: namespace,
      ...spec,
    },
  });
}

async function boundPair(scene: Scene, spec: Partial<coreV1.PersistentVolumeSpec> = {}): Promise<void> {
  await volume(scene, 'disk', { spec });
  await claim(scene, 'data');
  await scene.settled();
}

/** Returns a story that deletes the claim of a bound volume. */
function release(spec: Partial<coreV1.PersistentVolumeSpec>): Story {
  return async (scene) => {
    await boundPair(scene, spec);
    await scene.clientset.coreV1.persistentVolumeClaims(scene.namespace).delete('data');
    await scene.settled();
  };
}

/** Returns a story of one volume that does not suit a claim. */
function mismatch(options: VolumeOptions, request: Partial<coreV1.PersistentVolumeClaimSpec> = {}): Story {
  return async (scene) => {
    await volume(scene, 'disk', options);
    await claim(scene, 'data', request);
    await claim(scene, 'named', { ...request, volumeName: `${scene.namespace}-disk` });
    await scene.settled();
  };
}

/** Stories by title. */
export const storageStories: Readonly<Record<string, Story>> = {
  'a claim is bound to the smallest volume that is large enough': async (scene) => {
    await volume(scene, 'large', { size: '5Gi' });
    await volume(scene, 'medium', { size: '3Gi' });
    await volume(scene, 'small', { size: '1Gi' });
    await scene.settled();
    await claim(scene, 'data', { resources: { requests: { storage: '2Gi' } } });
    await scene.settled();
  },
  'a claim prefers volumes with few access modes': async (scene) => {
    const accessModes = ['ReadWriteOnce', 'ReadWriteMany'];
    await volume(scene, 'shared', { spec: { accessModes } });
    await volume(scene, 'single', { size: '9Gi' });
    await scene.settled();
    await claim(scene, 'data');
    await scene.settled();
    await claim(scene, 'other');
    await scene.settled();
  },
  'a claim waits for a volume of its size': mismatch({ size: '1Mi' }),
  'a claim waits for a volume of its class': mismatch({ spec: { storageClassName: 'another' } }),
  'a claim waits for a volume with its mode': mismatch({ spec: { volumeMode: 'Block' } }),
  'a claim waits for a volume with its access modes': mismatch({}, { accessModes: ['ReadWriteMany'] }),
  'a claim is bound to a volume with the labels of its selector': async (scene) => {
    await volume(scene, 'plain');
    await volume(scene, 'fast', { size: '2Gi', labels: { speed: 'fast' } });
    await scene.settled();
    await claim(scene, 'data', { selector: { matchLabels: { speed: 'fast' } } });
    await scene.settled();
  },
  'a claim is bound to the volume that it names': async (scene) => {
    await volume(scene, 'small');
    await volume(scene, 'large', { size: '2Gi' });
    await scene.settled();
    await claim(scene, 'data', { volumeName: `${scene.namespace}-large` });
    await claim(scene, 'missing', { volumeName: `${scene.namespace}-none` });
    await scene.settled();
  },
  'a volume is reserved for the claim that it names': async (scene) => {
    const { namespace } = scene;
    await volume(scene, 'reserved', { spec: { claimRef: { namespace, name: 'data' } } });
    await scene.settled();
    await claim(scene, 'other');
    await scene.settled();
    await claim(scene, 'data');
    await scene.settled();
  },
  'two claims of one volume': async (scene) => {
    await boundPair(scene);
    await claim(scene, 'second', { volumeName: `${scene.namespace}-disk` });
    await scene.settled();
  },
  'a retained volume stays after its claim': release({}),
  'a reserved and retained volume stays after its claim': async (scene) => {
    const claimRef = { namespace: scene.namespace, name: 'data' };
    await release({ claimRef })(scene);
    await claim(scene, 'data');
    await scene.settled();
  },
  'a volume with the policy Delete is deleted with its claim': release({
    persistentVolumeReclaimPolicy: 'Delete',
  }),
  'a volume outside of /tmp cannot be deleted': release({
    persistentVolumeReclaimPolicy: 'Delete',
    hostPath: { path: '/does-not-exist' },
  }),
  'a volume of NFS cannot be deleted': async (scene) => {
    const nfs = { server: 'files', path: '/' };
    await volume(scene, 'disk', {
      spec: { persistentVolumeReclaimPolicy: 'Delete', hostPath: undefined, nfs },
    });
    await claim(scene, 'data');
    await scene.settled();
    await scene.clientset.coreV1.persistentVolumeClaims(scene.namespace).delete('data');
    await scene.settled();
  },
  'a deleted volume exists until its claim is deleted': async (scene) => {
    await boundPair(scene);
    const { coreV1 } = scene.clientset;
    await coreV1.persistentVolumes().delete(`${scene.namespace}-disk`);
    await scene.settled();
    await coreV1.persistentVolumeClaims(scene.namespace).delete('data');
    await scene.settled();
  },
  'a claim is lost without its volume': async (scene) => {
    await boundPair(scene);
    const volumes = scene.clientset.coreV1.persistentVolumes();
    await volumes.delete(`${scene.namespace}-disk`);
    await volumes.patch(`${scene.namespace}-disk`, { metadata: { finalizers: null } });
    await scene.settled();
  },
  'a released volume is available without its claim reference': async (scene) => {
    await release({})(scene);
    await scene.clientset.coreV1
      .persistentVolumes()
      .patch(`${scene.namespace}-disk`, { spec: { claimRef: null } });
    await scene.settled();
  },
  'a claim of a class that waits for a consumer is pending': async (scene) => {
    const { clientset, namespace } = scene;
    await clientset.storageV1.storageClasses().create({
      metadata: { name: namespace },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await volume(scene, 'disk');
    await claim(scene, 'data');
    await scene.settled();
  },
  'a Pod owns the claims of its ephemeral volumes': async (scene) => {
    const { clientset, namespace } = scene;
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName: namespace,
    };
    const claimRef = { namespace, name: 'web-cache' };
    await volume(scene, 'disk', { spec: { claimRef } });
    const volumeClaimTemplate = { metadata: { labels: { tier: 'cache' }, annotations: { note: 'a' } }, spec };
    await clientset.coreV1.pods(namespace).create({
      metadata: { name: 'web' },
      spec: {
        containers: [{ name: 'main', image: 'web:1' }],
        volumes: [{ name: 'cache', ephemeral: { volumeClaimTemplate } }],
      },
    });
    await scene.settled();
    await clientset.coreV1.persistentVolumeClaims(namespace).delete('web-cache');
    await scene.settled();
    await clientset.coreV1.pods(namespace).delete('web', { gracePeriodSeconds: 0 });
    await scene.settled();
  },
  'a deleted attributes class exists until no claim uses it': async (scene) => {
    const { clientset, namespace } = scene;
    const classes = clientset.storageV1.volumeAttributesClasses();
    await classes.create({
      metadata: { name: namespace },
      driverName: 'disks.example.com',
      parameters: { iops: '1000' },
    });
    await claim(scene, 'data', { volumeAttributesClassName: namespace });
    await scene.settled();
    await classes.delete(namespace);
    await scene.settled();
    if ((await classes.get(namespace)).metadata.deletionTimestamp === undefined)
      throw new Error('the class is not deleted');
    await clientset.coreV1.persistentVolumeClaims(namespace).delete('data');
    await scene.settled();
  },
};
