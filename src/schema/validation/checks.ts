/** Checks of single values by the keywords of their schema. */
import type { FieldError, FieldReason } from '../errors/field-error.ts';
import { hasFormat, isSupported } from '../formats/formats.ts';
import { matchesPattern } from '../formats/pattern.ts';
import type { Json } from '../values/json.ts';
import type { Schema } from './structural.ts';

/** Position of a value. `prefix` precedes `path` in fields, and is omitted in messages. */
export interface Node {
  readonly path: string;
  readonly prefix: string;
}

/** Returns an error on the field of `node`. */
export function fault(node: Node, reason: FieldReason, value: Json | undefined, detail: string): FieldError {
  const path = node.path.replace(/^\./, '');
  const field = [node.prefix, path].filter((part) => part !== '').join('.');
  return { reason, field: field === '' ? '<nil>' : field, detail, ...(value === undefined ? {} : { value }) };
}

/** Checks the type keyword, int-or-string included. */
export function checkType(value: Json, schema: Schema, node: Node): readonly FieldError[] {
  const expected = schema.intOrString ? ['integer', 'string'] : schema.type === '' ? [] : [schema.type];
  const actual = typeName(value);
  if (expected.length === 0 || expected.includes(actual)) return [];
  if (value === null && schema.nullable) return [];
  if (actual === 'integer' && expected.includes('number')) return [];
  if (isSupported(schema.format)) {
    const isUnchecked = actual === 'string' || actual === 'array';
    const quoted = actual === 'number' ? 'float64' : actual === 'integer' ? 'int64' : '';
    if (!isUnchecked && value !== null) return [typeFault(node, schema.format, quoted)];
    // API servers leave strings and lists to the format, which applies to strings only.
    if (isUnchecked && !expected.includes('number') && !expected.includes('integer')) return [];
  }
  return [typeFault(node, expected.join(','), actual)];
}

/** Returns the JSON type of a value in the terms of the API server. */
function typeName(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function typeFault(node: Node, expected: string, quoted: string): FieldError {
  const detail = `${node.path} in body must be of type ${expected}: ${JSON.stringify(quoted)}`;
  return fault(node, 'FieldValueTypeInvalid', quoted, detail);
}

/** Checks length, pattern and format of a string. Returns the first violation. */
export function checkString(value: string, schema: Schema, node: Node): readonly FieldError[] {
  const length = [...value].length;
  const { minLength, maxLength } = schema;
  if (maxLength !== undefined && length > maxLength) {
    const detail = `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
    return [...[fault(node, 'FieldValueTooLong', undefined, detail)], ...checkFormat(value, schema, node)];
  }
  if (minLength !== undefined && length < minLength) {
    const detail = `${node.path} in body should be at least ${minLength} chars long`;
    return [fault(node, 'FieldValueInvalid', value, detail), ...checkFormat(value, schema, node)];
  }
  return [...checkPattern(value, schema, node), ...checkFormat(value, schema, node)];
}

function checkPattern(value: string, schema: Schema, node: Node): readonly FieldError[] {
  if (schema.pattern === '') return [];
  const matched = matchesPattern(schema.pattern, value);
  if (matched === true) return [];
  const why = matched === false ? '' : `, but pattern is invalid: ${matched.message}`;
  const detail = `${node.path} in body should match '${schema.pattern}${why}'`;
  return [fault(node, 'FieldValueInvalid', value, detail)];
}

function checkFormat(value: string, schema: Schema, node: Node): readonly FieldError[] {
  const applies = schema.format !== '' && (schema.type === '' || schema.type === 'string');
  if (!applies || hasFormat(schema.format, value)) return [];
  const detail = `${node.path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`;
  return [fault(node, 'FieldValueTypeInvalid', value, detail)];
}

/** Checks the range of the format, bounds and multipleOf of a number. */
export function checkNumber(value: number | bigint, schema: Schema, node: Node): readonly FieldError[] {
  return [
    ...checkRange(value, schema, node),
    ...checkMultiple(value, schema, node),
    ...checkBounds(value, schema, node),
  ];
}

function checkRange(value: number | bigint, schema: Schema, node: Node): readonly FieldError[] {
  if (schema.type !== 'integer') return [];
  const [low, high] = schema.format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [-(2 ** 63), 2 ** 63 - 1];
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  if (isInteger && value >= low && value <= high) return [];
  const format = schema.format === '' ? '(default format)' : `with format ${schema.format}`;
  const detail = `Checked value must be of type integer ${format} in ${node.path}`;
  return [{ reason: 'FieldValueInvalid', field: node.prefix || '<nil>', value: '', detail }];
}

function checkMultiple(value: number | bigint, schema: Schema, node: Node): readonly FieldError[] {
  const factor = schema.multipleOf;
  const number = Number(value);
  if (factor === undefined || Number.isInteger(factor < 1 ? (1 / factor) * number : number / factor))
    return [];
  return [fault(node, 'FieldValueInvalid', value, `${node.path} in body should be a multiple of ${factor}`)];
}

/** API servers compare integers with the integral part of a bound. */
function checkBounds(value: number | bigint, schema: Schema, node: Node): readonly FieldError[] {
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const bound = (limit: number | undefined): number | undefined =>
    limit === undefined || !isInteger ? limit : Math.trunc(limit);
  const [minimum, maximum] = [bound(schema.minimum), bound(schema.maximum)];
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const errors: FieldError[] = [];
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const limit = `less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`;
    errors.push(fault(node, 'FieldValueInvalid', value, `${node.path} in body should be ${limit}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const limit = `greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`;
    errors.push(fault(node, 'FieldValueInvalid', value, `${node.path} in body should be ${limit}`));
  }
  return errors;
}
