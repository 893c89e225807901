/** Index functions for `addIndex`. Calls with the same arguments return the same function. */
import type { KubernetesObject } from '../../api/meta.ts';
import { requireField } from '../../codec/projection/selected-mark.ts';
import { listOr } from '../../objects/metadata.ts';

type AnyIndexFunction = (object: KubernetesObject) => readonly string[];

/**
 * Index function by namespace; objects without a namespace are under `''`. Free of cost, because every
 * informer has this index.
 */
export const byNamespace: AnyIndexFunction = (object) => [object.metadata?.namespace ?? ''];

/**
 * Index function by the uid of each owner: `addIndex('owner', byOwner).get(owner.metadata.uid)`.
 * @example
 * ```ts
 * import { byOwner, InformerFactory } from '@kgen/runtime';
 * import { pods } from '@kgen/kubernetes/core/v1';
 *
 * const byOwnerIndex = new InformerFactory(clientset).of(pods).addIndex('owner', byOwner);
 * const web = await clientset.appsV1.replicaSets('shop').get('web-5d4f8c');
 * console.log(byOwnerIndex.get(web.metadata.uid));
 * ```
 */
export const byOwner: AnyIndexFunction = (object) => {
  requireField(object, 'metadata', 'ownerReferences', 'uid');
  return listOr(object.metadata?.ownerReferences)
    .map((reference) => reference?.uid)
    .filter(isString);
};

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

const labelFunctions = new Map<string, AnyIndexFunction>();

/**
 * Returns the index function by the value of the label `key`. The lister uses the index for the requirements
 * `key=value`, `key in (…)` and `key`.
 */
export function byLabel(key: string): AnyIndexFunction {
  const known = labelFunctions.get(key);
  if (known !== undefined) return known;
  const valuesOf: AnyIndexFunction = (object) => {
    requireField(object, 'metadata', 'labels', key);
    const labels = object.metadata?.labels ?? {};
    return Object.hasOwn(labels, key) ? [labels[key]].filter(isString) : [];
  };
  labelFunctions.set(key, valuesOf);
  return valuesOf;
}

/** Returns the function that `byLabel(key)` has returned before, if any. */
export function knownByLabel(key: string): AnyIndexFunction | undefined {
  return labelFunctions.get(key);
}
