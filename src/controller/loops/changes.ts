/** Differences between two versions of an object, with values that may be logged. */
import { canonical, digestOf, memberNames } from '../apply/canonical.ts';
import { isObject, type JsonObject, member } from '../members.ts';

/** Object of a write or an event. */
export interface ObjectName {
  /** API group: `apps`. `''` is the core group. */
  readonly group: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

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

/** Fields of metadata that the server changes with each write. */
const serverFields: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Returns the members that differ, at most 20. Lists of different lengths count as one member. */
export function changesOf(
  object: ObjectName,
  before: object | undefined,
  after: object | undefined,
): readonly Change[] {
  if (after === undefined) return before === undefined ? [] : [changeOf(object, '', '(deleted)')];
  if (before === undefined) return [changeOf(object, '', '(created)')];
  const found: Change[] = [];
  collect(object, strip(before), strip(after), '', found);
  return found;
}

/** Returns the canonical name of an object: `deployments.apps shop/web`. */
export function printObject({ group, resource, namespace, name }: ObjectName): string {
  const kind = group === '' ? resource : `${resource}.${group}`;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}

function strip(object: object): JsonObject {
  const { apiVersion: _, kind: __, metadata, ...rest } = isObject(object) ? object : {};
  const kept = Object.entries(isObject(metadata) ? metadata : {}).filter(([key]) => !serverFields.has(key));
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function collect(object: ObjectName, before: unknown, after: unknown, path: string, found: Change[]): void {
  if (found.length >= most || canonical(before) === canonical(after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...memberNames(before), ...memberNames(after)])) {
      collect(object, member(before, key), member(after, key), `${path}${printKey(key)}`, found);
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of after.entries()) {
      collect(object, before[index], item, `${path}[${index}]`, found);
    }
    return;
  }
  found.push(changeOf(object, path, after));
}

function changeOf(object: ObjectName, path: string, value: unknown): Change {
  const isPublic = !isSecret(object) || path === '' || path.startsWith('.metadata.labels');
  const shown = isPublic ? printValue(value) : '(redacted)';
  return { path, digest: digestOf(canonical(value)), value: shown };
}

/** Annotations of a Secret may contain its data: `kubectl apply` stores the whole object in one. */
function isSecret({ group, resource }: ObjectName): boolean {
  return group === '' && resource === 'secrets';
}

function printKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? `.${key}` : `[${printValue(key)}]`;
}

/** Returns a value for logs: limited, and without characters that change the direction of text. */
function printValue(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = canonical(value).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
