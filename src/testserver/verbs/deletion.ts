/** Deletion of one object: propagation, finalizers and grace periods. */
import {
  array,
  equal,
  type JsonObject,
  object,
  omit,
  own,
  putAt,
  strings,
  text,
} from '@kgen/schema/values/json';
import type { ServerState } from '../call/context.ts';
import { timestamp } from '../environment/environment.ts';
import type { ResourceType } from '../resources/type.ts';

/** Propagation to the dependents of a deleted object, and dry run. */
export interface DeletePolicy {
  readonly propagation: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly dryRun: boolean;
  /** Seconds that a pod on a node has to terminate. Default: those of the pod. */
  readonly gracePeriodSeconds?: number;
}

/** Result of a deletion: removed, or marked and held by finalizers. */
export interface Deleted {
  readonly gone: boolean;
  readonly value: JsonObject;
}

/** The finalizer that holds a definition until its objects are deleted. */
export const cleanup = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Deletes an object, or marks it as terminating if finalizers (its own, or those of the propagation) hold it.
 * The value is the object in the store.
 */
export function deleteObject(
  state: ServerState,
  type: ResourceType,
  key: string,
  value: JsonObject,
  policy: DeletePolicy,
): Deleted {
  const isEmptying =
    type.strategy === 'namespace' &&
    text(value, 'metadata', 'deletionTimestamp') !== '' &&
    strings(value, 'spec', 'finalizers').length > 0;
  if (isEmptying) return { gone: false, value };
  const present = strings(value, 'metadata', 'finalizers');
  const finalizers = finalizersFor(type, present, policy.propagation ?? defaultPropagation(type, present));
  const period = type.storage === 'pods' ? gracePeriod(value, policy.gracePeriodSeconds) : 0;
  const held =
    finalizers.length > 0 ||
    period > 0 ||
    (type.strategy === 'namespace' && strings(value, 'spec', 'finalizers').length > 0);
  if (!held) {
    // A pod is marked before it is removed.
    const marked = type.storage === 'pods' ? markDeleting(state, type, value, 0) : value;
    if (policy.dryRun) return { gone: true, value: marked };
    if (marked !== value) state.store.put(type.storage, key, marked);
    return { gone: true, value: state.store.remove(type.storage, key) ?? marked };
  }
  const marked = markDeleting(state, type, withFinalizers(value, finalizers), period);
  if (policy.dryRun || equal(marked, value)) return { gone: false, value: marked };
  return { gone: false, value: state.store.put(type.storage, key, marked) };
}

/** An earlier deletion decides, or the kind: dependents of some kinds are orphaned. */
function defaultPropagation(type: ResourceType, finalizers: readonly string[]): DeletePolicy['propagation'] {
  if (finalizers.includes('foregroundDeletion')) return 'Foreground';
  return orphaning.has(type.storage) ? 'Orphan' : undefined;
}

/** Kinds whose dependents survive by default, for compatibility with old clients. */
export const orphaning: ReadonlySet<string> = new Set(['jobs.batch', 'replicationcontrollers']);

/** Returns the seconds that a pod has to terminate: none without a node, and none if it has ended. */
function gracePeriod(pod: JsonObject, requested: number | undefined): number {
  const phase = text(pod, 'status', 'phase');
  if (text(pod, 'spec', 'nodeName') === '' || phase === 'Succeeded' || phase === 'Failed') return 0;
  const own_ = own(object(pod, 'spec'), 'terminationGracePeriodSeconds');
  const period = requested ?? (typeof own_ === 'number' ? own_ : 30);
  return period < 0 ? 1 : period;
}

/** Returns the object with these finalizers. An empty list is removed. */
export function withFinalizers(value: JsonObject, finalizers: readonly string[]): JsonObject {
  const metadata = object(value, 'metadata');
  const next = finalizers.length === 0 ? omit(metadata, 'finalizers') : { ...metadata, finalizers };
  return putAt(value, ['metadata'], next);
}

/** Returns the finalizers with those that the server itself sets for the propagation. */
function finalizersFor(
  type: ResourceType,
  finalizers: readonly string[],
  propagation: DeletePolicy['propagation'],
): readonly string[] {
  if (type.strategy === 'definition') return [...new Set([...finalizers, cleanup])];
  // Events have no dependents.
  if (propagation === undefined || type.storage === 'events') return finalizers;
  const others = finalizers.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (propagation === 'Orphan') return [...others, 'orphan'];
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others;
}

/** Returns the object with the marks of a deletion. Existing marks are kept. */
function markDeleting(
  { environment }: ServerState,
  type: ResourceType,
  value: JsonObject,
  period: number,
): JsonObject {
  const metadata = object(value, 'metadata');
  const before = own(metadata, 'deletionGracePeriodSeconds');
  const isShortened = type.storage === 'pods' && typeof before === 'number' && period < before;
  if (text(metadata, 'deletionTimestamp') !== '' && !isShortened) return value;
  const deletionTimestamp = timestamp({ ...environment, now: () => environment.now() + period * 1_000 });
  if (type.strategy === 'namespace') {
    const marked = putAt(value, ['metadata'], { ...metadata, deletionTimestamp });
    return putAt(marked, ['status', 'phase'], 'Terminating');
  }
  if (type.strategy === 'definition') {
    return terminating(putAt(value, ['metadata'], { ...metadata, deletionTimestamp }), deletionTimestamp);
  }
  const generation = own(metadata, 'generation');
  const isMarked = text(metadata, 'deletionTimestamp') !== '';
  const bumped = typeof generation === 'number' && !isMarked ? { generation: generation + 1 } : {};
  const marks = { ...bumped, deletionTimestamp, deletionGracePeriodSeconds: period };
  return putAt(value, ['metadata'], { ...metadata, ...marks });
}

function terminating(value: JsonObject, lastTransitionTime: string): JsonObject {
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  return putAt(value, ['status', 'conditions'], [...array(value, 'status', 'conditions'), condition]);
}
