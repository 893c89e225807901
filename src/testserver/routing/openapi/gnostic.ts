/**
 * Writers of the members of protobuf messages from values in JSON, for the messages of OpenAPI documents.
 * @see https://github.com/google/gnostic-models
 */
import { array, type Json, object, own } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';

/** Returns a member of a message: its tag and its value. Default values have no bytes. */
export type Write = (number: number, value: Json) => Uint8Array;

/** Members by their names in JSON, with their numbers. */
export type Members = Readonly<Record<string, readonly [number: number, write: Write]>>;

const nothing = new Uint8Array();

const wire = { varint: 0, fixed64: 1, bytes: 2 };

/** A string. The empty string, its default, has no bytes. */
export function string(number: number, value: Json): Uint8Array {
  return value === '' ? nothing : delimited(number, Buffer.from(String(value), 'utf8'));
}

/** A boolean. */
export function flag(number: number, value: Json): Uint8Array {
  return value === true ? Buffer.concat([tag(number, wire.varint), varint(1)]) : nothing;
}

/** A positive integer. */
export function integer(number: number, value: Json): Uint8Array {
  return Number(value) > 0 ? Buffer.concat([tag(number, wire.varint), varint(Number(value))]) : nothing;
}

/** A number. */
export function double(number: number, value: Json): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(Number(value));
  return Buffer.concat([tag(number, wire.fixed64), bytes]);
}

/** Any value is a string of YAML. */
export function any(number: number, value: Json): Uint8Array {
  return delimited(number, string(2, `${writeJson(value)}\n`));
}

/** A repeated member. */
export function each(write: Write): Write {
  return (number, value) => Buffer.concat(array(value).map((item) => write(number, item)));
}

/** A map: a message with repeated pairs of a key and a value. */
export function map(write: Write): Write {
  return (number, value) => delimited(number, pairs(1, Object.entries(object(value)), write));
}

/** A message with one member that depends on the value. */
export function wrapped(member: (value: Json) => readonly [number: number, write: Write]): Write {
  return (number, value) => {
    const [inner, write] = member(value);
    return delimited(number, write(inner, value));
  };
}

/** A message with members by their names in JSON, and extensions, whose names start with `x-`. */
export function message(members: Members, extensions: number): Write {
  return (number, value) => delimited(number, contentOf(value, members, extensions));
}

/** Returns the members of a message without its tag. */
export function contentOf(value: Json, members: Members, extensions: number): Uint8Array {
  const known = Object.entries(members).map(([name, [number, write]]) => {
    const item = own(value, name);
    return item === undefined ? nothing : write(number, item);
  });
  const extra = Object.entries(object(value)).filter(([name]) => name.startsWith('x-'));
  return Buffer.concat([...known, pairs(extensions, extra, any)]);
}

/** Repeated pairs of a key and a value. */
export function pairs(
  number: number,
  entries: readonly (readonly [string, Json])[],
  write: Write,
): Uint8Array {
  return Buffer.concat(
    entries.map(([key, item]) => delimited(number, Buffer.concat([string(1, key), write(2, item)]))),
  );
}

/** A member with a length in front. */
export function delimited(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([tag(number, wire.bytes), varint(bytes.length), bytes]);
}

function tag(number: number, type: number): Uint8Array {
  return varint(number * 8 + type);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}
