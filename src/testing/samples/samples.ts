/** Samples of resources: valid and invalid objects, from the schemas of their descriptors. */
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import type { JsonObject } from '@kgen/schema/values/json';
import { loadSampler } from './sampler.ts';
import type { InvalidSample, Sample, SampleOptions, SampleSet } from './types.ts';

export type { InvalidSample, Sample, SampleOptions, SampleSet, Unmet } from './types.ts';

/**
 * Returns a valid object of a resource, the same one for the same seed.
 * @throws {TypeError} the client of the resource was generated without schemas
 * @throws {Error} no valid object was found within the attempts of a call, with the rules that failed
 */
export async function sampleOf<R extends Resource>(
  resource: R,
  options: SampleOptions = {},
): Promise<ObjectOf<R>> {
  return typed<R>((await loadSampler(resource, options)).sample());
}

/**
 * Returns valid objects that together have every option of the schema.
 * @throws {TypeError} the client of the resource was generated without schemas
 * @throws {Error} no valid object was found within the attempts of a call, with the rules that failed
 */
export async function samplesOf<R extends Resource>(
  resource: R,
  options: SampleOptions = {},
): Promise<SampleSet<Sample<ObjectOf<R>>>> {
  const { samples, unmet } = (await loadSampler(resource, options)).samples();
  return { samples: samples.map((each) => ({ ...each, object: typed<R>(each.object) })), unmet };
}

/**
 * Returns objects that break one rule of the schema each.
 * @throws {TypeError} the client of the resource was generated without schemas
 * @throws {Error} no valid object was found within the attempts of a call, with the rules that failed
 */
export async function invalidSamplesOf<R extends Resource>(
  resource: R,
  options: SampleOptions = {},
): Promise<SampleSet<InvalidSample<ObjectOf<R>>>> {
  const { samples, unmet } = (await loadSampler(resource, options)).invalidSamples();
  return { samples: samples.map((each) => ({ ...each, object: typed<R>(each.object) })), unmet };
}

/** Returns an object with the type of its resource. */
export function typed<R extends Resource>(object: JsonObject): ObjectOf<R> {
  // seam: the schema, from which the type was generated, accepts the object.
  return object as ObjectOf<R>;
}
