/** Readiness and taints of simulated nodes. */
import { array, type JsonObject, putAt, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { conditionOf } from '../../store/object-facts.ts';
import { type Cluster, formatTime } from '../cluster.ts';
import { nodes } from '../workloads/paths.ts';
import { withCondition } from '../workloads/values.ts';

/** Taint that new nodes have until they are ready. */
const notReady = 'node.kubernetes.io/not-ready';

/** Reports a node as ready if nothing reports its state, and removes the taint of nodes that are ready. */
export function* syncNode(cluster: Cluster, name: string): Verb<void> {
  const found = cluster.get(nodes, name);
  if (found === undefined) return;
  const node = conditionOf(found, 'Ready') === undefined ? yield* report(cluster, found) : found;
  const isReady = text(conditionOf(node, 'Ready'), 'status') === 'True';
  const taints = array(node, 'spec', 'taints');
  const rest = taints.filter((taint) => text(taint, 'key') !== notReady);
  if (isReady && rest.length < taints.length)
    yield* cluster.update(nodes, putAt(node, ['spec', 'taints'], rest));
}

function* report(cluster: Cluster, node: JsonObject): Verb<JsonObject> {
  const now = formatTime(cluster.now());
  const conditions = withCondition(array(node, 'status', 'conditions'), {
    type: 'Ready',
    status: 'True',
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  });
  return yield* cluster.update(nodes, putAt(node, ['status', 'conditions'], conditions), 'status');
}
