/** Scenes of stories, and parts of the workloads in them. */
import type { Clientset, coreV1 } from '@kgen/kubernetes';

/** Clients and the namespace of a story. */
export interface Scene {
  readonly clientset: Clientset;
  readonly namespace: string;
  /** Waits until the controllers have nothing to do. */
  readonly settled: () => Promise<void>;
}

/** Steps of a user. */
export type Story = (scene: Scene) => Promise<void>;

/** Labels that workloads select. */
export const labels = { app: 'web' };

/** Returns a template of pods with further labels. */
export function template(image: string, extra: Record<string, string> = {}): coreV1.PodTemplateSpec {
  return {
    metadata: { labels: { ...labels, ...extra } },
    spec: { containers: [{ name: 'main', image, ports: [{ name: 'http', containerPort: 80 }] }] },
  };
}

/** Changes the labels of the first pod. */
export async function relabel(
  { clientset, namespace, settled }: Scene,
  other: Record<string, string>,
): Promise<void> {
  const pods = clientset.coreV1.pods(namespace);
  const [first] = (await pods.list()).items;
  if (first === undefined) throw new Error('no pod was created');
  await pods.patch(first.metadata.name, { metadata: { labels: other } });
  await settled();
}

/** Creates a volume for a claim: the scheduler of the server in memory waits until claims are bound. */
export async function createVolume({ clientset, namespace }: Scene, claim: string): Promise<void> {
  await clientset.coreV1.persistentVolumes().create({
    metadata: { name: `${namespace}-${claim}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      claimRef: { namespace, name: claim },
      hostPath: { path: `/tmp/${namespace}/does-not-exist` },
      persistentVolumeReclaimPolicy: 'Retain',
    },
  });
}
