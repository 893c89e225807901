/**
 * The way to what is wrong, as names of fields. Nothing of it is written down while all is well: it is found afterwards, by
 * walking again over the bytes that were read.
 */
import { fieldsOf } from './field.ts';

/** A message on the way: what its fields are called, such as `1 name,2 args*` with a star at lists, and where it begins. */
export interface Level {
  readonly fields: string;
  readonly start: number;
}

/** What a field is called; nothing where the members of its message stand in its parent. `undefined`: not known. */
export function fieldName(fields: string, number: number): string | undefined {
  const found = fields.split(',').find((field) => field.startsWith(`${number} `));
  return found?.slice(found.indexOf(' ') + 1);
}

/** The fields that are not called anything, with their tags. */
export function unknownFields(bytes: Uint8Array, start: number, limit: number, fields: string): Buffer {
  const unknown: Uint8Array[] = [];
  for (const field of fieldsOf(bytes, start, limit)) {
    if (fieldName(fields, field.tag >>> 3) === undefined)
      unknown.push(bytes.subarray(field.start, field.end));
  }
  return Buffer.concat(unknown);
}

function nameOf(fields: string, { tag, index }: Step): string | undefined {
  const name = fieldName(fields, tag >>> 3);
  return name?.endsWith('*') ? `${name.slice(0, -1)}[${index}]` : name;
}

interface Step {
  readonly tag: number;
  /** So many fields with the same tag are before it. */
  readonly index: number;
}

/** The field in which a place is. */
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

/** The field that cannot be walked over: its tag at least may be there. */
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

/** The messages around a place, of which the first is at depth 1. */
export function levelsOf(fields: readonly string[], starts: Int32Array, depth: number): readonly Level[] {
  return Array.from({ length: depth }, (_, index) => ({
    fields: fields[index + 1] ?? '',
    start: starts[index + 1] ?? 0,
  }));
}

/** Names of the fields on the way to a place: `spec.containers[3].image`. The levels are those of all messages around it. */
export function pathOf(bytes: Uint8Array, levels: readonly Level[], place: number, limit: number): string {
  const names = levels.map(({ fields, start }, index) => {
    const step = stepTo(bytes, start, levels[index + 1]?.start ?? place, limit);
    return step && nameOf(fields, step);
  });
  return names.filter((name) => name !== undefined && name !== '').join('.');
}

/** Joins two parts of a path, of which each may be empty. */
export function joinPath(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}.${second}`;
}

const ENTRY = '# ';

/** In the place of names of fields: an entry of a map, which is called by its key. */
export function entryOf(key: string): string {
  return ENTRY + key;
}

/** The same of what is being written: by depth the names of fields, the tag, and the place in a list; -1: the list itself. */
export function pathOfTags(
  fields: readonly string[],
  tags: Int32Array,
  indices: Int32Array,
  depth: number,
): string {
  let path = '';
  for (let level = 0; level < depth; level += 1) {
    const names = fields[level] ?? '';
    if (names.startsWith(ENTRY)) path += `[${names.slice(ENTRY.length)}]`;
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
