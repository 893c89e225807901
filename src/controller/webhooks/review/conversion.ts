/** Conversion of objects between the versions of a resource. Pure, as are the functions of the versions. */

import { apiVersionOf } from '@kgen/runtime';
import { jsonOf, parseBytes } from '@kgen/runtime/objects';
import { isObject, type JsonObject, member } from '../../members.ts';
import { type ConversionWebhook, keptPrefix } from '../declarations/conversion.ts';
import { isTooDeep, nonJson, tooDeep } from './changes.ts';
import { withMembers } from './exact-members.ts';
import { lostFields, restoreFields } from './kept-fields.ts';

/** An object cannot be converted. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

type Convert = (object: unknown) => unknown;

/** A conversion from one version to another one, of which one is the hub. */
interface ConversionStep {
  /** Versions, as `apiVersion`. */
  readonly from: string;
  readonly to: string;
  /** Annotations with the fields that only one of them has. */
  readonly fromKey: string;
  readonly toKey: string;
  readonly forward: Convert;
  readonly backward: Convert;
}

/**
 * Returns an object in the version `to`.
 * @throws {ConversionError} an unknown version, or an invalid result of a function
 */
export function convertObject(webhook: ConversionWebhook, object: JsonObject, to: string): JsonObject {
  const { resource, options } = webhook;
  const isKept = options.keepFields ?? true;
  const from = versionOf(webhook, member(object, 'apiVersion'));
  if (member(object, 'kind') !== resource.kind) throw new ConversionError(`the kind is not ${resource.kind}`);
  if (!isObject(member(object, 'metadata'))) throw new ConversionError('the object has no metadata');
  if (isTooDeep(object)) throw new ConversionError(`the object has ${tooDeep}`);
  if (from === to) return object;
  let result = object;
  for (const step of stepsOf(webhook, from, to)) {
    result = isKept ? convertedKeeping(result, step) : applied(result, step.forward, step.to);
  }
  return result;
}

/**
 * Returns the version of an `apiVersion`.
 * @throws {ConversionError} if the webhook has no such version
 */
export function versionOf({ resource, options }: ConversionWebhook, apiVersion: unknown): string {
  const names = [resource.version, ...Object.keys(options.versions)];
  const version = names.find((each) => apiVersion === apiVersionOf({ group: resource.group, version: each }));
  if (version === undefined)
    throw new ConversionError(`the version is not one of ${resource.group}: ${names.join(', ')}`);
  return version;
}

function stepsOf(
  { resource, options }: ConversionWebhook,
  from: string,
  to: string,
): readonly ConversionStep[] {
  const hub = resource.version;
  const [first, second] = [options.versions[from], options.versions[to]];
  const step = (source: string, target: string, forward: Convert, backward: Convert): ConversionStep => ({
    from: apiVersionOf({ group: resource.group, version: source }),
    to: apiVersionOf({ group: resource.group, version: target }),
    ...{ fromKey: keptPrefix + source, toKey: keptPrefix + target, forward, backward },
  });
  return [
    ...(from === hub || first === undefined ? [] : [step(from, hub, first.toHub, first.fromHub)]),
    ...(to === hub || second === undefined ? [] : [step(hub, to, second.fromHub, second.toHub)]),
  ];
}

/** Converts an object, restores its fields that the source cannot express, and keeps those of the source. */
function convertedKeeping(object: JsonObject, step: ConversionStep): JsonObject {
  const source = withoutKept(object, [step.fromKey, step.toKey]);
  const converted = restored(applied(source, step.forward, step.to), keptIn(object, step.toKey));
  const back = applied(converted, step.backward, step.from);
  const lost = lostFields(bodyOf(source), bodyOf(back));
  return lost.length === 0 ? converted : withAnnotation(converted, step.fromKey, jsonOf(lost));
}

