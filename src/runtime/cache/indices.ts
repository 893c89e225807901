/** Index functions for `addIndex`. Each call with the same arguments gives the same function. */
import type { KubernetesObject } from '../meta.ts';
import { listOr } from '../objects/metadata.ts';

type AnyIndexFunction = (object: KubernetesObject) => readonly string[];

/** By namespace; under `''` what is not in a namespace. Costs nothing: every informer has this index already. */
export const byNamespace: AnyIndexFunction = (object) => [object.metadata?.namespace ?? ''];

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** By the uid of each owner: `addIndex('owner', byOwner).get(owner.metadata.uid)`. */
export const byOwner: AnyIndexFunction = (object) =>
  listOr(object.metadata?.ownerReferences)
    .map((reference) => reference?.uid)
    .filter(isString);

const labelFunctions = new Map<string, AnyIndexFunction>();

/** By the value of the label `key`. The lister answers `key=value`, `key in (…)` and `key` through it. */
export function byLabel(key: string): AnyIndexFunction {
  const known = labelFunctions.get(key);
  if (known !== undefined) return known;
  const valuesOf: AnyIndexFunction = (object) => {
    const labels = object.metadata?.labels ?? {};
    return Object.hasOwn(labels, key) ? [labels[key]].filter(isString) : [];
  };
  labelFunctions.set(key, valuesOf);
  return valuesOf;
}

/** What `byLabel(key)` gave, if it was ever called for the key. */
export function knownByLabel(key: string): AnyIndexFunction | undefined {
  return labelFunctions.get(key);
}
