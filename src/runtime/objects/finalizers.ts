/**
 * Finalizers: while there are any, the server keeps an object whose deletion was asked for. What changes an object
 * returns a changed copy, or the same object where nothing changes.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
import type { KubernetesObject } from '../meta.ts';
import { listOr, withMetadata } from './metadata.ts';

/** Whether the object has this finalizer. */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return listOr(object.metadata?.finalizers).includes(finalizer);
}

/** The object with this finalizer, at the end of the list. The same object if it has it already. */
export function addFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return withMetadata(object, { finalizers: [...listOr(object.metadata?.finalizers), finalizer] });
}

/** The object without this finalizer. The same object if it has none such. */
export function removeFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const finalizers = listOr(object.metadata?.finalizers).filter((candidate) => candidate !== finalizer);
  return withMetadata(object, { finalizers });
}
