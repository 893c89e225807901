/** Tests of conversions: samples of each version, converted to each other version and back. */
import { apiVersionOf, type KubernetesObject } from '@kgen/runtime';
import { parseSchema } from '@kgen/schema/validation/structural';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  put,
} from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import { seededRandom } from '../samples/choices.ts';
import { loadSampler } from '../samples/sampler.ts';
import { type Validate, validatorOf, Work } from '../samples/violations.ts';
import { globalFramework, loadFramework, type TestFramework } from './framework.ts';
import {
  changesOf,
  type DeclaredAdmission,
  type DeclaredConversion,
  type QuietLog,
  type ReviewingWebhooks,
  type RoundTripChange,
  type Trip,
  type TripVersion,
} from './trip.ts';

/** Options of `checkRoundTrips`. */
export interface CheckRoundTripsOptions {
  /** Number from which samples are derived. Default: 1. */
  readonly seed?: number;
  /** Objects of any version that are converted besides the samples. Default: none. */
  readonly objects?: readonly KubernetesObject[];
  /** Returns whether a change is accepted, and not reported. Default: none is. */
  readonly ignore?: (change: RoundTripChange) => boolean;
}

/** Options of `roundTrips`. */
export interface RoundTripOptions extends CheckRoundTripsOptions {
  /** Limit of each test, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Functions that register the tests. Default: as in `contractTests`. */
  readonly framework?: TestFramework;
}

/**
 * Registers a test with vitest, jest or `node:test` for each pair of versions of each conversion, which fails
 * if an object is not the same after it was converted to the other version and back. Each test converts
 * samples of the schema, in one review for each direction, in the way of API servers: each result loses the
 * fields that its version does not have, and the other version sets its defaults. Added annotations are not
 * changes, because conversions keep fields in them.
 *
 * The promise resolves when the tests are registered. Await it, except in jest.
 *
 * @throws {TypeError} no conversion is declared. A test fails if versions of its resource have no schemas
 * @example
 * ```ts
 * import { converts, webhooks } from '@kgen/controller/webhooks';
 * import { roundTrips } from '@kgen/testing';
 * import { redisClusters } from './generated/cache.example.com/v1/index.js';
 * import { redisClusters as alphaClusters } from './generated/cache.example.com/v1alpha1/index.js';
 *
 * const v1alpha1 = { resource: alphaClusters, toHub: () => ({}), fromHub: () => ({}) };
 * await roundTrips(webhooks({ handlers: [converts(redisClusters, { versions: { v1alpha1 } })] }));
 * ```
 */
export function roundTrips<D extends DeclaredAdmission | DeclaredConversion>(
  webhooks: ReviewingWebhooks<D>,
  options: RoundTripOptions = {},
): Promise<void> {
  const pairs = pairsOf(webhooks);
  const framework = options.framework ?? globalFramework();
  // Jest collects tests synchronously.
  if (framework !== undefined) return Promise.resolve(register(framework, pairs, options));
  return loadFramework().then((loaded) => register(loaded, pairs, options));
}

function register(framework: TestFramework, pairs: readonly Pair[], options: RoundTripOptions): void {
  for (const pair of pairs) {
    const { from, to } = pair;
    framework.describe(`conversion of ${nameOf(from)}`, () => {
      framework.test(
        `from ${from.version} to ${to.version} and back keeps every field`,
        async () => {
          const lines = (await changesIn(pair, options)).map(
            ({ path, message, sample }) => `\n  ${path}: ${message}, in ${JSON.stringify(sample)}`,
          );
          if (lines.length === 0) return;
          throw new Error(`${nameOf(from)}: ${from.version} to ${to.version} and back:${lines.join('')}`);
        },
        options.timeoutMs ?? 60_000,
      );
    });
  }
}

/**
 * Returns the fields that conversions do not keep, by the rules of `roundTrips`: of each field, one change
 * with the smallest sample that was found. The same seed returns the same changes.
 * @throws {TypeError} no conversion is declared, or a version has no schema
 */
export async function checkRoundTrips<D extends DeclaredAdmission | DeclaredConversion>(
  webhooks: ReviewingWebhooks<D>,
  options: CheckRoundTripsOptions = {},
): Promise<readonly RoundTripChange[]> {
  const lists: (readonly RoundTripChange[])[] = [];
  for (const pair of pairsOf(webhooks)) lists.push(await changesIn(pair, options));
  return lists.flat();
}

/** Returns the name of the resource as kubectl prints it. */
function nameOf({ plural, group }: AnyResource): string {
  return `${plural}.${group}`;
}

type AnyResource = DeclaredConversion['resource'];

/** Two versions of a resource, and its conversion. */
interface Pair {
  readonly from: AnyResource;
  readonly to: AnyResource;
  readonly review: Trip['review'];
}

function pairsOf<D extends DeclaredAdmission | DeclaredConversion>(
  webhooks: ReviewingWebhooks<D>,
): readonly Pair[] {
  const pairs = webhooks.declarations.flatMap((declaration): readonly Pair[] => {
    if (declaration.type !== 'converts') return [];
    const { resource, options } = declaration;
    const versions = [resource, ...Object.values(options.versions).map((each) => each.resource)];
    const review: Trip['review'] = (value) => webhooks.review(declaration, value, { log });
    return versions.flatMap((from) =>
      versions.filter((to) => to !== from).map((to) => ({ from, to, review })),
    );
  });
  if (pairs.length === 0) throw new TypeError('roundTrips needs webhooks with a conversion: add converts');
  return pairs;
}

