/** Fields in the bytes of a message, independent of their meaning. */

/** A field: its tag, its start, the start of its value (after a length), and its end. */
export interface Field {
  readonly tag: number;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** Reason why there is no field: `more` bytes are needed, or it is malformed. */
export interface NoField {
  readonly problem: string;
  /** The bytes are truncated, and otherwise valid. */
  readonly more: boolean;
}

/** Wire types: the lower three bits of a tag. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, group: 3, endOfGroup: 4, fixed32: 5 } as const;

const tooShort: NoField = { problem: 'the bytes end within a field', more: true };
const wrong = (problem: string): NoField => ({ problem, more: false });
/** Maximum nesting depth of groups. */
const deepestGroup = 1000;

/**
 * Returns the error for `length` bytes of which only `left` are available. Below 0, even the length is
 * missing.
 */
export function missing(length: number, left: number): string {
  return left < 0 ? 'the bytes end before a length' : `${length} bytes are announced, and only ${left} there`;
}

/** Returns the field that starts at `at` and ends before `limit`. */
export function fieldAt(bytes: Uint8Array, at: number, limit: number): Field | NoField {
  const head = varintAt(bytes, at, limit);
  if ('problem' in head) return head;
  const tag = head.value;
  if (tag < 8 || tag >= 2 ** 32) return wrong('there is no field of that number');
  const found = valueAt(bytes, tag, head.end, limit);
  if ('problem' in found) return found;
  const [value, end] = found;
  return end > limit ? tooShort : { tag, start: at, value, end };
}

/** Reads an unsigned number of at most ten bytes. Returns it with the position after it. */
function varintAt(
  bytes: Uint8Array,
  at: number,
  limit: number,
): { readonly value: number; readonly end: number } | NoField {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    if (at + index >= limit) return tooShort;
    const byte = bytes[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return wrong('a number of more than ten bytes');
}

/** Returns start and end of a value; `at` is the position after its tag. */
function valueAt(
  bytes: Uint8Array,
  tag: number,
  at: number,
  limit: number,
): readonly [number, number] | NoField {
  switch (tag & 7) {
    case wire.varint: {
      const varint = varintAt(bytes, at, limit);
      return 'problem' in varint ? varint : [at, varint.end];
    }
    case wire.fixed64:
      return [at, at + 8];
    case wire.fixed32:
      return [at, at + 4];
    case wire.bytes: {
      const length = varintAt(bytes, at, limit);
      return 'problem' in length ? length : [length.end, length.end + length.value];
    }
    case wire.group: {
      const end = groupEnd(bytes, at, limit);
      return typeof end === 'number' ? [at, end] : end;
    }
    default:
      return wrong(`a field cannot be of wire type ${tag & 7}`);
  }
}

/** Returns the position after a group whose first field starts at `at`. */
function groupEnd(bytes: Uint8Array, at: number, limit: number): number | NoField {
  let depth = 1;
  let next = at;
  while (depth > 0) {
    const tag = varintAt(bytes, next, limit);
    if ('problem' in tag) return tag;
    const kind = tag.value & 7;
    if (kind === wire.group) depth += 1;
    else if (kind === wire.endOfGroup) depth -= 1;
    if (depth > deepestGroup) return wrong('groups are nested too deep');
    if (kind === wire.group || kind === wire.endOfGroup) next = tag.end;
    else {
      const field = fieldAt(bytes, next, limit);
      if ('problem' in field) return field;
      next = field.end;
    }
  }
  return next;
}

/** Yields the fields from `start` to `limit`, or to the first malformed one. */
export function* fieldsOf(bytes: Uint8Array, start: number, limit: number): Generator<Field, void> {
  let at = start;
  while (at < limit) {
    const field = fieldAt(bytes, at, limit);
    if ('problem' in field) return;
    yield field;
    at = field.end;
  }
}

/** Returns the concatenated values of all fields with this tag. */
export function partsOf(bytes: Uint8Array, start: number, limit: number, tag: number): Buffer {
  const parts: Uint8Array[] = [];
  for (const field of fieldsOf(bytes, start, limit)) {
    if (field.tag === tag) parts.push(bytes.subarray(field.value, field.end));
  }
  return Buffer.concat(parts);
}
