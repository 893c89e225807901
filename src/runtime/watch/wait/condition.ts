import type { KubernetesObject } from '../../api/meta.ts';
import { statusOf } from './status.ts';

/**
 * Returns a predicate for `waitFor`. It holds if `status.conditions` contains a condition of this type with
 * this status that is current: `observedGeneration`, if present in the condition or in the status, is not
 * less than `metadata.generation`. It does not hold for an absent object.
 * @example
 * ```ts
 * import { condition } from '@kgen/runtime';
 *
 * const deployments = clientset.appsV1.deployments('shop');
 * await deployments.waitFor('web', condition('Available'), { timeoutMs: 60_000 });
 * ```
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

/** Data of the server: comparing a value of another type may throw. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
