/** Conversion of objects to another version and back, as API servers do it. */
import { apiVersionOf, type KubernetesObject } from '@kgen/runtime';
import type { Resource } from '@kgen/runtime/client';
import { applyDefaults } from '@kgen/schema/validation/defaults';
import { prune } from '@kgen/schema/validation/prune';
import type { Schema } from '@kgen/schema/validation/structural';
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  text,
} from '@kgen/schema/values/json';
import { copyOf } from '@kgen/schema/values/wire';
import { differencesOf } from '../values/differences.ts';

/** A declaration that is not one of a conversion. */
export interface DeclaredAdmission {
  readonly type: 'defaults' | 'validates';
}

/** The result of `converts` of `@kgen/controller/webhooks`. */
export interface DeclaredConversion {
  readonly type: 'converts';
  /** Descriptor of the hub. */
  readonly resource: Resource;
  readonly options: { readonly versions: Readonly<Record<string, { readonly resource: Resource }>> };
}

/** The result of `webhooks` of `@kgen/controller/webhooks`: the declarations of type `D`. */
export interface ReviewingWebhooks<D> {
  readonly declarations: readonly D[];
  /** Responds to a review of a declaration. */
  review(
    declaration: NoInfer<D>,
    review: object,
    options: { readonly log: QuietLog },
  ): Promise<{ readonly status: number; readonly body: unknown }>;
}

/** A log without entries: failures are results. */
export type QuietLog = Readonly<Record<'debug' | 'info' | 'warn' | 'error', () => void>>;

/** A field that is not the same after a conversion and the conversion back. */
export interface RoundTripChange {
  /** Name of the resource: `redisclusters.cache.example.com`. */
  readonly resource: string;
  /** Version of the object. */
  readonly from: string;
  /** Version to which it is converted, and from which it is converted back. */
  readonly to: string;
  /** JSON path of the field, such as `.spec.users[0].name`; empty if the conversion fails. */
  readonly path: string;
  /** The change: `2 is lost`, `2 becomes 3`, `"x" is added`, or the message of a failed conversion. */
  readonly message: string;
  /** Object with the change, without members that the change does not need. */
  readonly sample: KubernetesObject;
}

/** A version of a resource. */
export interface TripVersion {
  readonly resource: Resource;
  readonly schema: Schema;
}

/** Conversion from one version to another one and back. */
export interface Trip {
  readonly from: TripVersion;
  readonly to: TripVersion;
  /** Returns the response to a conversion review. */
  readonly review: (review: object) => Promise<{ readonly status: number; readonly body: unknown }>;
}

/** A change of one object. */
export type TripChange = Pick<RoundTripChange, 'path' | 'message'>;

/** An object in a conversion, or the message of the failure. */
type Converted = JsonObject | string;

/** Converts objects in one review each way. Returns the changes of each object. */
export async function changesOf(
  trip: Trip,
  objects: readonly JsonObject[],
): Promise<readonly (readonly TripChange[])[]> {
  const { from, to } = trip;
  const sources = objects.map((value, index) => storedIn(from, identified(value, index)));
  // An object that was read in the other version is written back in it.
  const there = (await convertedAll(trip, sources, to)).map((each) =>
    typeof each === 'string' ? each : storedIn(to, each),
  );
  const back = await convertedAll(trip, there, from);
  return sources.map((source, index) => {
    const result = back[index] ?? 'the response has no such object';
    if (typeof result === 'string') return [{ path: '', message: result }];
    return differencesOf(source, result, equal).filter(isReported).map(changeOf);
  });
}

/** The annotation in which fields are kept is not a change, whoever reads it. */
function isReported({ path, expected }: Difference): boolean {
  return expected !== undefined || !path.startsWith('.metadata.annotations');
}

type Difference = ReturnType<typeof differencesOf>[number];

function changeOf({ path, expected, actual }: Difference): TripChange {
  const [before, after] = [JSON.stringify(expected), JSON.stringify(actual)];
  if (actual === undefined) return { path, message: `${before} is lost` };
  return { path, message: expected === undefined ? `${after} is added` : `${before} becomes ${after}` };
}

/** Returns the object as a server stores it: with metadata that conversions must not change. */
function identified(value: JsonObject, index: number): JsonObject {
  const uid = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const facts = { uid, generation: 1, resourceVersion: '1', creationTimestamp: '2020-01-01T00:00:00Z' };
  return { ...value, metadata: { ...object(value, 'metadata'), ...facts } };
}

/** Unknown fields are dropped, and defaults set, by the version in which an object is written or stored. */
function storedIn(version: TripVersion, value: JsonObject): JsonObject {
  const whole = applyDefaults(prunedIn(version, value), version.schema);
  return isObject(whole) ? whole : value;
}

function prunedIn({ schema }: TripVersion, value: JsonObject): JsonObject {
  const pruned = prune(value, schema, (metadata) => ({ metadata, unknown: [] })).value;
  return isObject(pruned) ? pruned : value;
}

/** Converts objects to a version; those that have failed before are skipped. */
async function convertedAll(
  trip: Trip,
  objects: readonly Converted[],
  version: TripVersion,
): Promise<readonly Converted[]> {
  const whole = objects.filter((each) => typeof each !== 'string');
  const converted = await convertedList(trip, whole, version);
  const next = converted.values();
  return objects.map((each) => (typeof each === 'string' ? each : (next.next().value ?? each)));
}

/** One object that fails makes the whole review fail, so that each is converted alone then. */
async function convertedList(
  trip: Trip,
  objects: readonly JsonObject[],
  version: TripVersion,
): Promise<readonly Converted[]> {
  const response = await responseOf(trip, objects, version);
  if (typeof response !== 'string')
    return objects.map((source, index) => checked(source, response[index], version));
  if (objects.length <= 1) return objects.map(() => response);
  const lists: (readonly Converted[])[] = [];
  for (const each of objects) lists.push(await convertedList(trip, [each], version));
  return lists.flat();
}

/** Returns the converted objects, or the message of the failure. */
async function responseOf(
  { review }: Trip,
  objects: readonly JsonObject[],
  { resource }: TripVersion,
): Promise<readonly Json[] | string> {
  const desiredAPIVersion = apiVersionOf(resource);
  const request = { uid: 'round-trip', desiredAPIVersion, objects };
  const kind = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };
  const { status, body } = await review({ ...kind, request });
  const response = object(copyOf(Object(body)), 'response');
  if (text(response, 'result', 'status') === 'Success') return array(response, 'convertedObjects');
  return text(response, 'result', 'message') || `the webhook responded with status ${status}`;
}

/** API servers refuse objects of another identity, restore other metadata, and drop unknown fields. */
function checked(source: JsonObject, converted: Json | undefined, version: TripVersion): Converted {
  if (!isObject(converted)) return 'the response has fewer objects than the request';
  const apiVersion = apiVersionOf(version.resource);
  if (text(converted, 'apiVersion') !== apiVersion) return `the result is not an object of ${apiVersion}`;
  const [before, after] = [source, converted].map((each) =>
    omit(object(each, 'metadata'), 'labels', 'annotations'),
  );
  const [moved] = differencesOf(before, after, equal);
  if (moved !== undefined) return `metadata${moved.path} must not change: ${changeOf(moved).message}`;
  return prunedIn(version, converted);
}
