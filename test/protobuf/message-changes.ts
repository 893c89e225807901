/**
 * Places of messages in an object's bytes, according to the table of fields: a string can look like a
 * message.
 */
import { fieldTable } from '../../src/kgen/protobuf/table.ts';
import type { Element, Field } from '../../src/kgen/protobuf/types.ts';
import { bytesOf, fieldsOf, type WireField } from './wire.ts';

/** Changes the fields of one message; `path` consists of JSON names. */
export type Change = (fields: readonly WireField[], path: string) => readonly WireField[];

/** Returns the message of a kind. */
export function messageOf(apiVersion: string, kind: string): string {
  const found = fieldTable().kinds.find((known) => known.apiVersion === apiVersion && known.kind === kind);
  if (found === undefined) throw new Error(`no kind ${apiVersion} ${kind}`);
  return found.message;
}

/** Returns the bytes of a message with a change applied to it and to each message in it. */
export function changed(message: string, bytes: Buffer, change: Change, path = ''): Buffer {
  const known = new Map(
    fieldTable()
      .messages.get(message)
      ?.fields.map((field) => [field.number, field]),
  );
  const fields = fieldsOf(bytes);
  if (fields === undefined) throw new Error(`${path}: no message`);
  const inner = fields.map((wire) => within(wire, known.get(wire.number), change, path));
  return bytesOf(change(inner, path));
}

function within(wire: WireField, field: Field | undefined, change: Change, path: string): WireField {
  const plain: WireField = { ...wire, fields: undefined };
  if (field === undefined || wire.type !== 2) return plain;
  const place = field.json === undefined ? path : `${path}.${field.json}`;
  const key = objectIn(field.element);
  if (key === undefined) return plain;
  if (field.shape !== 'map') return { ...plain, value: changed(key, wire.value, change, place) };
  const entry = wire.fields ?? [];
  const named = entry.map((part) =>
    part.number === 2
      ? { ...part, fields: undefined, value: changed(key, part.value, change, `${place}{}`) }
      : { ...part, fields: undefined },
  );
  return { ...plain, value: bytesOf(named) };
}

/** Returns the message of an element that is an object in JSON. */
function objectIn(element: Element): string | undefined {
  if (!('message' in element)) return undefined;
  return fieldTable().messages.get(element.message)?.bare === true ? undefined : element.message;
}
