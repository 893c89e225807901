/** Differences between two versions of an object, with values that may be logged. */
import { canonical, digestOf, isJson } from '../apply/canonical.ts';
import { isObject, type JsonObject, member } from '../members.ts';
import type { ObjectName } from '../runs/key.ts';
import { isSecret, lastApplied, redactedText } from '../secrecy/rules.ts';

/** Returns a text without values of Secrets. */
export type Mask = (text: string) => string;

/** A member that differs. */
export interface Change {
  /** Path of the member: `.spec.replicas`. Empty if the object was created or deleted. */
  readonly path: string;
  /** Digest of the new value. */
  readonly digest: string;
  /** New value as JSON, at most 100 characters long. Values of Secrets are `(redacted)`. */
  readonly value: string;
}

const most = 20;
const longest = 100;

const metadataPath = '.metadata';

/** Fields of metadata that the server changes with each write. */
const serverFields: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** A member of an object that differs, with both values. Absent ones are `undefined`. */
export interface Difference {
  /** Path of the member: `.spec.replicas`. Empty if the object was created or deleted. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the members that differ, at most 20. Lists of different lengths count as one member. */
export function changesOf(
  object: ObjectName,
  before: object | undefined,
  after: object | undefined,
  mask?: Mask,
): readonly Change[] {
  if (after === undefined) return before === undefined ? [] : [changeOf(object, '', '(deleted)')];
  if (before === undefined) return [changeOf(object, '', '(created)')];
  return differencesOf(before, after, most).map((difference) =>
    changeOf(object, difference.path, difference.after, mask),
  );
}

/** Returns the members in which two states of an object differ, without those that the server maintains. */
export function differencesOf(before: object, after: object, limit: number): readonly Difference[] {
  const found: Difference[] = [];
  collect(isObject(before) ? before : {}, isObject(after) ? after : {}, '', found, limit);
  return found;
}

/** Returns the canonical name of an object: `deployments.apps shop/web`. */
export function printObject({ group, resource, namespace, name }: ObjectName): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

/** Members that the server maintains, by the path of the object that has them. */
const maintained: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['', new Set(['apiVersion', 'kind'])],
  [metadataPath, serverFields],
]);

function collect(before: unknown, after: unknown, path: string, found: Difference[], limit: number): void {
  if (found.length >= limit || before === after) return;
  if (isObject(before) && isObject(after) && !('toJSON' in before) && !('toJSON' in after)) {
    for (const key of differingKeys(before, after, maintained.get(path))) {
      const isMetadata = path === '' && key === 'metadata';
      const [old, value] = [member(before, key), member(after, key)].map((each) =>
        isMetadata && !isObject(each) ? {} : each,
      );
      collect(old, value, `${path}${printKey(key)}`, found, limit);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length) {
      for (const [index, item] of after.entries())
        collect(before[index], item, `${path}[${index}]`, found, limit);
      return;
    }
  } else if (isScalar(before) && isScalar(after)) {
    found.push({ path, before, after });
    return;
  }
  if (canonical(before) !== canonical(after)) found.push({ path, before, after });
}

/** Returns the names of the members that differ: those that existed before in order, then the others. */
function differingKeys(
  before: JsonObject,
  after: JsonObject,
  omitted?: ReadonlySet<string>,
): readonly string[] {
  const [changed, added]: [string[], string[]] = [[], []];
  for (const key of Object.keys(before)) {
    if (isJson(before[key]) && omitted?.has(key) !== true && !isEqual(before[key], member(after, key)))
      changed.push(key);
  }
  for (const key of Object.keys(after)) {
    if (isJson(after[key]) && omitted?.has(key) !== true && !isJson(member(before, key))) added.push(key);
  }
  return [...changed.sort(), ...added.sort()];
}

/** Most members are equal: without names in order, they take a fraction of the time. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item: unknown, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]));
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function changeOf(object: ObjectName, path: string, value: unknown, mask?: Mask): Change {
  return { path, digest: digestOf(canonical(value)), value: shownValue(object, path, value, mask) };
}

/**
 * Returns the value of a member for logs: at most 100 characters, and `(redacted)` in Secrets. `mask` hides
 * values of Secrets in other objects.
 */
export function shownValue(object: ObjectName, path: string, value: unknown, mask?: Mask): string {
  if (value === undefined) return absent;
  const isPublic = path === '' || path.startsWith('.metadata.labels') || !isSecret(object);
  if (!isPublic || path.includes(lastApplied)) return redactedText;
  return printValue(path === annotations ? withoutLastApplied(value) : value, mask);
}

const annotations = '.metadata.annotations';

function withoutLastApplied(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, lastApplied)) return value;
  return { ...value, [lastApplied]: redactedText };
}

const absent = '(absent)';

function printKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${printValue(key)}]`;
}

/** Returns a value for logs: limited, and without characters that change the direction of text. */
function printValue(value: unknown, mask: Mask = (text) => text): string {
  if (value === undefined) return absent;
  // Before the text is shortened: a part of a value is not recognized.
  const text = mask(canonical(value)).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
