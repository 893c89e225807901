/** Changes of one member of an object, as users make them. Pure. */
import {
  equal,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  put,
  text,
} from '@kgen/schema/values/json';
import type { FieldPath } from './schedule.ts';

/** A new value of a member; `null` removes it. */
export interface UserEdit {
  readonly path: FieldPath;
  readonly value: Json;
}

/** Metadata that users set, and for which no operator may depend on a value. */
const metadataEdits: readonly UserEdit[] = [
  { path: ['metadata', 'labels', 'team'], value: 'first' },
  { path: ['metadata', 'labels', 'team'], value: 'second' },
  { path: ['metadata', 'labels', 'team'], value: null },
  { path: ['metadata', 'annotations', 'example.com/note'], value: 'first' },
  { path: ['metadata', 'annotations', 'example.com/note'], value: null },
];

/** Returns the kind of an object with its version. */
export function kindOf(value: JsonObject): string {
  return `${text(value, 'apiVersion')} ${text(value, 'kind')}`;
}

/**
 * Returns changes of the objects of one kind: to the values of samples, to altered ones, removals of
 * members, and changes of metadata. The server may refuse some of them.
 */
export function editsOf(samples: readonly JsonObject[]): readonly UserEdit[] {
  const fields = samples.flatMap((sample) => fieldsOf(object(sample, 'spec'), ['spec']));
  const edits = fields.flatMap(([path, value]) =>
    [value, ...altered(value), null].map((each) => ({ path, value: each })),
  );
  const metadata = samples.flatMap(annotationEdits);
  const different = new Map(
    [...edits, ...metadata, ...metadataEdits].map((edit) => [JSON.stringify(edit), edit]),
  );
  return [...different.values()];
}

/** Returns changes to the annotations of a sample, and their removals. */
function annotationEdits(sample: JsonObject): readonly UserEdit[] {
  return Object.entries(object(sample, 'metadata', 'annotations')).flatMap(([name, value]) =>
    [value, null].map((each) => ({ path: ['metadata', 'annotations', name], value: each })),
  );
}

/** Returns changes of the data of a Secret or a ConfigMap. */
export function dataEdits(value: JsonObject): readonly UserEdit[] {
  const isSecret = text(value, 'kind') === 'Secret';
  return Object.entries(object(value, 'data')).flatMap(([key, item]): UserEdit[] => {
    if (typeof item !== 'string') return [];
    const next = isSecret ? btoa(`${atob(item)}-2`) : `${item}-2`;
    return [{ path: ['data', key], value: next }];
  });
}

/** Returns other values of a member, which the server may refuse. */
export function altered(value: Json): readonly Json[] {
  if (typeof value === 'string') return [`${value}x`];
  if (typeof value === 'number') return [value + 1, 0];
  if (typeof value === 'boolean') return [!value];
  return isArray(value) && value.length > 1 ? [value.slice(0, -1)] : [];
}

/** Names of members and annotations with which users stop an operator for an object. */
const pauseName = /(?:^|[./-])(?:paused?|suspend(?:ed)?)$/iu;

/**
 * Returns whether a user has paused the operator for an object: until the user takes that back, the objects
 * of the operator stay as they are, which depends on the time of the pause.
 */
export function isPaused(value: JsonObject): boolean {
  const members = [
    ...fieldsOf(object(value, 'spec'), []),
    ...fieldsOf(object(value, 'metadata', 'annotations'), []),
  ];
  return members.some(
    ([path, member]) => pauseName.test(path.at(-1) ?? '') && member !== false && member !== 'false',
  );
}

/** Returns the members of an object, at any depth outside of lists. */
export function fieldsOf(
  value: JsonObject,
  path: FieldPath,
): readonly (readonly [path: FieldPath, value: Json])[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = [...path, name];
    return [[inner, member] as const, ...(isObject(member) ? fieldsOf(member, inner) : [])];
  });
}

/** Returns an object after a change by a merge patch. The same object if nothing changes. */
export function edited(value: JsonObject, { path, value: next }: UserEdit): JsonObject {
  const result = merged(value, path, next);
  return equal(result, value) ? value : result;
}

function merged(value: JsonObject, [first = '', ...rest]: readonly string[], next: Json): JsonObject {
  if (rest.length > 0) {
    if (next === null && !isObject(own(value, first))) return value;
    return put(value, first, merged(object(value, first), rest, next));
  }
  if (next === null) return omit(value, first);
  const known = own(value, first);
  if (!isObject(next)) return put(value, first, next);
  const base = isObject(known) ? known : fromEntries([]);
  return put(
    value,
    first,
    Object.entries(next).reduce((each, [key, member]) => merged(each, [key], member), base),
  );
}
