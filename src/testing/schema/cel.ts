import { type CelInput, type CelResult, celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { strings as stringFunctions } from '@bufbuild/cel/ext';
import { notImplemented } from '../api/failures.ts';
import type { FieldError, FieldReason } from '../api/fielderror.ts';
import { equal, isArray, isObject, type Json, type JsonObject, own } from '../values/json.ts';
import { listFunctions } from './cellists.ts';
import { toCel, withRootFields } from './celvalues.ts';
import { type Rule, type Schema, valueSchema } from './structural.ts';

type Program = (bindings: Record<string, CelInput>) => CelResult;

const env = celEnv({ funcs: [...stringFunctions, ...listFunctions] });

/** Programs by expression; an Error if an expression cannot be compiled here. */
const programs = new Map<string, Program | Error>();

/** Returns whether any node of the schema has a rule. */
export function hasRules(schema: Schema): boolean {
  const children = [...schema.properties.values(), schema.items, valueSchema(schema)];
  return schema.rules.length > 0 || children.some((child) => child !== undefined && hasRules(child));
}

/**
 * Evaluates the rules (`x-kubernetes-validations`) of a whole object.
 * @throws {Failure} 501 for a rule that cannot be compiled or evaluated here, so that nothing is accepted
 * without validation
 */
export function validateRules(
  value: JsonObject,
  old: JsonObject | undefined,
  schema: Schema,
): readonly FieldError[] {
  return visit(value, old, withRootFields(schema), '');
}

function visit(value: Json, old: Json | undefined, schema: Schema, path: string): readonly FieldError[] {
  if (value === null) return [];
  const errors = schema.rules.flatMap((rule) => check(rule, value, old, schema, path));
  if (isArray(value)) return [...errors, ...visitArray(value, old, schema, path)];
  return isObject(value) ? [...errors, ...visitObject(value, old, schema, path)] : errors;
}

function visitArray(
  value: readonly Json[],
  old: Json | undefined,
  schema: Schema,
  path: string,
): readonly FieldError[] {
  const { items } = schema;
  if (items === undefined) return [];
  return value.flatMap((item, index) =>
    visit(item, counterpart(item, old, schema), items, `${path}[${index}]`),
  );
}

/** Only elements of lists with map keys have an old value. */
function counterpart(item: Json, old: Json | undefined, schema: Schema): Json | undefined {
  if (!isArray(old) || schema.listType !== 'map') return undefined;
  return old.find((other) => schema.listMapKeys.every((key) => equal(own(other, key), own(item, key))));
}

function visitObject(
  value: JsonObject,
  old: Json | undefined,
  schema: Schema,
  path: string,
): readonly FieldError[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const property = schema.properties.get(key);
    if (property !== undefined)
      return visit(item, own(old, key), property, path === '' ? key : `${path}.${key}`);
    const values = valueSchema(schema);
    return values === undefined ? [] : visit(item, own(old, key), values, `${path}[${key}]`);
  });
}

function check(
  rule: Rule,
  value: Json,
  old: Json | undefined,
  schema: Schema,
  path: string,
): readonly FieldError[] {
  const isTransition = /\boldSelf\b/.test(rule.rule);
  if (isTransition && rule.optionalOldSelf) throw unsupported(rule.rule, 'optionalOldSelf');
  if (isTransition ? old === undefined || old === null : old !== undefined && equal(value, old)) return [];
  const bindings: Record<string, CelInput> = {
    self: toCel(value, schema),
    ...(old === undefined ? {} : { oldSelf: toCel(old, schema) }),
  };
  const result = evaluate(rule.rule, bindings);
  if (result === true) return [];
  if (isCelError(result)) {
    const detail = `${runtimeProblem(rule.rule, result)} evaluating rule: ${rule.message.trim() || rule.rule.trim()}`;
    return [{ reason: 'FieldValueInvalid', field: path || '<nil>', value: schema.type, detail }];
  }
  const field = `${path}${rule.fieldPath}`.replace(/^\./, '') || '<nil>';
  const scalar = typeof value === 'object' ? undefined : value;
  return [fieldError(rule, field, scalar, message(rule, bindings))];
}

const reasons: ReadonlySet<string> = new Set([
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
]);

/** @param value the value if it is a scalar; others are not part of the message */
function fieldError(rule: Rule, field: string, value: Json | undefined, detail: string): FieldError {
  // The reason was compared with the known ones.
  const reason = reasons.has(rule.reason) ? (rule.reason as FieldReason) : 'FieldValueInvalid';
  if (reason === 'FieldValueForbidden' || reason === 'FieldValueRequired') return { reason, field, detail };
  const told = value === undefined ? {} : { value };
  return reason === 'FieldValueDuplicate' ? { reason, field, ...told } : { reason, field, ...told, detail };
}

/**
 * Returns the message of a failed rule: the result of its messageExpression if that is a single line,
 * otherwise its message.
 */
function message(rule: Rule, bindings: Record<string, CelInput>): string {
  const computed = rule.messageExpression === '' ? '' : evaluate(rule.messageExpression, bindings);
  if (isCelError(computed)) runtimeProblem(rule.messageExpression, computed);
  else if (typeof computed === 'string' && computed.trim() !== '' && !/[\r\n]/.test(computed))
    return computed.trim();
  return rule.message.trim() || `failed rule: ${rule.rule.trim()}`;
}

function evaluate(expression: string, bindings: Record<string, CelInput>): CelResult {
  const program = compile(expression);
  if (program instanceof Error) throw unsupported(expression, program.message);
  return program(bindings);
}

function compile(expression: string): Program | Error {
  const known = programs.get(expression);
  if (known !== undefined) return known;
  const program = attempt(expression);
  programs.set(expression, program);
  return program;
}

function attempt(expression: string): Program | Error {
  try {
    const evaluator = plan(env, parse(expression));
    return (bindings) => evaluator(bindings);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Errors that a real server cannot have at run time, because its compiler checks types and functions. */
const limitation =
  /unbound function|no matching overload|undeclared reference|unresolved attribute|type mismatch|unsupported/;

/**
 * Returns the message that a real server has for the error.
 * @throws {Failure} 501 for a limitation of this evaluator
 */
function runtimeProblem(expression: string, error: Error): string {
  if (limitation.test(error.message)) throw unsupported(expression, error.message);
  return error.message
    .replace(/^field not found: /, 'no such key: ')
    .replace(/^index (\S+) out of bounds.*$/, 'index out of bounds: $1')
    .replace(/^u?int (?:divide|modulus) by zero$/, (text) =>
      text.includes('divide') ? 'division by zero' : 'modulus by zero',
    );
}

function unsupported(expression: string, why: string): Error {
  return notImplemented(`the CEL expression ${JSON.stringify(expression)} (${why})`);
}