const silent = (): void => undefined;
const log: QuietLog = { debug: silent, info: silent, warn: silent, error: silent };

async function changesIn(
  { from, to, review }: Pair,
  { seed = 1, objects = [], ignore = () => false }: CheckRoundTripsOptions,
): Promise<readonly RoundTripChange[]> {
  const source = await sourceOf(from, seed);
  const target = await sourceOf(to, seed);
  const trip: Trip = { from: source.version, to: target.version, review };
  const samples = [...source.samples(), ...objects.filter((each) => isOf(each, from)).map(copyOf)];
  const found = new Map<string, Found>();
  for (const [index, changes] of (await changesOf(trip, samples)).entries())
    for (const { path, message } of changes) {
      const [key, sample] = [fieldOf(path), samples[index] ?? {}];
      const size = JSON.stringify(sample).length;
      if ((found.get(key)?.size ?? Number.POSITIVE_INFINITY) > size)
        found.set(key, { path, message, sample, size });
    }
  const results: RoundTripChange[] = [];
  for (const [key, { sample }] of found) results.push(await reduced(key, sample));
  return results.filter((change) => !ignore(change));

  /** Returns the change with the smallest valid object that has it. */
  async function reduced(key: string, whole: JsonObject): Promise<RoundTripChange> {
    const changeIn = async (candidate: JsonObject) =>
      (await changesOf(trip, [candidate]))[0]?.find(({ path }) => fieldOf(path) === key);
    const isStill = async (candidate: JsonObject): Promise<boolean> =>
      source.validate(candidate).length === 0 && (await changeIn(candidate)) !== undefined;
    const sample = await smallest(whole, isStill);
    const { path = '', message = '' } = (await changeIn(sample)) ?? found.get(key) ?? {};
    return { resource: nameOf(from), from: from.version, to: to.version, path, message, sample };
  }
}

interface Found {
  readonly path: string;
  readonly message: string;
  readonly sample: JsonObject;
  readonly size: number;
}

/** Samples besides those that cover the options of the schema, with lists of several items. */
const randomSamples = 24;
const decisions = 400;

interface Source {
  readonly version: TripVersion;
  readonly validate: Validate;
  readonly samples: () => readonly JsonObject[];
}

async function sourceOf(resource: AnyResource, seed: number): Promise<Source> {
  const namespace = resource.scope === 'Namespaced' ? { namespace: 'default' } : {};
  const sampler = await loadSampler(resource, { seed, status: true, ...namespace });
  const { documents } = sampler;
  return {
    version: { resource, schema: parseSchema(documents.root) },
    validate: validatorOf(documents, new Work()),
    samples: () => {
      const random = seededRandom(seed);
      const numbers = Array.from({ length: randomSamples }, () => Array.from({ length: decisions }, random));
      const others = numbers.map((each) => sampler.fromNumbers(each)).filter((each) => each !== undefined);
      return [...sampler.samples().samples.map(({ object }) => object), ...others].map(withNotes);
    },
  };
}

function withNotes(sample: JsonObject): JsonObject {
  const notes = { labels: { app: 'sample' }, annotations: { 'example.com/note': 'sample' } };
  return { ...sample, metadata: { ...object(sample, 'metadata'), ...notes } };
}

function isOf({ apiVersion, kind }: KubernetesObject, resource: AnyResource): boolean {
  return apiVersion === apiVersionOf(resource) && kind === resource.kind;
}

/** Returns the path without the numbers of items, by which a change is recognized in another object. */
function fieldOf(path: string): string {
  return path.replaceAll(/\[\d+\]/g, '[]');
}

/** Attempts to remove a part of one sample. */
const attempts = 400;

async function smallest(
  object: JsonObject,
  isStill: (candidate: JsonObject) => Promise<boolean>,
): Promise<JsonObject> {
  let left = attempts;
  let best = object;
  const next = async (): Promise<JsonObject | undefined> => {
    for (const candidate of smallerThan(best)) {
      left -= 1;
      if (left < 0) return undefined;
      if (await isStill(candidate)) return candidate;
    }
    return undefined;
  };
  for (let found = await next(); found !== undefined; found = await next()) best = found;
  return best;
}

/** Yields copies without one part each, larger parts first; the identity stays. */
function* smallerThan(whole: JsonObject): Iterable<JsonObject> {
  const { apiVersion = '', kind = '', metadata = {}, ...body } = whole;
  for (const key of ['labels', 'annotations'])
    if (own(metadata, key) !== undefined) yield { ...whole, metadata: omit(object(metadata), key) };
  for (const smaller of smallerValues(body))
    if (isObject(smaller)) yield { apiVersion, kind, metadata, ...smaller };
}

function* smallerValues(value: Json): Iterable<Json> {
  if (isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries())
      for (const smaller of smallerValues(item)) yield value.with(index, smaller);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield omit(value, key);
    for (const [key, item] of Object.entries(value))
      for (const smaller of smallerValues(item)) yield put(value, key, smaller);
  }
}
