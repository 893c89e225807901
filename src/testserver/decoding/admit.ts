/** Pruning, defaults, conversion and field validation of the objects of requests. */
import { applyDefaults, type StrayNulls } from '@kgen/schema/validation/defaults';
import { prune } from '@kgen/schema/validation/prune';
import type { Schema } from '@kgen/schema/validation/structural';
import { isArray, type JsonObject, object, own, putAt, replace, text } from '@kgen/schema/values/json';
import type { Context } from '../call/context.ts';
import type { WriteOptions } from '../call/options.ts';
import { type Verb, wait } from '../call/verb.ts';
import { badRequest, failure } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { fromStored, toStored } from '../resources/builtin/convert.ts';
import { decodeGo } from '../resources/builtin/go-decode.ts';
import { goStruct, homeOf } from '../resources/builtin/go-type.ts';
import { shapeBuiltIn } from '../resources/builtin/strategy.ts';
import { coerceMetadata } from '../resources/metadata.ts';
import type { ResourceType } from '../resources/type.ts';
import { findingsOf, reportStrict } from './strict.ts';

/** An object as the API server accepts it, and its unknown fields. */
export interface Shaped {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Normalises metadata, prunes unknown fields and applies defaults.
 * @throws {Failure} 400 for invalid metadata
 */
export function shape(sent: JsonObject, type: ResourceType, nulls: StrayNulls = 'removed'): Shaped {
  const value = withReset(sent);
  if (type.goStruct !== undefined) return shapeBuiltIn(value, type);
  const pruned = pruneTo(value, type, type.schema);
  return { value: fillIn(pruned.value, type.schema, nulls), unknown: pruned.unknown };
}

/** No managed fields remove all managers, as a single empty entry does; decoding would drop them. */
function withReset(value: JsonObject): JsonObject {
  const managed = own(object(value, 'metadata'), 'managedFields');
  const isReset = isArray(managed) && managed.length === 0;
  return isReset ? putAt(value, ['metadata', 'managedFields'], [{}]) : value;
}

function pruneTo(value: JsonObject, type: ResourceType, schema: Schema | undefined): Shaped {
  const { metadata, unknown } = coerceMetadata(own(value, 'metadata'), subjectOf(type));
  const plain = replace(value, 'metadata', metadata);
  if (schema === undefined) return { value: plain, unknown };
  const ofEmbedded: string[] = [];
  const pruned = prune(plain, schema, (embedded, field) => {
    const coerced = coerceMetadata(embedded, subjectOf(type), field);
    for (const path of coerced.unknown) ofEmbedded.push(path);
    return coerced;
  });
  const found = type.strategy === 'custom' ? pruned.unknown.toSorted() : pruned.unknown;
  // Metadata of embedded resources is decoded after the fields of the object are pruned.
  const isLast = (path: string): boolean => ofEmbedded.some((field) => path.endsWith(`.${field}`));
  const last = found.filter(isLast);
  return {
    value: object(pruned.value),
    unknown: [...unknown, ...found.filter((path) => !last.includes(path)), ...last],
  };
}

/** Applies defaults except for metadata, whose schema is ignored. */
function fillIn(value: JsonObject, schema: Schema | undefined, nulls: StrayNulls = 'removed'): JsonObject {
  if (schema === undefined) return value;
  return object(applyDefaults(value, withoutMetadata(schema), nulls));
}

const schemasWithoutMetadata = new WeakMap<Schema, Schema>();

function withoutMetadata(schema: Schema): Schema {
  const known = schemasWithoutMetadata.get(schema);
  if (known !== undefined) return known;
  const properties = new Map([...schema.properties].filter(([name]) => name !== 'metadata'));
  const rest = { ...schema, properties };
  schemasWithoutMetadata.set(schema, rest);
  return rest;
}

/**
 * Normalises an object of a client, and reports unknown fields as `fieldValidation` requests.
 * @param sent the parsed body, if `value` has more members
 * @throws {Failure} 400 if it is Strict and there are any
 */
export function admit(
  context: Context,
  value: JsonObject,
  options: WriteOptions,
  sent: JsonObject = value,
): JsonObject {
  const shaped = shape(value, context.type);
  const { type, request } = context;
  reportStrict(context, findingsOf(request, sent, shaped.unknown, type), options, (message) =>
    badRequest(`${subjectOf(type)} cannot be handled as a ${type.kind}: ${message}`),
  );
  return shaped.value;
}

/**
 * Reports unknown and duplicate fields of the body of a subresource, which is of another kind.
 * @throws {Failure} 400 if `fieldValidation` is Strict, or for a value of the wrong type
 */
export function checkBody(context: Context, body: JsonObject, kind: Kind, options: WriteOptions): void {
  const found = findingsOf(context.request, body, unknownIn(body, kind), { strategy: 'builtin' });
  reportStrict(context, found, options, (message) =>
    badRequest(`${subjectOf(kind)} cannot be handled as a ${kind.kind}: ${message}`),
  );
}

/**
 * Returns the paths of the fields that a built-in kind does not have.
 * @throws {Failure} 400 for a value of the wrong type
 */
export function unknownIn(value: JsonObject, kind: Kind): readonly string[] {
  const struct = goStruct(homeOf(kind.group, kind.version), kind.kind);
  return struct === undefined ? [] : decodeGo(value, struct, subjectOf(kind)).unknown;
}

type Kind = Pick<ResourceType, 'group' | 'version' | 'kind'>;

function subjectOf({ kind, version }: Kind): string {
  return `${kind} in version ${JSON.stringify(version)}`;
}

/** Loads the schema of a type, which built-in kinds load when it is needed first. */
export function* loadSchema(type: ResourceType): Verb<void> {
  const loading = type.load?.();
  if (loading !== undefined) yield* wait(loading);
}

/** The latest representation of a stored object: lists and watches return the same object again and again. */
const presented = new WeakMap<JsonObject, { readonly type: ResourceType; readonly value: JsonObject }>();

/** The representations that webhooks converted, by the stored object and the apiVersion. */
const converted = new WeakMap<JsonObject, Map<string, JsonObject>>();

/** An object is stored in a version that its definition no longer has. The response has no reason. */
class RemovedVersion extends Failure {
  constructor(apiVersion: string) {
    super({ code: 500, message: `request to convert CR from an invalid group/version: ${apiVersion}` });
  }
}

/** Returns the failure of a request that the watch cache would serve, which never has its initial state. */
export function ofCache(error: unknown, { apiVersion, kind }: ResourceType): unknown {
  if (!(error instanceof RemovedVersion)) return error;
  const cause = `failed to list ${apiVersion}, Kind=${kind}: ${error.message}`;
  const details = { retryAfterSeconds: 1 };
  return failure(429, 'TooManyRequests', `storage is (re)initializing: ${cause}`, { details });
}

/**
 * Returns a stored object in the requested version: defaulted by the schema of the version in which it is
 * stored, converted, and without fields that the requested version does not have.
 * @throws {Failure} 500 if the conversion webhook fails, or the stored version was removed
 */
export function* present(value: JsonObject, type: ResourceType): Verb<JsonObject> {
  if (type.goStruct !== undefined && type.apiVersion === type.storageApiVersion) return value;
  const known = presented.get(value);
  if (known?.type === type) return known.value;
  if (type.goStruct !== undefined) return remember(value, type, fromStored(value, type));
  const version = text(value, 'apiVersion');
  if (type.schemas !== undefined && !type.schemas.has(version)) throw new RemovedVersion(version);
  const complete = fillIn(value, type.schemas?.get(version) ?? type.storageSchema);
  if (type.apiVersion === (type.schemas === undefined ? type.storageApiVersion : version))
    return remember(value, type, complete);
  return remember(value, type, yield* convertOnce(value, complete, type));
}

/** Converts an object once per version, however many watches receive it. */
function* convertOnce(value: JsonObject, complete: JsonObject, type: ResourceType): Verb<JsonObject> {
  if (type.convert === undefined) return yield* inVersionOf(complete, type, type.apiVersion, type.schema);
  const versions = converted.get(value) ?? new Map<string, JsonObject>();
  converted.set(value, versions);
  const shown =
    versions.get(type.apiVersion) ?? (yield* inVersionOf(complete, type, type.apiVersion, type.schema));
  versions.set(type.apiVersion, shown);
  return shown;
}

/** Returns an object in another version, without fields that its schema does not have. */
function* inVersionOf(
  value: JsonObject,
  type: ResourceType,
  apiVersion: string,
  schema: Schema | undefined,
): Verb<JsonObject> {
  const next =
    type.convert === undefined
      ? replace(value, 'apiVersion', apiVersion)
      : yield* wait(type.convert(value, apiVersion));
  return pruneTo(next, type, schema).value;
}

function remember(value: JsonObject, type: ResourceType, shown: JsonObject): JsonObject {
  presented.set(value, { type, value: shown });
  return shown;
}

/** Returns an object of one version in another version of its kind. */
export function* convertTo(value: JsonObject, type: ResourceType): Verb<JsonObject> {
  if (text(value, 'apiVersion') === type.apiVersion) return value;
  return yield* inVersionOf(value, type, type.apiVersion, type.schema);
}

/** Returns an object in the storage version, without fields that its schema does not have. */
export function* stored(value: JsonObject, type: ResourceType): Verb<JsonObject> {
  if (type.apiVersion === type.storageApiVersion) return value;
  if (type.goStruct !== undefined) return toStored(value, type);
  return yield* inVersionOf(value, type, type.storageApiVersion, type.storageSchema);
}
