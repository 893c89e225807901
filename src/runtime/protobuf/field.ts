/** Fields as they lie in the bytes of a message, whatever they mean. */

/** A field: its tag, and where it begins, where its value begins (after a length), and where it ends. */
export interface Field {
  readonly tag: number;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** Why there is no field: `more` bytes are needed, or something is wrong. */
export interface NoField {
  readonly problem: string;
  /** The bytes end too early; that is all that is wrong with them. */
  readonly more: boolean;
}

/** How a value is written: the lower three bits of a tag. */
export const wire = { varint: 0, fixed64: 1, bytes: 2, group: 3, endOfGroup: 4, fixed32: 5 } as const;

const tooShort: NoField = { problem: 'the bytes end within a field', more: true };
const wrong = (problem: string): NoField => ({ problem, more: false });
/** Groups may be nested so deep. */
const deepestGroup = 1000;

/** What is wrong where of so many bytes only `left` are there; below 0: not even their length. */
export function missing(length: number, left: number): string {
  return left < 0 ? 'the bytes end before a length' : `${length} bytes are announced, and only ${left} there`;
}

/** A number without a sign, of at most ten bytes, and the place after it. */
function varintAt(bytes: Uint8Array, at: number, limit: number): { value: number; end: number } | NoField {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    if (at + index >= limit) return tooShort;
    const byte = bytes[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return wrong('a number of more than ten bytes');
}

/** The place after a group, whose first field begins at `at`. */
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

/** Where a value begins and ends, `at` being the place after its tag. */
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

/** The field that begins at `at` and ends before `limit`. */
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

/** The fields from `start` on, up to `limit` or to the first one that is none. */
export function* fieldsOf(bytes: Uint8Array, start: number, limit: number): Generator<Field, void> {
  let at = start;
  while (at < limit) {
    const field = fieldAt(bytes, at, limit);
    if ('problem' in field) return;
    yield field;
    at = field.end;
  }
}

/** The values of all fields with this tag, one after the other. */
export function partsOf(bytes: Uint8Array, start: number, limit: number, tag: number): Buffer {
  const parts: Uint8Array[] = [];
  for (const field of fieldsOf(bytes, start, limit)) {
    if (field.tag === tag) parts.push(bytes.subarray(field.value, field.end));
  }
  return Buffer.concat(parts);
}
