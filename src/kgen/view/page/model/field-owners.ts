/**
 * Owners of the fields of an object, from its `metadata.managedFields`.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
import { isRecord, metadataOf } from '../../secrets.ts';
import { stepOf } from './differences.ts';

/** A program that has set fields. */
export interface FieldOwner {
  /** `shop: Apply of status`. */
  readonly title: string;
  /** Time in ISO 8601; empty without one. */
  readonly time: string;
  /** Number of its fields that the object has. */
  readonly count: number;
}

/** Owners of an object, and of each of its fields. */
export interface FieldOwners {
  /** In the order of the object. */
  readonly owners: readonly FieldOwner[];
  /** Returns the indices of the owners of a path such as `.spec.ports[0].name`. */
  readonly of: (path: string) => readonly number[];
}

/** Limits of what is read: objects of a hostile server may have any number and depth of fields. */
const most = { fields: 20_000, depth: 50 } as const;

/** Owners of a path: of the field itself, or also of whatever is below it. */
interface Mark {
  readonly owner: number;
  readonly isWhole: boolean;
}

/** Returns the owners of the fields of an object. */
export function fieldOwnersOf(content: unknown): FieldOwners {
  const { managedFields } = metadataOf(content);
  const entries = (Array.isArray(managedFields) ? managedFields : []).filter(isRecord);
  const marks = new Map<string, Mark[]>();
  const owners = entries.map(({ manager, operation, subresource, time, fieldsV1 }, owner) => {
    const part = typeof subresource === 'string' && subresource !== '' ? ` of ${subresource}` : '';
    const title = `${String(manager)}: ${String(operation)}${part}`;
    const count = addMarks(
      { marks, owner, left: most.fields },
      { fields: fieldsV1, value: content, path: '' },
      0,
    );
    return { title, time: typeof time === 'string' ? time : '', count };
  });
  return { owners, of: (path) => ownersOf(marks, path) };
}

interface Walk {
  readonly marks: Map<string, Mark[]>;
  readonly owner: number;
  readonly left: number;
}

/** A part of an object, with its fields in the format FieldsV1. */
interface Owned {
  readonly fields: unknown;
  readonly value: unknown;
  readonly path: string;
}

/** Adds the marks of a part. Returns the number of its innermost fields. */
function addMarks(walk: Walk, { fields, value, path }: Owned, depth: number): number {
  if (!isRecord(fields) || depth > most.depth || walk.left <= 0) return 0;
  const members = Object.entries(fields).filter(([name]) => name !== '.');
  const isWhole = members.length === 0;
  if (path !== '' && (isWhole || '.' in fields)) mark(walk, path, isWhole);
  if (isWhole) return path === '' ? 0 : 1;
  let count = 0;
  for (const [name, inner] of members) {
    const step = stepIn(value, name);
    if (step === undefined || count >= walk.left) continue;
    const next = { fields: inner, value: memberOf(value, step), path: `${path}${stepOf(step)}` };
    count += addMarks({ ...walk, left: walk.left - count }, next, depth + 1);
  }
  return count;
}

function mark({ marks, owner }: Walk, path: string, isWhole: boolean): void {
  const own = marks.get(path);
  if (own === undefined) marks.set(path, [{ owner, isWhole }]);
  else own.push({ owner, isWhole });
}

function memberOf(value: unknown, step: string | number): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return isRecord(value) ? value[step] : undefined;
}

/**
 * Returns the member that a step of FieldsV1 names; `undefined` if the value does not have it. Steps are
 * `f:name`, `k:{"name":"app"}`, `v:"value"` and `i:0`.
 */
function stepIn(value: unknown, step: string): string | number | undefined {
  const [kind, rest] = [step.slice(0, 2), step.slice(2)];
  if (kind === 'f:') return isRecord(value) && Object.hasOwn(value, rest) ? rest : undefined;
  if (!Array.isArray(value)) return undefined;
  const items: readonly unknown[] = value;
  const key = jsonOf(rest);
  const index =
    kind === 'i:'
      ? Number(rest)
      : items.findIndex((item) => (kind === 'k:' ? hasKey(item, key) : item === key));
  return index >= 0 && index < items.length ? index : undefined;
}

function hasKey(item: unknown, key: unknown): boolean {
  if (!isRecord(item) || !isRecord(key)) return false;
  return Object.entries(key).every(([name, value]) => item[name] === value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A malformed key names no item.
  }
}

/** A field without owners of its own belongs to those of the nearest field above that is owned as a whole. */
function ownersOf(marks: ReadonlyMap<string, readonly Mark[]>, path: string): readonly number[] {
  const own = marks.get(path);
  if (own !== undefined) return own.map(({ owner }) => owner);
  for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
    const found = (marks.get(above) ?? []).filter(({ isWhole }) => isWhole);
    if (found.length > 0) return found.map(({ owner }) => owner);
  }
  return [];
}

/** Returns the path without its last step, which may be quoted and contain any characters. */
function parentOf(path: string): string {
  const [step = path] = /(?:\.[\w-]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])$/.exec(path) ?? [];
  return path.slice(0, path.length - step.length);
}
