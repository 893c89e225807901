/** Valid and invalid objects of random kinds, with the verdict of a server. */
import { ApiError, type RESTClient } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';
import { fromEntries, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { invalidSamplesOf, samplesOf } from '@kgen/testing';
import { definitionOf, pathOf, resourcesOf, served } from './custom-samples.ts';
import type { Random } from './random.ts';

/** A kind that a server serves, or the causes for which it refused the definition. */
export interface Kind {
  readonly kind: string;
  readonly definition: object;
  readonly resource: Resource;
  /** Sorted, because API servers visit properties in random order. */
  readonly refused: readonly string[];
}

/** Installs definitions, and waits until the accepted ones are served. */
export async function installed(rest: RESTClient, definitions: readonly object[]): Promise<readonly Kind[]> {
  const kinds = await Promise.all(
    definitions.map(async (definition) => {
      const { messages } = await sent(rest, definitionsPath, definition, {});
      const refused = [...messages].sort();
      return resourcesOf(definitionOf(definition)).map((resource): Kind => {
        return { kind: resource.kind, definition, resource, refused };
      });
    }),
  );
  const accepted = kinds.flat().filter(({ refused }) => refused.length === 0);
  await Promise.all(accepted.map(({ resource }) => served(rest, resource)));
  return kinds.flat();
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Returns the causes for which a server refuses a definition, in its order; empty if it accepts it. */
export async function refusalsOf(rest: RESTClient, definition: object): Promise<readonly string[]> {
  return (await sent(rest, definitionsPath, definition, { dryRun: 'All' })).messages;
}

/** An object, and the way in which it was found. */
export interface Attempt {
  readonly body: JsonObject;
  readonly how: string;
}

/** Returns samples of a kind, near misses, and samples with one changed value. */
export async function attemptsOf(resource: Resource, random: Random): Promise<readonly Attempt[]> {
  const options = { seed: random.int(1_000), budget: 20 };
  // Some schemas have no valid object.
  const none = (): { readonly samples: readonly [] } => ({ samples: [] });
  const valid = await samplesOf(resource, options).catch(none);
  const invalid = await invalidSamplesOf(resource, options).catch(none);
  const samples = random.some(valid.samples, 6).map((sample) => ({ body: bodyOf(sample), how: 'sample' }));
  const misses = random.some(invalid.samples, 12).map((miss) => ({ body: bodyOf(miss), how: miss.rule }));
  const changes = samples.flatMap(({ body }) => [0, 1, 2].map(() => changed(body, random)));
  return [...samples, ...misses, ...changes.map((body) => ({ body, how: 'change' }))];
}

function bodyOf({ object }: { readonly object: unknown }): JsonObject {
  // seam: samples are JSON.
  return object as JsonObject;
}

/** Response to the creation of an object in a dry run. */
export interface Verdict {
  /** Messages of the causes; empty if the object was accepted. */
  readonly messages: readonly string[];
  /** Whether the server has dropped a null that the schema does not allow. */
  readonly hasDroppedNull: boolean;
}

/** Creates an object in a dry run. */
export async function verdictOf(rest: RESTClient, resource: Resource, body: JsonObject): Promise<Verdict> {
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const { messages, response } = await sent(rest, pathOf(resource), body, query);
  return { messages, hasDroppedNull: messages.length === 0 && nulls(response) < nulls(body) };
}

interface Sent {
  readonly messages: readonly string[];
  readonly response: Json;
}

async function sent(
  rest: RESTClient,
  path: string,
  body: object,
  query: Readonly<Record<string, string>>,
): Promise<Sent> {
  try {
    // seam: responses are JSON.
    return { messages: [], response: (await rest.post(path, { body, query })) as Json };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const causes = error.status?.details?.causes?.map(({ field, message }) => `${field}: ${message}`);
    // A real server refuses the type of `apiVersion` of an embedded object when it decodes the object.
    const message = error.message.replace(/^post .* cannot be handled as a \w+: /, '');
    return { messages: causes ?? [message], response: null };
  }
}

function nulls(value: Json): number {
  if (value === null) return 1;
  if (typeof value !== 'object') return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + nulls(item), 0);
}

/** Returns the object with one value replaced, added or removed. */
function changed(sample: JsonObject, random: Random): JsonObject {
  const names = Object.keys(sample).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name));
  const name = names[random.int(names.length)];
  if (name === undefined) return { ...sample, surplus: 1 };
  const entries = Object.entries(sample);
  return fromEntries(entries.map(([key, value]) => [key, key === name ? altered(value, random) : value]));
}

function altered(value: Json, random: Random): Json {
  const isLeaf = typeof value !== 'object' || value === null || Object.keys(value).length === 0;
  if (isLeaf || random.chance(0.25)) return another(value, random);
  const at = random.int(Object.keys(value).length);
  if (!isObject(value)) return value.map((item, index) => (index === at ? altered(item, random) : item));
  const entries = Object.entries(value);
  if (random.chance(0.15)) return fromEntries(entries.filter((_, index) => index !== at));
  return fromEntries(entries.map(([key, item], index) => [key, index === at ? altered(item, random) : item]));
}

function another(value: Json, random: Random): Json {
  if (isObject(value) && random.chance(0.5)) return { ...value, surplus: 1 };
  const values = [null, 'other', 7, 2.5, true, {}, { surplus: 1 }, ''] as const;
  // API servers do not check a list in place of a string with a format.
  const isText = value === null || typeof value === 'string';
  return isText ? random.pick<Json>(values) : random.pick<Json>([...values, [], [null]]);
}
