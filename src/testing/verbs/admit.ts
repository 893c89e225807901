import { badRequest, notImplemented } from '../api/failures.ts';
import { coerceMetadata } from '../resources/metadata.ts';
import type { ResourceType } from '../resources/type.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/structural.ts';
import { type JsonObject, object, own, replace } from '../values/json.ts';
import type { Context } from './context.ts';
import { duplicateFields } from './duplicates.ts';
import type { WriteOptions } from './options.ts';

/** An object as the API server takes it in, and the fields that it does not know. */
export interface Shaped {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

/** Metadata made plain, unknown fields pruned, defaults filled in. @throws {Failure} 400 for broken metadata. */
export function shape(value: JsonObject, type: ResourceType): Shaped {
  const pruned = pruneTo(value, type, type.schema);
  return { value: fillIn(pruned.value, type.schema), unknown: pruned.unknown };
}

function pruneTo(value: JsonObject, type: ResourceType, schema: Schema | undefined): Shaped {
  const { metadata, unknown } = coerceMetadata(own(value, 'metadata'), inVersion(type));
  const plain = replace(value, 'metadata', metadata);
  if (schema === undefined) return { value: plain, unknown };
  const pruned = prune(plain, schema, (embedded) => coerceMetadata(embedded, inVersion(type)));
  return { value: object(pruned.value), unknown: [...unknown, ...pruned.unknown] };
}

/** Defaults but for metadata: what the schema says about that does not count. */
function fillIn(value: JsonObject, schema: Schema | undefined): JsonObject {
  if (schema === undefined) return value;
  const properties = new Map([...schema.properties].filter(([name]) => name !== 'metadata'));
  return object(applyDefaults(value, { ...schema, properties }));
}

function inVersion(type: ResourceType): string {
  return `${type.kind} in version ${JSON.stringify(type.version)}`;
}

/**
 * Shapes an object that a client sent, and tells about unknown fields as `fieldValidation` asks.
 * @throws {Failure} 400 when it is Strict and there are any.
 */
export function admit(context: Context, value: JsonObject, options: WriteOptions): JsonObject {
  const shaped = shape(value, context.type);
  const duplicates = duplicateFields(context.request.body).map(
    (path) => `duplicate field ${JSON.stringify(path)}`,
  );
  const unknown = unknownFields(shaped.unknown);
  const { type } = context;
  reportStrict(context, [...duplicates, ...unknown], options, (message) =>
    badRequest(`${inVersion(type)} cannot be handled as a ${type.kind}: ${message}`),
  );
  return shaped.value;
}

/** Unknown fields as strict decoding tells about them. */
export function unknownFields(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `unknown field ${JSON.stringify(path)}`);
}

/** Warns about or refuses what strict decoding finds, as `fieldValidation` asks. */
export function reportStrict(
  context: Context,
  messages: readonly string[],
  options: WriteOptions,
  refuse: (message: string) => Error,
): void {
  if (messages.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${messages.join(', ')}`);
  for (const message of messages) context.warnings.add(message);
}

/** The latest presentation of a stored object: lists and watches show the same object again and again. */
const presented = new WeakMap<JsonObject, { readonly type: ResourceType; readonly value: JsonObject }>();

/**
 * A stored object in the version that was asked for: completed by the schema it is stored under, without what the asked
 * version does not have. @throws {Failure} 501 where a webhook would have to convert it.
 */
export function present(value: JsonObject, type: ResourceType): JsonObject {
  const known = presented.get(value);
  if (known?.type === type) return known.value;
  const complete = fillIn(value, type.storageSchema);
  if (type.apiVersion === type.storageApiVersion) return remember(value, type, complete);
  if (type.webhookConversion)
    throw notImplemented(
      `conversion webhooks: ${type.kind} in ${type.storageApiVersion} to ${type.apiVersion}`,
    );
  return remember(
    value,
    type,
    pruneTo(replace(complete, 'apiVersion', type.apiVersion), type, type.schema).value,
  );
}

function remember(value: JsonObject, type: ResourceType, shown: JsonObject): JsonObject {
  presented.set(value, { type, value: shown });
  return shown;
}

/** An object as it is stored: in that version, without what its schema does not have. */
export function stored(value: JsonObject, type: ResourceType): JsonObject {
  if (type.apiVersion === type.storageApiVersion) return value;
  return pruneTo(replace(value, 'apiVersion', type.storageApiVersion), type, type.storageSchema).value;
}
