/** Checks of single values by the keywords of their schema. */
import type { FieldError, FieldReason } from '@kgen/runtime/objects';
import { hasFormat, isSupported } from '../formats/formats.ts';
import { matchesPattern } from '../formats/pattern.ts';
import type { Json } from '../values/json.ts';
import type { Schema } from './structural.ts';

/** Position of a value. `prefix` precedes `path` in fields, and is omitted in messages. */
export interface Node {
  readonly path: string;
  readonly prefix: string;
  /** Whether the value is validated as a part of a branch, whose checks are counted. */
  readonly isCounted?: boolean;
}

/** Returns an error on the field of `node`. */
export function fault(node: Node, reason: FieldReason, value: Json | undefined, detail: string): FieldError {
  const path = node.path.replace(/^\./, '');
  const field = [node.prefix, path].filter((part) => part !== '').join('.');
  return { reason, field: field === '' ? '<nil>' : field, detail, ...(value === undefined ? {} : { value }) };
}

/** Returns the format of a schema, or an empty string if API servers drop it. */
export function formatOf({ format, type, intOrString }: Schema): string {
  return isSupported(format, intOrString ? '' : type) ? format : '';
}

/**
 * Checks the type keyword, int-or-string included, and whether the format is one of the value's type.
 * `undefined` if the schema has neither, so that nothing is checked.
 */
export function checkType(value: Json, schema: Schema, node: Node): readonly FieldError[] | undefined {
  const expected = schema.intOrString ? ['integer', 'string'] : schema.type === '' ? [] : [schema.type];
  const format = formatOf(schema);
  if (expected.length === 0 && format === '') return undefined;
  const actual = typeName(value);
  const types = expected.join(',');
  if (value === null) return types === '' || schema.nullable ? [] : [typeFault(node, types, actual)];
  if (expected.includes(actual) || (actual === 'integer' && types === 'number')) return [];
  if (format === '') return [typeFault(node, types, actual)];
  if (actual === 'string' || actual === 'array') {
    // API servers leave strings and lists to the format, which applies to strings only.
    return expected.includes('integer') || types === 'number' ? [typeFault(node, types, actual)] : [];
  }
  const own = actual === 'number' ? 'float64' : actual === 'integer' ? 'int64' : '';
  return [own === format ? typeFault(node, types, actual) : typeFault(node, format, own)];
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
  const format = formatOf(schema);
  if (format === '' || hasFormat(format, value)) return [];
  const detail = `${node.path} in body must be of type ${format}: ${JSON.stringify(value)}`;
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
  const format = formatOf(schema);
  if (schema.type === 'integer' ? isInRange(value, format) : !isTooLarge(value, format)) return [];
  const form = format === '' ? '(default format)' : `with format ${format}`;
  const detail = `Checked value must be of type ${schema.type} ${form} in ${node.path}`;
  return [{ reason: 'FieldValueInvalid', field: node.prefix || '<nil>', value: '', detail }];
}

function isInRange(value: number | bigint, format: string): boolean {
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  return isInteger && value >= -limit && value <= limit - 1;
}

/** Only numbers of 32 bits have a limit that JSON exceeds. */
function isTooLarge(value: number | bigint, format: string): boolean {
  return format === 'float' && !Number.isFinite(Math.fround(Number(value)));
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
