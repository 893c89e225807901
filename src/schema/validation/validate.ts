import { type FieldError, fieldBody } from '@kgen/runtime/objects';
import { equal, isArray, isObject, type Json, type JsonObject, own } from '../values/json.ts';
import { writeJson } from '../values/wire.ts';
import { checkNumber, checkString, checkType, fault, formatOf, type Node } from './checks.ts';
import { type Schema, valueSchema } from './structural.ts';
import { counterpart, fieldSchema, isUnchanged } from './unchanged.ts';

/**
 * Errors of a node, and the number of checks as API servers count them, which selects the best of several
 * failed alternatives: `MatchCount` of kube-openapi.
 */
interface Result {
  readonly errors: readonly FieldError[];
  readonly count: number;
}

/** The value that is replaced, with its schema: members of logical keywords validate the same value. */
interface Old {
  readonly value: Json;
  readonly schema: Schema;
}

/**
 * Validates `value` against the schema, without CEL and list uniqueness.
 * @param old the replaced value: unchanged parts are not validated again, so that a schema that became
 * stricter does not block writes to other fields
 * @param prefix field path at the beginning of the errors; messages name paths below it
 */
export function validateSchema(
  value: Json,
  schema: Schema,
  old: Json | undefined,
  prefix = '',
): readonly FieldError[] {
  if (old !== undefined && isUnchanged(value, old, schema)) return [];
  const known = old === undefined ? undefined : { value: old, schema };
  return validateNode(value, schema, known, { path: '', prefix }).errors;
}

function validateNode(value: Json, schema: Schema, old: Old | undefined, node: Node): Result {
  const type = checkType(value, schema, node);
  if (value === null) {
    const errors = [...(type ?? []), ...checkEnum(value, schema, node)];
    return { errors, count: type === undefined || type.length === 0 ? 1 : 0 };
  }
  return merge([
    ...(type === undefined ? [] : [{ errors: type, count: type.length === 0 ? 2 : 1 }]),
    combine(value, schema, old, node),
    ...scalar(value, schema, node),
    ...(isArray(value) ? [validateArray(value, schema, old, node)] : []),
    // Two checks, because a whole node counts as one.
    { errors: checkEnum(value, schema, node), count: 2 },
    ...(isObject(value) ? [validateObject(value, schema, old, node)] : []),
  ]);
}

function scalar(value: Json, schema: Schema, node: Node): readonly Result[] {
  if (typeof value === 'string')
    return [{ errors: checkString(value, schema, node), count: formatOf(schema) === '' ? 1 : 2 }];
  if (typeof value === 'number' || typeof value === 'bigint')
    return [{ errors: checkNumber(value, schema, node), count: 2 }];
  return [];
}

function merge(results: readonly Result[]): Result {
  return {
    errors: distinct(results.flatMap((result) => result.errors)),
    count: results.reduce((sum, { count }) => sum + count, 0),
  };
}

/** API servers report equal errors once. */
function distinct(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors;
  return [...new Map(errors.map((error) => [`${error.field} ${fieldBody(error)}`, error])).values()];
}

/** API servers never accept null as an enum value, even if the enum lists it. */
function checkEnum(value: Json, schema: Schema, node: Node): readonly FieldError[] {
  if (schema.enum === undefined) return [];
  if (value !== null && schema.enum.some((item) => equal(item, converted(value, item)))) return [];
  const supported = schema.enum.map((item) => (typeof item === 'string' ? item : writeJson(item)));
  const list = supported.map((item) => writeJson(item)).join(', ');
  return [
    fault(node, 'FieldValueNotSupported', value, supported.length === 0 ? '' : `supported values: ${list}`),
  ];
}

/** API servers convert a number to the Go type of the enum's item: to an integer, or to a character. */
function converted(value: Json, item: Json): Json {
  if (typeof value !== 'number') return value;
  if (Number.isInteger(item)) return Math.trunc(value);
  const isCharacter = Number.isInteger(value) && value >= 0 && value <= 0x10ffff;
  return typeof item === 'string' && isCharacter ? String.fromCodePoint(value) : value;
}

function validateArray(value: readonly Json[], schema: Schema, old: Old | undefined, node: Node): Result {
  const { items, minItems, maxItems } = schema;
  const elements =
    items === undefined
      ? []
      : value.map((item, index) => validateChild(item, items, oldItem(item, old), below(node, `[${index}]`)));
  const size = value.length;
  const errors: FieldError[] = [];
  if (minItems !== undefined && size < minItems) {
    errors.push(
      fault(node, 'FieldValueInvalid', size, `${node.path} in body should have at least ${minItems} items`),
    );
  }
  if (maxItems !== undefined && size > maxItems) errors.push(tooMany(node, size, maxItems));
  return merge([...elements, { errors, count: 2 }]);
}

