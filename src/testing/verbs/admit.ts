import { badRequest, notImplemented } from '../api/failures.ts';
import { coerceMetadata } from '../resources/metadata.ts';
import type { ResourceType } from '../resources/type.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { prune } from '../schema/prune.ts';
import type { Schema } from '../schema/structural.ts';
import { type JsonObject, object, own, replace } from '../values/json.ts';
import type { Context } from './context.ts';
import type { WriteOptions } from './options.ts';

/** Matches strings, brackets, colons and commas of JSON; other tokens do not affect the nesting of keys. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** An open object or array with its current key or index, and the keys so far. */
interface Level {
  readonly keys: Set<string> | undefined;
  step: string;
}

/** An object as the API server accepts it, and its unknown fields. */
export interface Shaped {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
}

/**
 * Normalises metadata, prunes unknown fields and applies defaults.
 * @throws {Failure} 400 for invalid metadata
 */
export function shape(value: JsonObject, type: ResourceType): Shaped {
  const pruned = pruneTo(value, type, type.schema);
  return { value: fillIn(pruned.value, type.schema), unknown: pruned.unknown };
}

function pruneTo(value: JsonObject, type: ResourceType, schema: Schema | undefined): Shaped {
  const { metadata, unknown } = coerceMetadata(own(value, 'metadata'), inVersion(type));
  const plain = replace(value, 'metadata', metadata);
  if (schema === undefined) return { value: plain, unknown };
  const pruned = prune(plain, schema, (embedded) => coerceMetadata(embedded, inVersion(type)));
  // Built-in types are decoded, which reports fields in their order; custom resources are pruned.
  const found = type.strategy === 'custom' ? pruned.unknown.toSorted() : pruned.unknown;
  return { value: object(pruned.value), unknown: [...unknown, ...found] };
}

/** Applies defaults except for metadata, whose schema is ignored. */
function fillIn(value: JsonObject, schema: Schema | undefined): JsonObject {
  if (schema === undefined) return value;
  const properties = new Map([...schema.properties].filter(([name]) => name !== 'metadata'));
  return object(applyDefaults(value, { ...schema, properties }));
}

function inVersion(type: ResourceType): string {
  return `${type.kind} in version ${JSON.stringify(type.version)}`;
}

/**
 * Normalises an object of a client, and reports unknown fields as `fieldValidation` requests.
 * @throws {Failure} 400 if it is Strict and there are any
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

/** Returns unknown fields in the notation of strict decoding. */
export function unknownFields(paths: readonly string[]): readonly string[] {
  return paths.map((path) => `unknown field ${JSON.stringify(path)}`);
}

/** Warns about or rejects findings of strict decoding, as `fieldValidation` requests. */
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

/** The latest representation of a stored object: lists and watches return the same object again and again. */
const presented = new WeakMap<JsonObject, { readonly type: ResourceType; readonly value: JsonObject }>();

/**
 * Returns a stored object in the requested version: defaulted by the storage schema, without fields that the
 * requested version does not have.
 * @throws {Failure} 501 if a webhook would have to convert it
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

/** Returns an object in the storage version, without fields that its schema does not have. */
export function stored(value: JsonObject, type: ResourceType): JsonObject {
  if (type.apiVersion === type.storageApiVersion) return value;
  return pruneTo(replace(value, 'apiVersion', type.storageApiVersion), type, type.storageSchema).value;
}

/** Returns the paths of duplicate keys in JSON, which JSON.parse does not report. */
export function duplicateFields(body: string): readonly string[] {
  const levels: Level[] = [];
  const found: string[] = [];
  let last = '';
  for (const [token] of body.matchAll(tokens)) {
    const top = levels.at(-1);
    if (token === '{') levels.push({ keys: new Set(), step: '' });
    else if (token === '[') levels.push({ keys: undefined, step: '[0]' });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ':' && top?.keys !== undefined) {
      // The token before a colon is a key in JSON notation.
      top.step = JSON.parse(last) as string;
      if (top.keys.has(top.step)) found.push(pathOf(levels));
      top.keys.add(top.step);
    } else if (token === ',' && top !== undefined && top.keys === undefined) top.step = nextIndex(top.step);
    last = token;
  }
  return found;
}

function nextIndex(step: string): string {
  return `[${Number(step.slice(1, -1)) + 1}]`;
}

function pathOf(levels: readonly Level[]): string {
  return levels
    .map(({ keys, step }) => (keys === undefined ? step : `.${step}`))
    .join('')
    .slice(1);
}
