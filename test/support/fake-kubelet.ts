/** Kubelet of clusters without nodes: its Pods run at once, and those of Jobs succeed. */
import { Clientset, type coreV1, InformerFactory } from '@kgen/kubernetes';
import { type ClusterConfig, isNotFound, type Stored } from '@kgen/runtime';
import { controllerOf } from '@kgen/runtime/objects';

/** A running kubelet. */
export interface FakeKubelet {
  stop(): Promise<void>;
}

/** Sets the status of each Pod that is created. */
export async function startFakeKubelet(config: ClusterConfig): Promise<FakeKubelet> {
  const clientset = new Clientset(config);
  const informers = new InformerFactory(clientset);
  const run = async (pod: Stored<coreV1.Pod>): Promise<void> => {
    if (pod.status.phase !== 'Pending' || pod.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace } = pod.metadata;
    const pods = clientset.coreV1.pods(namespace);
    await pods.patchStatus(name, { status: statusOf(pod) }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  };
  informers.coreV1.pods().handle({ add: run, update: run });
  informers.on('error', () => undefined);
  informers.start();
  await informers.waitForSync();
  return {
    stop: async () => {
      await informers.stop();
      await clientset.close();
    },
  };
}

function statusOf(pod: Stored<coreV1.Pod>): coreV1.PodStatus {
  if (controllerOf(pod)?.kind === 'Job') return { phase: 'Succeeded' };
  const lastTransitionTime = new Date().toISOString();
  return { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] };
}
