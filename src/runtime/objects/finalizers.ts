/**
 * Finalizers: the server does not remove a terminating object that has any. Functions return a changed copy,
 * or the same object if nothing changes.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/finalizers/
 */
import type { KubernetesObject } from '../api/meta.ts';
import { listOr, withMetadata } from './metadata.ts';

/** Returns whether `metadata.finalizers` of an object contains a finalizer. */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return listOr(object.metadata?.finalizers).includes(finalizer);
}

/**
 * Returns the object with the finalizer at the end of its list, or the same object if it already has it.
 * @example
 * ```ts
 * import { addFinalizer } from '@kgen/runtime/objects';
 *
 * const apps = clientset.myV1.myApps('shop');
 * const app = await apps.get('web');
 * const held = addFinalizer(app, 'example.com/cleanup');
 * if (held !== app) await apps.update(held);
 * ```
 */
export function addFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (hasFinalizer(object, finalizer)) return object;
  return withMetadata(object, { finalizers: [...listOr(object.metadata?.finalizers), finalizer] });
}

/** Returns the object without the finalizer, or the same object if it does not have it. */
export function removeFinalizer<T extends KubernetesObject>(object: T, finalizer: string): T {
  if (!hasFinalizer(object, finalizer)) return object;
  const finalizers = listOr(object.metadata?.finalizers).filter((candidate) => candidate !== finalizer);
  return withMetadata(object, { finalizers });
}
