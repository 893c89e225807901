/** Pods of workloads with interchangeable replicas: creation, order of deletion, and numbers for a status. */
import { array, type JsonObject, text } from '@kgen/schema/values/json';
import type { Verb } from '../../call/verb.ts';
import { Failure } from '../../errors/status.ts';
import { isReady, nameOf } from '../../store/object-facts.ts';
import type { Cluster, ResourcePath } from '../cluster.ts';
import { recordEvent } from '../events.ts';
import { pods } from './paths.ts';
import { earliest, latest, number, untilAvailable } from './values.ts';

/** Pods that are created or deleted at most before the others. */
export const batch = 500;

/** Pods that were created, and the failure that ended the creation, such as that of a quota. */
export interface Created {
  readonly count: number;
  readonly failure: Failure | undefined;
}

/**
 * Creates pods of an owner until one fails. That a namespace is being deleted, which prevents all, is not a
 * failure.
 */
export function* createPods(
  cluster: Cluster,
  path: ResourcePath,
  owner: JsonObject,
  created: readonly JsonObject[],
): Verb<Created> {
  let count = 0;
  for (const pod of created) {
    try {
      const { metadata } = yield* cluster.create(pods, pod);
      count += 1;
      const message = `Created pod: ${text(metadata, 'name')}`;
      recordEvent(cluster, path, owner, { reason: 'SuccessfulCreate', message });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const causes = error.problem.details?.causes ?? [];
      if (causes.some(({ reason }) => reason === 'NamespaceTerminating'))
        return { count, failure: undefined };
      const message = `Error creating: ${error.message}`;
      recordEvent(cluster, path, owner, { reason: 'FailedCreate', message, type: 'Warning' });
      return { count, failure: error };
    }
  }
  return { count, failure: undefined };
}

/** Deletes pods of an owner. @throws {Failure} */
export function* removePods(
  cluster: Cluster,
  path: ResourcePath,
  owner: JsonObject,
  removed: readonly JsonObject[],
): Verb<void> {
  for (const pod of removed) {
    try {
      yield* cluster.remove(pods, pod);
    } catch (error) {
      if (error instanceof Failure) {
        const message = `Error deleting: ${error.message}`;
        recordEvent(cluster, path, owner, { reason: 'FailedDelete', message, type: 'Warning' });
      }
      throw error;
    }
    const message = `Deleted pod: ${nameOf(pod)}`;
    recordEvent(cluster, path, owner, { reason: 'SuccessfulDelete', message });
  }
}

/** Returns pods in the order in which they are deleted: those that serve least come first. */
export function deletionOrder(found: readonly JsonObject[]): readonly JsonObject[] {
  const perNode = new Map<string, number>();
  for (const pod of found) {
    const node = text(pod, 'spec', 'nodeName');
    perNode.set(node, (perNode.get(node) ?? 0) + 1);
  }
  const rank = (pod: JsonObject): readonly (number | string)[] => [
    text(pod, 'spec', 'nodeName') === '' ? 0 : 1,
    ['Pending', 'Unknown', 'Running'].indexOf(text(pod, 'status', 'phase')),
    isReady(pod) ? 1 : 0,
    Number(text(pod, 'metadata', 'annotations', 'controller.kubernetes.io/pod-deletion-cost') || 0),
    -(perNode.get(text(pod, 'spec', 'nodeName')) ?? 0),
    -restarts(pod),
  ];
  return found.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    const index = left.findIndex((part, position) => part !== right[position]);
    if (index >= 0) return (left[index] ?? 0) < (right[index] ?? 0) ? -1 : 1;
    // Newer pods first.
    const [first, second] = [a, b].map((pod) => text(pod, 'metadata', 'creationTimestamp'));
    if (first !== second) return (first ?? '') > (second ?? '') ? -1 : 1;
    return nameOf(a) < nameOf(b) ? -1 : 1;
  });
}

function restarts(pod: JsonObject): number {
  const counts = array(pod, 'status', 'containerStatuses').map((status) => number(status, 0, 'restartCount'));
  return latest(counts);
}

/** Numbers of pods for a status. */
export interface PodCounts {
  readonly ready: number;
  readonly available: number;
  /** Milliseconds until another pod becomes available. `undefined` if none will. */
  readonly next: number | undefined;
}

/** Counts ready pods, and those that have been ready for `minReadySeconds`. */
export function countPods(found: readonly JsonObject[], minReadySeconds: number, now: number): PodCounts {
  const times = found
    .map((pod) => untilAvailable(pod, minReadySeconds, now))
    .filter((time) => time !== undefined);
  const waiting = times.filter((time) => time > 0);
  return {
    ready: times.length,
    available: times.length - waiting.length,
    next: earliest(waiting),
  };
}
