/** Parts of an object that a write determines, in canonical form. */

import { isObject, type JsonObject, member } from '../members.ts';
import { canonical, canonicalMember, memberNames } from './canonical.ts';
import { type FieldTree, keysOfStep } from './field-tree.ts';

/** Canonical form of a part of an object. */
export interface Projection {
  readonly text: string;
  /**
   * Whether the object has every projected field, except for empty ones, which the server may omit. Other
   * fields may be stored elsewhere, such as `stringData` of a Secret.
   */
  readonly isComplete: boolean;
}

const absent = '-';

/**
 * Projects an object to the fields that a manager owns, and to the members of the body that have no owner,
 * such as empty lists. Items of lists are found by their keys, and their relative order counts. A list in
 * which an owned item is missing or occurs twice counts as a whole.
 */
export function projectFields(object: JsonObject, fields: FieldTree, body: JsonObject): Projection {
  const missing = { count: 0 };
  const text = projectNode({ object }, 'object', fields, intentOf(body), missing);
  return { text, isComplete: missing.count === 0 };
}

/** Projects an object to the fields of a request body: objects by member, and lists as a whole. */
export function projectBody(object: JsonObject, body: JsonObject): Projection {
  const missing = { count: 0 };
  const text = projectLike({ object }, 'object', intentOf(body), missing);
  return { text, isComplete: missing.count === 0 };
}

/**
 * Projects an object to everything except the fields that the server sets by itself. Its status is included
 * only on request.
 */
export function projectWhole(object: JsonObject, withStatus: boolean): Projection {
  const { metadata, status, ...rest } = intentOf(object);
  const { generation: _, ...kept } = isObject(metadata) ? metadata : {};
  return {
    text: canonical({ ...rest, metadata: kept, ...(withStatus ? { status } : {}) }),
    isComplete: true,
  };
}

/** Returns an object without the fields that identify it, and those that only the server sets. */
export function intentOf(body: JsonObject): JsonObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = body;
  if (!isObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !identifying.has(key));
  return kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) };
}

const identifying: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'managedFields',
  'name',
  'namespace',
  'resourceVersion',
  'selfLink',
  'uid',
]);

interface Missing {
  count: number;
}

function projectNode(
  holder: object,
  key: string,
  fields: FieldTree,
  body: unknown,
  missing: Missing,
): string {
  const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  if (value === undefined) {
    if (!isZero(body)) missing.count += 1;
    return absent;
  }
  if (fields.size === 0) return canonicalMember(holder, key);
  const areFields = [...fields.keys()].every((step) => step.startsWith('f:'));
  if (areFields && isObject(value)) return projectObject(value, fields, body, missing);
  return !areFields && Array.isArray(value) ? projectList(value, fields, body, missing) : canonical(value);
}

/** Returns whether the server may omit a value, rather than store it elsewhere. */
function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return memberNames(value).length === 0;
  return value === null || value === false || value === 0 || value === '';
}

function projectObject(value: JsonObject, fields: FieldTree, body: unknown, missing: Missing): string {
  const owned = [...fields].map(([step, below]) => {
    const key = step.slice(2);
    return `${JSON.stringify(key)}:${projectNode(value, key, below, member(body, key), missing)}`;
  });
  const others = isObject(body) ? memberNames(body).filter((key) => !fields.has(`f:${key}`)) : [];
  const unowned = others.map((key) => {
    const isPresent = member(value, key) !== undefined;
    return `${JSON.stringify(key)}:${isPresent ? canonicalMember(value, key) : absent}`;
  });
  return `{${[...owned, ...unowned].join(',')}}`;
}

function projectList(items: readonly unknown[], fields: FieldTree, body: unknown, missing: Missing): string {
  const steps = [...fields.keys()];
  const found = items.map((_, index) => steps.find((step) => isItemOf(items, index, step)));
  const owned = found.filter((step) => step !== undefined);
  if (owned.length !== fields.size || new Set(owned).size !== fields.size) return canonical(items);
  const wanted: readonly unknown[] = Array.isArray(body) ? body : [];
  const parts = found.flatMap((step, index) => {
    const below = step === undefined ? undefined : fields.get(step);
    if (step === undefined || below === undefined) return [];
    const item = wanted.find((_, at) => isItemOf(wanted, at, step, 'defaulted'));
    return [`${step}=${projectNode(items, String(index), below, item, missing)}`];
  });
  return `[${parts.join(',')}]`;
}

/**
 * Returns whether an item of a list is the one of a step: `k:{"name":"web"}` or `v:"web"`. An intent may omit
 * keys that have a default: such a key is not among the owned fields of the item.
 */
export function isItemOf(
  items: readonly unknown[],
  index: number,
  step: string,
  keysAre: 'complete' | 'defaulted' = 'complete',
): boolean {
  const item = items[index];
  if (step.startsWith('v:')) {
    return canonicalMember(items, String(index)) === canonical(JSON.parse(step.slice(2)));
  }
  const keys = keysOfStep(step);
  if (!isObject(item)) return false;
  return Object.keys(keys).every((key) => {
    if (member(item, key) === undefined) return keysAre === 'defaulted';
    return canonicalMember(item, key) === canonicalMember(keys, key);
  });
}

function projectLike(holder: object, key: string, body: unknown, missing: Missing): string {
  const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  if (value === undefined) {
    if (!isZero(body)) missing.count += 1;
    return absent;
  }
  if (!isObject(body) || !isObject(value) || memberNames(body).length === 0) {
    return canonicalMember(holder, key);
  }
  const parts = memberNames(body).map(
    (name) => `${JSON.stringify(name)}:${projectLike(value, name, body[name], missing)}`,
  );
  return `{${parts.join(',')}}`;
}
