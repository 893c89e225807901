import type { ResourceType } from '../resources/type.ts';
import type { Store } from '../store/store.ts';
import { array, equal, type JsonObject, object, omit, own, putAt, strings, text } from '../values/json.ts';
import { now } from '../values/time.ts';
import { stored } from './admit.ts';

/** Propagation to the dependents of a deleted object, and dry run. */
export interface DeletePolicy {
  readonly propagation: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly dryRun: boolean;
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
 */
export function deleteObject(
  store: Store,
  type: ResourceType,
  key: string,
  value: JsonObject,
  policy: DeletePolicy,
): Deleted {
  const finalizers = finalizersFor(type, strings(value, 'metadata', 'finalizers'), policy.propagation);
  const held =
    finalizers.length > 0 ||
    (type.strategy === 'namespace' && strings(value, 'spec', 'finalizers').length > 0);
  if (!held) {
    const last = policy.dryRun ? value : store.remove(type.storage, key);
    return { gone: true, value: last ?? value };
  }
  const marked = markDeleting(type, withFinalizers(value, finalizers));
  if (policy.dryRun || equal(marked, value)) return { gone: false, value: marked };
  return { gone: false, value: store.put(type.storage, key, stored(marked, type)) };
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
  if (propagation === undefined || type.strategy === 'namespace') return finalizers;
  const others = finalizers.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  if (propagation === 'Orphan') return [...others, 'orphan'];
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others;
}

/** Returns the object with the marks of a deletion. Existing marks are kept. */
function markDeleting(type: ResourceType, value: JsonObject): JsonObject {
  const metadata = object(value, 'metadata');
  if (text(metadata, 'deletionTimestamp') !== '') return value;
  const deletionTimestamp = now();
  if (type.strategy === 'namespace') {
    const marked = putAt(value, ['metadata'], { ...metadata, deletionTimestamp });
    return putAt(marked, ['status', 'phase'], 'Terminating');
  }
  if (type.strategy === 'definition') {
    return terminating(putAt(value, ['metadata'], { ...metadata, deletionTimestamp }), deletionTimestamp);
  }
  const generation = own(metadata, 'generation');
  const bumped = typeof generation === 'number' ? { generation: generation + 1 } : {};
  const marks = { ...bumped, deletionTimestamp, deletionGracePeriodSeconds: 0 };
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
