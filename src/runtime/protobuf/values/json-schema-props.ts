/** Fields of a JSON schema that contain a schema or another value. */

import { append, trimCapacity } from '../../codec/object-class.ts';
import type { Message, ReadMessage, WriteMessage } from '../types.ts';
import type { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';

type Read = (r: Reader, end: number) => unknown;
type Write = (w: Writer, value: unknown) => void;

const isSchema = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a function that reads a `JSONSchemaPropsOrArray` message and returns its JSON form: a JSON schema
 * or a list of JSON schemas. `schema` reads the nested schemas.
 */
export function readJSONSchemaPropsOrArray(schema: ReadMessage): Read {
  return schemaOrList(schema, (r, list) => append(list, schema(r, r.end())), '1 schema,2 jSONSchemas*');
}

/** Returns a schema, or a list of results of `many`; `null` if both are absent. */
function schemaOrList(
  schema: ReadMessage,
  many: (r: Reader, list: unknown[] | undefined) => unknown[],
  fields: string,
): Read {
  return (r, end) => {
    r.enter(fields);
    let one: Message | undefined;
    let list: unknown[] | undefined;
    while (r.pos < end) {
      const tag = r.tag();
      if (tag === 10) one = one === undefined ? schema(r, r.end()) : r.merged(schema, 10);
      else if (tag === 18) list = many(r, list);
      else r.unknown(tag);
    }
    r.leave(end);
    return list === undefined ? (one ?? null) : trimCapacity(list);
  };
}

/**
 * Returns a function that reads a `JSONSchemaPropsOrStringArray` message and returns its JSON form: a JSON
 * schema or a list of strings. `schema` reads the nested schemas.
 */
export function readJSONSchemaPropsOrStringArray(schema: ReadMessage): Read {
  return schemaOrList(schema, (r, list) => append(list, r.string()), '1 schema,2 property*');
}

/**
 * Returns a function that reads a `JSONSchemaPropsOrBool` message and returns its JSON form: a JSON schema or
 * a boolean. `schema` reads the nested schemas.
 */
export function readJSONSchemaPropsOrBool(schema: ReadMessage): Read {
  return (r, end) => {
    r.enter('1 allows,2 schema');
    let allows = false;
    let one: Message | undefined;
    while (r.pos < end) {
      const tag = r.tag();
      if (tag === 8) allows = r.bool();
      else if (tag === 18) one = one === undefined ? schema(r, r.end()) : r.merged(schema, 18);
      else r.unknown(tag);
    }
    r.leave(end);
    return one ?? allows;
  };
}

/**
 * Returns a function that writes a `JSONSchemaPropsOrArray` message from its JSON form: a JSON schema or a
 * list of JSON schemas. `schema` writes the nested schemas.
 */
export function writeJSONSchemaPropsOrArray(schema: WriteMessage): Write {
  return (w, value) => {
    w.enter('1 schema,2 jSONSchemas*');
    if (Array.isArray(value)) w.messages(18, value, schema);
    else w.messageIf(10, value, schema);
  };
}

/**
 * Returns a function that writes a `JSONSchemaPropsOrStringArray` message from its JSON form: a JSON schema
 * or a list of strings. `schema` writes the nested schemas.
 */
export function writeJSONSchemaPropsOrStringArray(schema: WriteMessage): Write {
  return (w, value) => {
    w.enter('1 schema,2 property*');
    if (Array.isArray(value)) w.strings(18, value);
    else w.messageIf(10, value, schema);
  };
}

/**
 * Returns a function that writes a `JSONSchemaPropsOrBool` message from its JSON form: a JSON schema or a
 * boolean. `schema` writes the nested schemas. The message of a schema contains `allows: true`, too.
 */
export function writeJSONSchemaPropsOrBool(schema: WriteMessage): Write {
  return (w, value) => {
    w.enter('1 allows,2 schema');
    if (isSchema(value)) w.message(18, value, schema);
    w.bool(8, isSchema(value) ? true : value);
  };
}
