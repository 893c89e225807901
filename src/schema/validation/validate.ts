import { type FieldError, fieldBody } from '../errors/field-error.ts';
import { equal, isArray, isObject, type Json, type JsonObject, own } from '../values/json.ts';
import { writeJson } from '../values/wire.ts';
import { checkNumber, checkString, checkType, fault, type Node } from './checks.ts';
import { type Schema, valueSchema } from './structural.ts';

/**
 * Errors of a node, and the number of passed checks, which selects the best of several failed alternatives.
 */
interface Result {
  readonly errors: readonly FieldError[];
  readonly passed: number;
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
  if (old !== undefined && equal(value, old)) return [];
  return validateNode(value, schema, old, { path: '', prefix }).errors;
}

function validateNode(value: Json, schema: Schema, old: Json | undefined, node: Node): Result {
  const own = checkType(value, schema, node);
  if (value === null) {
    const errors = [...own, ...checkEnum(value, schema, node)];
    return { errors, passed: errors.length === 0 ? 1 : 0 };
  }
  return merge([
    { errors: own, passed: own.length === 0 ? 1 : 0 },
    combine(value, schema, old, node),
    ...scalar(value, schema, node),
    ...(isArray(value) ? [validateArray(value, schema, old, node)] : []),
    { errors: checkEnum(value, schema, node), passed: 1 },
    ...(isObject(value) ? [validateObject(value, schema, old, node)] : []),
  ]);
}

function scalar(value: Json, schema: Schema, node: Node): readonly Result[] {
  if (typeof value === 'string') return [{ errors: checkString(value, schema, node), passed: 1 }];
  if (typeof value === 'number' || typeof value === 'bigint')
    return [{ errors: checkNumber(value, schema, node), passed: 1 }];
  return [];
}

function merge(results: readonly Result[]): Result {
  return {
    errors: distinct(results.flatMap((result) => result.errors)),
    passed: results.reduce((sum, result) => sum + (result.errors.length === 0 ? result.passed : 0), 0),
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

function validateArray(value: readonly Json[], schema: Schema, old: Json | undefined, node: Node): Result {
  const { items, minItems, maxItems } = schema;
  const elements =
    items === undefined
      ? []
      : value.map((item, index) =>
          validateChild(item, items, counterpart(item, schema, old), below(node, `[${index}]`)),
        );
  const size = value.length;
  const errors: FieldError[] = [];
  if (minItems !== undefined && size < minItems) {
    errors.push(
      fault(node, 'FieldValueInvalid', size, `${node.path} in body should have at least ${minItems} items`),
    );
  }
  if (maxItems !== undefined && size > maxItems) errors.push(tooMany(node, size, maxItems));
  return merge([...elements, { errors, passed: 1 }]);
}

function validateChild(value: Json, schema: Schema, old: Json | undefined, node: Node): Result {
  if (old !== undefined && equal(value, old)) return { errors: [], passed: 1 };
  return validateNode(value, schema, old, node);
}

function tooMany(node: Node, size: number, max: number): FieldError {
  return fault(node, 'FieldValueTooMany', size, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`);
}

/**
 * Returns the element of the old list that `item` replaces, which is only defined for lists with map keys.
 */
function counterpart(item: Json, schema: Schema, old: Json | undefined): Json | undefined {
  if (!isArray(old) || schema.listType !== 'map') return undefined;
  return old.find((other) => schema.listMapKeys.every((key) => equal(own(other, key), own(item, key))));
}

function below(node: Node, step: string): Node {
  return { ...node, path: `${node.path}${step}` };
}

function validateObject(value: JsonObject, schema: Schema, old: Json | undefined, node: Node): Result {
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
    { errors, passed: 1 },
    ...extras.map(([key, item]) => validateExtra(key, item, schema, own(old, key), node)),
    ...[...schema.properties].flatMap(([key, property]) => {
      const item = own(value, key);
      if (item === undefined) return [];
      const step = node.path === '' ? key : `.${key}`;
      return [validateChild(item, property, own(old, key), below(node, step))];
    }),
    { errors: missing(value, schema, node), passed: 1 },
  ]);
}

function validateExtra(key: string, item: Json, schema: Schema, old: Json | undefined, node: Node): Result {
  const values = valueSchema(schema);
  if (values !== undefined) return validateChild(item, values, old, below(node, `.${key}`));
  if (schema.additionalProperties !== false) return { errors: [], passed: 0 };
  const detail = `${node.path}.${key} in body is a forbidden property`;
  return { errors: [fault(node, 'FieldValueInvalid', key, detail)], passed: 0 };
}

function missing(value: JsonObject, schema: Schema, node: Node): readonly FieldError[] {
  return schema.required
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => fault(below(node, `.${key}`), 'FieldValueRequired', undefined, ''));
}

/** Checks allOf, anyOf, oneOf and not. The server reports their own violation on `<nil>`. */
function combine(value: Json, schema: Schema, old: Json | undefined, node: Node): Result {
  const run = (branch: Schema): Result => validateNode(value, branch, old, node);
  return merge([
    ...anyOf(schema.anyOf.map(run), node),
    ...oneOf(schema.oneOf.map(run), node),
    ...allOf(schema.allOf.map(run), node),
    ...(schema.not !== undefined && run(schema.not).errors.length === 0
      ? [verdict(node, 'must not validate the schema (not)')]
      : []),
  ]);
}

function verdict(node: Node, sentence: string): Result {
  const detail = `${JSON.stringify(node.path)} ${sentence}`;
  return {
    errors: [{ reason: 'FieldValueInvalid', field: node.prefix || '<nil>', value: '', detail }],
    passed: 0,
  };
}

function anyOf(results: readonly Result[], node: Node): readonly Result[] {
  if (results.length === 0 || results.some((result) => result.errors.length === 0)) return [];
  return [verdict(node, 'must validate at least one schema (anyOf)'), ...best(results)];
}

function best(results: readonly Result[]): readonly Result[] {
  const [first, ...rest] = results;
  if (first === undefined) return [];
  return [rest.reduce((top, result) => (result.passed > top.passed ? result : top), first)];
}

function oneOf(results: readonly Result[], node: Node): readonly Result[] {
  const valid = results.filter((result) => result.errors.length === 0).length;
  if (results.length === 0 || valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  const failed = valid === 0 ? best(results) : [];
  return [verdict(node, `must validate one and only one schema (oneOf). ${found}`), ...failed];
}

function allOf(results: readonly Result[], node: Node): readonly Result[] {
  const failed = results.filter((result) => result.errors.length > 0);
  if (failed.length === 0) return [];
  const none = failed.length === results.length ? '. None validated' : '';
  return [...failed, verdict(node, `must validate all the schemas (allOf)${none}`)];
}
