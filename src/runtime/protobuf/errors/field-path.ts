/**
 * Field paths of errors. Nothing is recorded while bytes are valid: the path is computed by reading the bytes
 * again.
 */
import { fieldsOf } from '../wire/field.ts';

/**
 * An enclosing message: the names of its fields, such as `1 name,2 args*` with an asterisk at lists, and its
 * start.
 */
export interface Level {
  readonly fields: string;
  readonly start: number;
}

/**
 * Returns the name of a field, empty if its message is inlined into the parent; `undefined` if it is unknown.
 */
export function fieldName(fields: string, number: number): string | undefined {
  const found = fields.split(',').find((field) => field.startsWith(`${number} `));
  return found?.slice(found.indexOf(' ') + 1);
}

/** Returns the fields without a name, with their tags. */
export function unknownFields(bytes: Uint8Array, start: number, limit: number, fields: string): Buffer {
  const unknown: Uint8Array[] = [];
  for (const field of fieldsOf(bytes, start, limit)) {
    if (fieldName(fields, field.tag >>> 3) === undefined)
      unknown.push(bytes.subarray(field.start, field.end));
  }
  return Buffer.concat(unknown);
}

interface Step {
  readonly tag: number;
  /** Number of preceding fields with the same tag. */
  readonly index: number;
}

/** Returns the messages around a position, of which the first has depth 1. */
export function levelsOf(fields: readonly string[], starts: Int32Array, depth: number): readonly Level[] {
  return Array.from({ length: depth }, (_, index) => ({
    fields: fields[index + 1] ?? '',
    start: starts[index + 1] ?? 0,
  }));
}

/**
 * Returns the names of the fields to a position: `spec.containers[3].image`. The levels are those of all
 * enclosing messages.
 */
export function pathOf(bytes: Uint8Array, levels: readonly Level[], place: number, limit: number): string {
  const names = levels.map(({ fields, start }, index) => {
    const step = stepTo(bytes, start, levels[index + 1]?.start ?? place, limit);
    return step && nameOf(fields, step);
  });
  return names.filter((name) => name !== undefined && name !== '').join('.');
}

/** Returns the field that contains a position. */
function stepTo(bytes: Uint8Array, start: number, place: number, limit: number): Step | undefined {
  const counts = new Map<number, number>();
  let next = start;
  for (const { tag, end } of fieldsOf(bytes, start, limit)) {
    if (end > place) return { tag, index: counts.get(tag) ?? 0 };
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
    next = end;
  }
  return next > place ? undefined : broken(bytes, next, limit, counts);
}

/** Returns a malformed field, of which at least the tag may be present. */
function broken(
  bytes: Uint8Array,
  at: number,
  limit: number,
  counts: ReadonlyMap<number, number>,
): Step | undefined {
  let tag = 0;
  for (let index = 0; index < 5 && at + index < limit; index += 1) {
    const byte = bytes[at + index] ?? 0;
    tag += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { tag, index: counts.get(tag) ?? 0 };
  }
  return undefined;
}

function nameOf(fields: string, { tag, index }: Step): string | undefined {
  const name = fieldName(fields, tag >>> 3);
  return name?.endsWith('*') ? `${name.slice(0, -1)}[${index}]` : name;
}

/** Joins two parts of a path, either of which may be empty. */
export function joinPath(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}.${second}`;
}

const entry = '# ';

/** Stands for the names of fields: an entry of a map is named by its key. */
export function entryOf(key: string): string {
  return entry + key;
}

/**
 * Returns the path of a field that is being written: names of fields by depth, the tag, and the index in a
 * list; -1: the list itself.
 */
export function pathOfTags(
  fields: readonly string[],
  tags: Int32Array,
  indices: Int32Array,
  depth: number,
): string {
  let path = '';
  for (let level = 0; level < depth; level += 1) {
    const names = fields[level] ?? '';
    if (names.startsWith(entry)) path += `[${names.slice(entry.length)}]`;
    else
      path = joinPath(
        path,
        listPlace(fieldName(names, (tags[level] ?? 0) >>> 3) ?? '', indices[level] ?? -1),
      );
  }
  return path;
}

function listPlace(name: string, index: number): string {
  if (!name.endsWith('*')) return name;
  return index === -1 ? name.slice(0, -1) : `${name.slice(0, -1)}[${index}]`;
}
