/** Samples of resources as arbitraries of fast-check. */

import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { type Arbitrary, array, double } from 'fast-check';
import { loadSampler } from './sampler.ts';
import { typed } from './samples.ts';
import type { SampleOptions } from './types.ts';

/** Maximum number of random decisions in one sample; all further ones are the simplest. */
const maxDecisions = 400;

/**
 * Returns an arbitrary of valid objects of a resource. Shrinking leaves out optional members, and makes
 * values simpler.
 * @throws {TypeError} the resource has no schema
 * @example
 * ```ts
 * import { arbitraryOf } from '@kgen/testing/fast-check';
 * import { pods } from '@kgen/kubernetes/core/v1';
 * import { assert, property } from 'fast-check';
 *
 * const anyPod = await arbitraryOf(pods);
 * assert(property(anyPod, (pod) => (pod.spec?.containers.length ?? 0) > 0));
 * ```
 */
export async function arbitraryOf<R extends Resource>(
  resource: R,
  options: SampleOptions = {},
): Promise<Arbitrary<ObjectOf<R>>> {
  const sampler = await loadSampler(resource, options);
  const decisions = array(double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    maxLength: maxDecisions,
    size: 'max',
  });
  return decisions
    .map((numbers) => sampler.fromNumbers(numbers))
    .filter((object) => object !== undefined)
    .map((object) => typed<R>(object));
}
