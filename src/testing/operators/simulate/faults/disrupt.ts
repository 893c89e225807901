/** Pods that vanish or fail without a change of the operator: the scheduler evicts one, or a node is lost. */
import { array, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import { formatTime } from '@kgen/testserver/internal/controllers/cluster';
import { withCondition } from '@kgen/testserver/internal/controllers/workloads/values';
import { controllerOf, isDeleting } from '@kgen/testserver/internal/store/object-facts';
import { idOf, idText, type SimulatedCluster } from '../cluster.ts';
import { outcomeText } from '../run/user-requests.ts';
import type { ActionOf } from '../schedule/actions.ts';
import type { DisturbedRun, Fault, FaultEffect } from './fault.ts';

/** A Pod of a workload is deleted, or no Pod is ready for some time. */
export const disrupt: Fault<ActionOf<'disrupt'>> = {
  classes: [],
  singles: ['evicted pod', 'lost node'],
  singleOf: ({ how }) => (how === 'pod' ? 'evicted pod' : 'lost node'),
  plan: ({ dice, scope }) => {
    const action = {
      do: 'disrupt',
      how: dice.pick(['pod', 'node'] as const) ?? 'pod',
      pick: dice.between(0, 99),
      ms: dice.pick([500, 10_000, 60_000]) ?? 0,
    } as const;
    return scope.writes.some(({ write }) => runsPods.has(write.resource)) ? action : undefined;
  },
  text: ({ how, ms }) =>
    how === 'pod' ? 'the scheduler evicts a Pod' : `the nodes are lost for ${ms} ms: no Pod is ready`,
  begin: disruptionsOf,
};

/** Resources of the workloads whose Pods are replaced. */
const runsPods: ReadonlySet<string> = new Set(['daemonsets', 'deployments', 'replicasets', 'statefulsets']);

/** Kinds of the controllers of such Pods; those of a Job would count as failures. */
const replacing: ReadonlySet<string> = new Set(['DaemonSet', 'ReplicaSet', 'StatefulSet']);

function disruptionsOf({ cluster }: DisturbedRun): FaultEffect<ActionOf<'disrupt'>> {
  const lost = new Set<() => void>();
  return {
    perform: ({ how, pick, ms }) => {
      if (how === 'pod') return evicted(cluster, pick);
      // No kubelet reports any more.
      const release = cluster.pods.change({ readyAfterMs: false });
      const end = (): void => {
        if (!lost.delete(end)) return;
        release();
        if (lost.size === 0) setNodes(cluster, { status: 'True', reason: 'KubeletReady' });
      };
      lost.add(end);
      setNodes(cluster, { status: 'Unknown', reason: 'NodeStatusUnknown' });
      cluster.time.timer(ms, end);
      return '';
    },
    end: () => {
      for (const end of lost) end();
    },
  };
}

async function evicted(cluster: SimulatedCluster, pick: number): Promise<string> {
  const pods = cluster.state.store.list('pods').flatMap(([, pod]) => (isReplaced(pod) ? [pod] : []));
  const pod = pods[pick % Math.max(pods.length, 1)];
  if (pod === undefined) return 'there is none';
  return `${idText(idOf(pod))} ${outcomeText(await cluster.send('DELETE', idOf(pod)))}`.trim();
}

function isReplaced(pod: JsonObject): boolean {
  return !isDeleting(pod) && replacing.has(text(controllerOf(pod), 'kind'));
}

/** Sets the condition `Ready` of all nodes. */
function setNodes({ state: { store }, time }: SimulatedCluster, change: JsonObject): void {
  const condition = { type: 'Ready', lastTransitionTime: formatTime(time.now()), ...change };
  for (const [key, node] of store.list('nodes')) {
    const next = withCondition(array(node, 'status', 'conditions'), condition);
    store.put('nodes', key, putAt(node, ['status', 'conditions'], next));
  }
}
