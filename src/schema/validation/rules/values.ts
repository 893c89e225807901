/** Values of objects in expressions, by their schemas. */
import { parseDuration, parseTimestamp } from '../../cel/library/times.ts';
import { escapeName } from '../../cel/syntax/reserved.ts';
import { CelList, CelMap, CelObject, EvaluationError, type Value } from '../../cel/values/value.ts';
import { base64Bytes } from '../../values/bytes.ts';
import { isArray, isObject, type Json, type JsonObject, own } from '../../values/json.ts';
import { type Schema, valueSchema } from '../structural.ts';
import { withRootFields } from './declarations.ts';

/**
 * Converts a JSON value by its schema: integers and doubles are distinguished, fields without a schema are
 * invisible. Objects are converted when their fields are read.
 */
export function toValue(value: Json, schema: Schema): Value {
  if (value === null) {
    if (schema.nullable) return null;
    throw new EvaluationError('invalid data, got null for schema with nullable=false');
  }
  if (schema.intOrString) return toIntOrString(value);
  switch (schema.type) {
    case 'object':
      return isObject(value) ? toObject(value, schema) : invalid('a map', 'object');
    case 'array':
      return isArray(value) ? toList(value, schema) : invalid('an array', 'array');
    case 'string':
      return typeof value === 'string' ? toText(value, schema.format) : invalidText();
    case 'number':
      return toDouble(value);
    case 'integer':
      return toInteger(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : invalid('a boolean', 'boolean');
    default:
      return new CelObject(
        '',
        () => [],
        () => undefined,
      );
  }
}

function invalid(expected: string, type: string): never {
  throw new EvaluationError(`invalid data, expected ${expected} for the provided schema with type=${type}`);
}

function invalidText(): never {
  throw new EvaluationError('invalid data, expected string');
}

function toIntOrString(value: Json): Value {
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new EvaluationError('invalid data, expected XIntOrString value to be either a string or integer');
}

function toDouble(value: Json): number {
  return typeof value === 'number' || typeof value === 'bigint'
    ? Number(value)
    : invalid('a float', 'number');
}

function toInteger(value: Json): bigint {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : invalid('an int', 'integer');
}

function toObject(value: JsonObject, schema: Schema): Value {
  const values = valueSchema(schema);
  if (!schema.embeddedResource && schema.properties.size === 0 && values !== undefined) {
    return new CelMap(Object.entries(value).map(([key, item]) => [key, toValue(item, values)]));
  }
  const { properties } = schema.embeddedResource ? withRootFields(schema) : schema;
  const fields = (): ReadonlyMap<string, string> =>
    new Map(
      Object.keys(value).flatMap((key): [string, string][] => {
        const name = escapeName(key);
        return name === undefined || !properties.has(key) || value[key] === null ? [] : [[name, key]];
      }),
    );
  let names: ReadonlyMap<string, string> | undefined;
  const known = (): ReadonlyMap<string, string> => {
    names ??= fields();
    return names;
  };
  return new CelObject(
    'object',
    () => [...known().keys()],
    (name) => {
      const key = known().get(name);
      const property = key === undefined ? undefined : properties.get(key);
      if (key === undefined || property === undefined) return undefined;
      return toValue(own(value, key) ?? null, property);
    },
    Object.keys(value).length,
  );
}

function toList(value: readonly Json[], { items, listType, listMapKeys }: Schema): Value {
  const converted = items === undefined ? [] : value.map((item) => toValue(item, items));
  if (listType !== 'set' && listType !== 'map') return new CelList(converted);
  return new CelList(converted, {
    type: listType,
    keys: listMapKeys.map((key) => escapeName(key) ?? key),
  });
}

function toText(value: string, format: string): Value {
  switch (format) {
    case 'byte':
      return base64Bytes(value);
    case 'duration':
      return parseDuration(value) ?? refuse(value, format);
    case 'date':
      return parseTimestamp(`${value}T00:00:00Z`) ?? refuse(value, format);
    case 'date-time':
      return parseTimestamp(value.toUpperCase()) ?? refuse(value, format);
    default:
      return value;
  }
}

function refuse(value: string, format: string): never {
  throw new EvaluationError(`Invalid ${format} ${value}`);
}
