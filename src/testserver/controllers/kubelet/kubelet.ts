import { array, type JsonObject, object, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { isDeleting } from '../../store/object-facts.ts';
import type { Change } from '../../store/store.ts';
import { type Cluster, storageOf } from '../cluster.ts';
import type { Controller, Requeue } from '../controller.ts';
import {
  configMaps,
  nodes,
  pods,
  secrets,
  storageClasses,
  volumeClaims,
  volumes,
} from '../workloads/paths.ts';
import { isFinished, number, sameStatus } from '../workloads/values.ts';
import { disrupted } from './disruption.ts';
import { ignoreEvent, type RecordEvent } from './events.ts';
import { evictionAt, hostAddress, syncNode } from './nodes.ts';
import { podRejection, rejectedStatus } from './pods/admission.ts';
import { isWaitingForObjects, type PodProcess } from './pods/pod-process.ts';
import { statusOf } from './pods/status.ts';
import type { PodRule, PodRules } from './rules.ts';
import { schedule } from './scheduler/scheduler.ts';
import { KubeletState } from './state.ts';

/**
 * Returns the scheduler and the kubelets of a cluster: they assign pods to nodes, and run them by rules
 * instead of containers.
 */
export function kubelet(rules: PodRules, record: RecordEvent = ignoreEvent): Controller {
  const states = new WeakMap<Cluster, KubeletState>();
  const stateOf = (cluster: Cluster): KubeletState => {
    const known = states.get(cluster);
    if (known !== undefined) return known;
    const created = new KubeletState(cluster, record);
    states.set(cluster, created);
    return created;
  };
  return {
    name: 'pods',
    keys: (change, cluster) => keysOf(change, stateOf(cluster)),
    *reconcile(key, cluster, requeue) {
      if (key.startsWith(nodePrefix)) yield* syncNode(cluster, key.slice(nodePrefix.length));
      const pod = cluster.get(pods, key);
      if (pod === undefined) return;
      const context = { cluster, pod, rule: rules.of(pod), state: stateOf(cluster), key, requeue };
      if (yield* collect(context)) return;
      if (isDeleting(pod)) yield* terminate(context);
      else if (isFinished(pod)) return;
      else if (text(pod, 'spec', 'nodeName') === '') {
        const { rule, state } = context;
        yield* schedule(cluster, pod, rule, state, requeue);
      } else if (!(yield* evict(context))) run(context);
    },
  };
}

/** Prefix of the keys of nodes. */
const nodePrefix = 'node ';

function keysOf(change: Change, state: KubeletState): readonly string[] {
  switch (change.resource) {
    case storageOf(pods):
      return state.podChanged(change);
    case storageOf(nodes): {
      const affected = state.nodeChanged(change);
      return change.type === 'DELETED' ? affected : [nodePrefix + change.key, ...affected];
    }
    case storageOf(configMaps):
    case storageOf(secrets):
      return state.waitingForObjects(text(change.object, 'metadata', 'namespace'));
    case storageOf(volumes):
    case storageOf(storageClasses):
      return state.places.waiting();
    case storageOf(volumeClaims):
      return state.places.waitingIn(text(change.object, 'metadata', 'namespace'));
    default:
      return [];
  }
}

interface PodContext {
  readonly cluster: Cluster;
  readonly pod: JsonObject;
  readonly rule: PodRule;
  readonly state: KubeletState;
  readonly key: string;
  readonly requeue: Requeue;
}

/** Time after the deletion of a node until its pods are deleted. */
const quarantineMs = 40_000;

/** Deletes a pod whose node was deleted. Returns whether no kubelet runs the pod. */
function* collect({ cluster, pod, state, requeue }: PodContext): Verb<boolean> {
  const lostAt = state.lostAt(text(pod, 'spec', 'nodeName'));
  if (lostAt === undefined) return false;
  const left = lostAt + quarantineMs - cluster.now();
  if (left > 0) requeue(left);
  else {
    const failed = isFinished(pod) ? {} : { phase: 'Failed' };
    const message = 'PodGC: node no longer exists';
    const marked = isFinished(pod) ? pod : disrupted(cluster, pod, 'DeletionByPodGC', message, failed);
    yield* release(cluster, marked);
  }
  return true;
}

/** Deletes a pod that does not tolerate a taint of its node. Returns whether it did. */
function* evict({ cluster, pod, state, key, requeue }: PodContext): Verb<boolean> {
  const node = cluster.get(nodes, text(pod, 'spec', 'nodeName'));
  if (node === undefined || array(node, 'spec', 'taints').length === 0) return false;
  const due = evictionAt(pod, node, (taint) => state.taintedAt(node, taint));
  if (due === undefined) return false;
  const left = due - cluster.now();
  if (left > 0) {
    requeue(left);
    return false;
  }
  const message = 'Taint manager: deleting due to NoExecute taint';
  const event = { reason: 'TaintManagerEviction', component: 'taint-eviction-controller' };
  state.record(cluster, pod, { ...event, message: `Marking for deletion Pod ${key}` });
  yield* cluster.remove(pods, disrupted(cluster, pod, 'DeletionByTaintManager', message));
  return true;
}

/** Deletes a terminating pod once its containers have ended. */
function* terminate(context: PodContext): Verb<void> {
  const { cluster, pod, rule, requeue } = context;
  const isBound = text(pod, 'spec', 'nodeName') !== '';
  if (isFinished(pod) || !isBound) {
    yield* release(cluster, pod);
    return;
  }
  const process = processOf(context);
  process.advance(cluster, pod, rule);
  process.terminate(number(pod, 30, 'metadata', 'deletionGracePeriodSeconds') * 1_000);
  const wakeAt = process.advance(cluster, pod, rule);
  const reported = process.hasStarted ? report(context, process) : pod;
  if (process.isEnded) yield* release(cluster, reported);
  else if (wakeAt !== undefined) requeue(Math.max(wakeAt - cluster.now(), 1));
}

/** Removes a pod from the API, unless only its finalizers hold it. */
function* release(cluster: Cluster, pod: JsonObject): Verb<void> {
  const isMarked = isDeleting(pod) && number(pod, 30, 'metadata', 'deletionGracePeriodSeconds') === 0;
  if (isMarked && array(pod, 'metadata', 'finalizers').length > 0) return;
  yield* cluster.remove(pods, pod, { gracePeriodSeconds: 0 });
}

function processOf({ cluster, pod, rule, state }: PodContext): PodProcess {
  return state.processOf(cluster, pod, rule);
}

function run(context: PodContext): void {
  const { cluster, pod, rule, state, key, requeue } = context;
  const rejection = podRejection(cluster, pod, state.places);
  if (rejection !== undefined) {
    state.record(cluster, pod, { ...rejection, type: 'Warning' });
    cluster.report(pods, { ...pod, status: rejectedStatus(cluster, pod, rejection) });
    return;
  }
  const process = processOf(context);
  const wakeAt = process.advance(cluster, pod, rule);
  state.setWaiting(key, isWaitingForObjects(process));
  report(context, process);
  if (wakeAt !== undefined) requeue(Math.max(wakeAt - cluster.now(), 1));
}

/** Writes the status of a pod if it differs, and returns the pod. */
function report({ cluster, pod }: PodContext, process: PodProcess): JsonObject {
  const node = cluster.get(nodes, text(pod, 'spec', 'nodeName'));
  const status = statusOf(pod, process, hostAddress(node), cluster.now());
  return sameStatus(status, object(pod, 'status')) ? pod : cluster.report(pods, { ...pod, status });
}
