/**
 * Finalizers: while there are any, the server keeps an object whose deletion was asked for. What changes an object
 * returns a changed copy, or the same object where nothing changes.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
import type { KubernetesObject } from '../meta.ts';
import { withMetadata } from './metadata.ts';

/** Whether the object has this finalizer. */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/** The object with this finalizer, at the end of the list. The same object if it has it already. */
export function addFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return withMetadata(object, { finalizers: [...(object.metadata?.finalizers ?? []), finalizer] });
}

/** The object without this finalizer. The same object if it has none such. */
export function removeFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const finalizers = (object.metadata?.finalizers ?? []).filter((candidate) => candidate !== finalizer);
  return withMetadata(object, { finalizers });
}