function validateChild(value: Json, schema: Schema, old: Old | undefined, node: Node): Result {
  if (old === undefined || !isUnchanged(value, old.value, old.schema))
    return validateNode(value, schema, old, node);
  return { errors: [], count: node.isCounted ? validateNode(value, schema, old, node).count : 0 };
}

function oldItem(item: Json, old: Old | undefined): Old | undefined {
  const items = old?.schema.items;
  const value = old === undefined ? undefined : counterpart(item, old.schema, old.value);
  return value === undefined || items === undefined ? undefined : { value, schema: items };
}

function tooMany(node: Node, size: number, max: number): FieldError {
  return fault(node, 'FieldValueTooMany', size, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`);
}

function below(node: Node, step: string): Node {
  return { ...node, path: `${node.path}${step}` };
}

function validateObject(value: JsonObject, schema: Schema, old: Old | undefined, node: Node): Result {
  const size = Object.keys(value).length;
  const errors: FieldError[] = [];
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && size < minProperties) {
    const detail = `${node.path} in body should have at least ${minProperties} properties`;
    errors.push(fault(node, 'FieldValueInvalid', size, detail));
  }
  if (maxProperties !== undefined && size > maxProperties) errors.push(tooMany(node, size, maxProperties));
  const extras = Object.entries(value).filter(([key]) => !schema.properties.has(key));
  return merge([
    { errors, count: 1 },
    ...extras.map(([key, item]) => validateExtra(key, item, schema, oldField(key, old), node)),
    ...[...schema.properties].flatMap(([key, property]) => {
      const item = own(value, key);
      if (item === undefined) return [];
      const step = node.path === '' ? key : `.${key}`;
      return [validateChild(item, property, oldField(key, old), below(node, step))];
    }),
    { errors: missing(value, schema, node), count: 0 },
  ]);
}

function validateExtra(key: string, item: Json, schema: Schema, old: Old | undefined, node: Node): Result {
  const values = valueSchema(schema);
  if (values !== undefined) return validateChild(item, values, old, below(node, `.${key}`));
  if (schema.additionalProperties !== false) return { errors: [], count: 0 };
  const detail = `${node.path}.${key} in body is a forbidden property`;
  return { errors: [fault(node, 'FieldValueInvalid', key, detail)], count: 0 };
}

function oldField(key: string, old: Old | undefined): Old | undefined {
  const schema = old === undefined ? undefined : fieldSchema(old.schema, key);
  const value = own(old?.value, key);
  return value === undefined || schema === undefined ? undefined : { value, schema };
}

function missing(value: JsonObject, schema: Schema, node: Node): readonly FieldError[] {
  return schema.required
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => fault(below(node, `.${key}`), 'FieldValueRequired', undefined, ''));
}

/** Checks allOf, anyOf, oneOf and not. The server reports their own violation on `<nil>`. */
function combine(value: Json, schema: Schema, old: Old | undefined, node: Node): Result {
  const counted: Node = { ...node, isCounted: true };
  const run = (branch: Schema): Result => validateNode(value, branch, old, counted);
  return merge([
    ...anyOf(schema.anyOf, run, node),
    ...oneOf(schema.oneOf.map(run), node),
    ...allOf(schema.allOf.map(run), node),
    ...(schema.not !== undefined && isValid(run(schema.not))
      ? [verdict(node, 'must not validate the schema (not)')]
      : []),
    { errors: [], count: 2 },
  ]);
}

function isValid({ errors }: Result): boolean {
  return errors.length === 0;
}

function verdict(node: Node, sentence: string): Result {
  const detail = `${JSON.stringify(node.path)} ${sentence}`;
  return {
    errors: [{ reason: 'FieldValueInvalid', field: node.prefix || '<nil>', value: '', detail }],
    count: 0,
  };
}

/** The branches behind the first valid one are not validated. */
function anyOf(branches: readonly Schema[], run: (branch: Schema) => Result, node: Node): readonly Result[] {
  const results: Result[] = [];
  for (const branch of branches) {
    const result = run(branch);
    if (isValid(result)) return [result];
    results.push(result);
  }
  return results.length === 0
    ? []
    : [verdict(node, 'must validate at least one schema (anyOf)'), ...best(results)];
}

function best(results: readonly Result[]): readonly Result[] {
  const [first, ...rest] = results;
  if (first === undefined) return [];
  return [rest.reduce((top, result) => (result.count > top.count ? result : top), first)];
}

function oneOf(results: readonly Result[], node: Node): readonly Result[] {
  const valid = results.filter(isValid);
  if (results.length === 0 || valid.length === 1) return valid;
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  const failed = valid.length === 0 ? best(results) : [];
  return [verdict(node, `must validate one and only one schema (oneOf). ${found}`), ...failed];
}

function allOf(results: readonly Result[], node: Node): readonly Result[] {
  const failed = results.filter((result) => !isValid(result));
  if (failed.length === 0) return results;
  const none = failed.length === results.length ? '. None validated' : '';
  return [...results, verdict(node, `must validate all the schemas (allOf)${none}`)];
}