/** Returns the object with the members that a function returns; it keeps its identity. */
function applied(object: JsonObject, convert: Convert, apiVersion: string): JsonObject {
  const result = convert(object) ?? {};
  const problem = isObject(result) ? nonJson(result) : '';
  if (problem !== undefined || !isObject(result))
    throw new ConversionError(`the function of the conversion returned a value that is not JSON: ${problem}`);
  const { apiVersion: _, kind: _kind, metadata, ...members } = result;
  return {
    ...withMembers(object, members),
    apiVersion,
    kind: member(object, 'kind'),
    metadata: metadataOf(object, metadata),
  };
}

/** Labels and annotations of the result, if it has any; everything else of the object. */
function metadataOf(object: JsonObject, result: unknown): JsonObject {
  const old = objectOf(member(object, 'metadata'));
  const given = objectOf(result);
  const changes: Record<string, unknown> = {};
  for (const key of ['labels', 'annotations']) {
    if (!Object.hasOwn(given, key)) continue;
    const values = given[key] ?? {};
    if (!isObject(values) || !Object.values(values).every((value) => typeof value === 'string'))
      throw new ConversionError(`metadata.${key} of the result must be strings`);
    changes[key] = key === 'annotations' ? { ...values, ...keptOf(old) } : values;
  }
  return { ...old, ...changes };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Annotations with the kept fields of other versions, which functions need not know. */
function keptOf(metadata: JsonObject): JsonObject {
  const entries = Object.entries(objectOf(metadata['annotations']));
  return Object.fromEntries(entries.filter(([key]) => key.startsWith(keptPrefix)));
}

function withoutKept(object: JsonObject, keys: readonly string[]): JsonObject {
  const metadata = objectOf(member(object, 'metadata'));
  const annotations = member(metadata, 'annotations');
  if (!isObject(annotations)) return object;
  if (!keys.some((key) => Object.hasOwn(annotations, key))) return object;
  const rest = Object.entries(annotations).filter(([key]) => !keys.includes(key));
  const { annotations: _, ...others } = metadata;
  return {
    ...object,
    metadata: rest.length === 0 ? others : { ...others, annotations: Object.fromEntries(rest) },
  };
}

function withAnnotation(object: JsonObject, key: string, value: string): JsonObject {
  const metadata = objectOf(object['metadata']);
  return {
    ...object,
    metadata: { ...metadata, annotations: { ...objectOf(metadata['annotations']), [key]: value } },
  };
}

/** Returns the kept fields of a version; `undefined` without any, or if they are not JSON. */
function keptIn(object: JsonObject, key: string): unknown {
  const text = member(member(member(object, 'metadata'), 'annotations'), key);
  try {
    return typeof text === 'string' ? parseBytes(Buffer.from(text)) : undefined;
  } catch {
    return undefined;
  }
}

function restored(object: JsonObject, fields: unknown): JsonObject {
  if (fields === undefined) return object;
  // A copy: the result of a function may share parts with its argument.
  const body = objectOf(parseBytes(Buffer.from(jsonOf(bodyOf(object)))));
  restoreFields(body, fields);
  const { apiVersion, kind, metadata } = object;
  const { metadata: changed, apiVersion: _, kind: _kind, ...members } = body;
  const { labels: _l, annotations: _a, ...identity } = objectOf(metadata);
  const { labels, annotations } = objectOf(changed);
  const notes = { ...objectOf(annotations), ...keptOf(objectOf(metadata)) };
  return {
    apiVersion,
    kind,
    metadata: {
      ...identity,
      ...(isObject(labels) ? { labels } : {}),
      ...(Object.keys(notes).length === 0 ? {} : { annotations: notes }),
    },
    ...members,
  };
}

/** The parts of an object that conversions may change, without the annotations of kept fields. */
function bodyOf(object: JsonObject): JsonObject {
  const { apiVersion: _, kind: _kind, metadata, ...members } = object;
  const { labels, annotations } = objectOf(metadata);
  const own = Object.entries(objectOf(annotations)).filter(([key]) => !key.startsWith(keptPrefix));
  const notes = {
    ...(isObject(labels) && Object.keys(labels).length > 0 ? { labels } : {}),
    ...(own.length === 0 ? {} : { annotations: Object.fromEntries(own) }),
  };
  return { ...members, metadata: notes };
}
