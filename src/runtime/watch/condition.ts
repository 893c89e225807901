import type { KubernetesObject } from '../meta.ts';
import { statusOf } from './status.ts';

/**
 * A predicate for `waitFor`: the object's `status.conditions` has one of this type with this status, and it speaks of
 * the present spec (`observedGeneration`, where it is given in the condition or in the status, is not behind
 * `metadata.generation`). Holds for no object that is absent.
 */
export function condition(
  type: string,
  status = 'True',
): <T extends KubernetesObject>(object: T | undefined) => object is T {
  return <T extends KubernetesObject>(object: T | undefined): object is T => {
    if (object === undefined) return false;
    const { conditions, observedGeneration } = statusOf(object);
    const found = conditions?.find((candidate) => candidate['type'] === type);
    const generation = numberOf(object.metadata?.generation) ?? 0;
    const observed = numberOf(found?.['observedGeneration']) ?? observedGeneration ?? generation;
    return found?.['status'] === status && observed >= generation;
  };
}

/** The wire: comparing a value of another type may throw. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
