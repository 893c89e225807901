/** Scheduler and kubelet of a control plane without nodes, with the rules of the test server. */
import { setTimeout } from 'node:timers/promises';
import { Clientset, type coreV1, InformerFactory } from '@kgen/kubernetes';
import { type ClusterConfig, isConflict, isNotFound, microTime, type Stored } from '@kgen/runtime';
import { controllerOf } from '@kgen/runtime/objects';

/** Interval at which a kubelet renews the lease of its node, in milliseconds. */
const renewMs = 10_000;

/** A running agent. */
export interface NodeAgent {
  stop(): Promise<void>;
}

/** Runs the pods of all nodes: those with the label `fail` fail, those with `unready` never become ready. */
export async function startNodeAgent(config: ClusterConfig): Promise<NodeAgent> {
  const clientset = new Clientset(config);
  const informers = new InformerFactory(clientset);
  let addresses = 0;
  const step = async (pod: Stored<coreV1.Pod>): Promise<void> => {
    const pods = clientset.coreV1.pods(pod.metadata.namespace);
    const { name, deletionTimestamp } = pod.metadata;
    if (['Succeeded', 'Failed'].includes(pod.status.phase ?? '') && deletionTimestamp === undefined) return;
    if (deletionTimestamp !== undefined) {
      const isLast = pod.metadata.deletionGracePeriodSeconds === 0;
      // Finalizers keep the pod of containers that have ended.
      if (!isLast) await pods.delete(name, { gracePeriodSeconds: 0 });
      else if (pod.status.phase === 'Running') await pods.patchStatus(name, { status: { phase: 'Failed' } });
    } else if ((pod.spec.nodeName ?? '') === '') {
      const target = { apiVersion: 'v1', kind: 'Node', name: nodeOf(pod) };
      await pods.bind(name, { metadata: { name }, target });
    } else if (pod.status.phase === 'Pending') {
      addresses += 1;
      await pods.patchStatus(name, { status: statusOf(pod, `10.244.0.${addresses}`) });
    }
  };
  const run = (pod: Stored<coreV1.Pod>): Promise<void> =>
    step(pod).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  informers.coreV1.pods().handle({ add: run, update: run });
  informers.on('error', () => undefined);
  informers.start();
  await informers.waitForSync();
  const stopping = new AbortController();
  const renewing = renewLeases(clientset, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await renewing;
      await informers.stop();
      await clientset.close();
    },
  };
}

/** Renews the leases of all nodes until the signal aborts: 50 s after the last one, a node is not ready. */
async function renewLeases({ coreV1, coordinationV1 }: Clientset, signal: AbortSignal): Promise<void> {
  const leases = coordinationV1.leases('kube-node-lease');
  while (!signal.aborted) {
    const renew = async (): Promise<void> => {
      const { items } = await coreV1.nodes().list();
      for (const { metadata } of items) {
        const spec = { holderIdentity: metadata.name, leaseDurationSeconds: 40, renewTime: microTime() };
        await leases.apply({ metadata: { name: metadata.name }, spec }, { fieldManager: 'node-agent' });
      }
    };
    // The next renewal follows soon.
    await renew().catch(() => undefined);
    await setTimeout(renewMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Pods of DaemonSets name their node. */
function nodeOf(pod: coreV1.Pod): string {
  const affinity = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return affinity?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0] ?? 'node-1';
}

function statusOf(pod: Stored<coreV1.Pod>, podIP: string): coreV1.PodStatus {
  const { labels: { fail, run } = {} } = pod.metadata;
  if (fail === 'yes') return { phase: 'Failed' };
  if (controllerOf(pod)?.kind === 'Job' && run !== 'yes') return { phase: 'Succeeded' };
  const status = pod.metadata.labels?.['unready'] === 'yes' ? 'False' : 'True';
  const lastTransitionTime = new Date().toISOString();
  return {
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: [{ type: 'Ready', status, lastTransitionTime }],
  };
}
