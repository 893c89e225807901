/** Evaluation of the rules of an object (`x-kubernetes-validations`), with their budget and ratcheting. */

import type { FieldError } from '@kgen/runtime/objects';
import { callLimit, type Evaluation, type Program } from '../../cel/eval/interpreter.ts';
import { CostLimitError, Optional, type Value } from '../../cel/values/value.ts';
import { utf8Length } from '../../values/bytes.ts';
import { isArray, isObject, type Json, type JsonObject, own } from '../../values/json.ts';
import type { Schema } from '../structural.ts';
import { counterpart, isUnchanged } from '../unchanged.ts';
import type { CompiledRule } from './compile.ts';
import { withRootFields } from './declarations.ts';
import { type RuleNode, rulesOf } from './validator.ts';
import { toValue } from './values.ts';

/** Cost of all rules of an object. */
const objectLimit = 10_000_000;

/** Largest size of a computed message, in bytes. */
const messageLimit = 5 * 1024;

/** Violations of rules: errors, and warnings about parts that an update did not change. */
export interface RuleResults {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
  /** Cost of the evaluations. */
  readonly cost: number;
}

/** Returns whether any node of the schema has a rule. */
export function hasRules(schema: Schema): boolean {
  return rulesOf(schema) !== undefined;
}

/**
 * Evaluates the rules of a whole object, or of another value with a field of its own.
 * @param old the replaced object
 */
export function validateRules(
  value: Json,
  old: JsonObject | undefined,
  schema: Schema,
  field = '',
): RuleResults {
  const node = rulesOf(schema, field === '' || schema.embeddedResource);
  const run = new Evaluations();
  if (node !== undefined) run.visit(node, value, old, field, correlate(old, value, schema, undefined));
  return { errors: run.errors, warnings: run.warnings, cost: run.cost };
}

/** Whether a node equals the one that it replaces, or the nearest node above that has a counterpart. */
interface Correlation {
  readonly isUnchanged: boolean;
  /** Whether the node itself has a counterpart. */
  readonly isDirect: boolean;
}

function correlate(
  old: Json | undefined,
  value: Json,
  schema: Schema,
  parent: Correlation | undefined,
): Correlation {
  if (old === undefined) return { isUnchanged: parent?.isUnchanged ?? false, isDirect: false };
  return { isUnchanged: isUnchanged(value, old, schema), isDirect: true };
}

/** Thrown when no further rules can be evaluated. */
class BudgetExceeded extends Error {}

class Evaluations {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];
  #budget = objectLimit;

  get cost(): number {
    return objectLimit - this.#budget;
  }

  visit(node: RuleNode, value: Json, old: Json | undefined, path: string, correlation: Correlation): void {
    try {
      this.#visit(node, value, old, path, correlation);
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
    }
  }

  #visit(node: RuleNode, value: Json, old: Json | undefined, path: string, correlation: Correlation): void {
    if (value === null) return;
    if (node.rules.length > 0) this.#rules(node, value, old ?? undefined, path, correlation);
    for (const branch of node.allOf)
      this.#visit(branch, value, old, path, { isUnchanged: false, isDirect: false });
    if (isArray(value)) this.#array(node, value, old, path, correlation);
    else if (isObject(value)) this.#object(node, value, old, path, correlation);
  }

  #array(
    node: RuleNode,
    value: readonly Json[],
    old: Json | undefined,
    path: string,
    parent: Correlation,
  ): void {
    const { items, schema } = node;
    if (items === undefined) return;
    for (const [index, item] of value.entries()) {
      const before = counterpart(item, schema, old);
      this.#visit(items, item, before, `${path}[${index}]`, correlate(before, item, items.schema, parent));
    }
  }

  #object(node: RuleNode, value: JsonObject, old: Json | undefined, path: string, parent: Correlation): void {
    for (const [key, item] of Object.entries(value)) {
      const property = node.properties.get(key);
      const child = property ?? (node.schema.properties.has(key) ? undefined : node.values);
      if (child === undefined) continue;
      const before = own(old, key);
      const at = property === undefined ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      this.#visit(child, item, before, at, correlate(before, item, child.schema, parent));
    }
  }

  #rules(node: RuleNode, value: Json, old: Json | undefined, path: string, correlation: Correlation): void {
    const { schema } = node;
    if (this.#budget <= 0) this.#stop(path, schema, budgetProblem);
    const visible = node.isRoot ? withRootFields(schema) : schema;
    const self = once(() => toValue(value, visible));
    const oldSelf = once(() => (old === undefined ? undefined : toValue(old, visible)));
    for (const rule of node.rules) {
      if (rule.usesOldSelf && old === undefined && !rule.rule.optionalOldSelf) continue;
      const variables = (name: string): Value | undefined => {
        if (name === 'self') return self();
        if (name !== 'oldSelf') return undefined;
        return rule.rule.optionalOldSelf ? new Optional(oldSelf()) : oldSelf();
      };
      this.#rule(rule, variables, value, schema, path, correlation);
    }
  }

  #rule(
    rule: CompiledRule,
    variables: Parameters<Program>[0],
    value: Json,
    schema: Schema,
    path: string,
    correlation: Correlation,
  ): void {
    const { program, problem } = rule.expression;
    if (problem !== undefined) this.#report(path, schema, `rule compile error: ${problem}`);
    if (program === undefined) return;
    const { result, cost } = program(variables, callLimit);
    if (cost > this.#budget) this.#stop(path, schema, budgetProblem);
    this.#budget -= cost;
    if (result === true) return;
    if (result instanceof Error) {
      this.#failed(result, rule, schema, path);
      return;
    }
    const detail = this.#message(rule, variables, schema, path);
    const field = `${path}${rule.fieldPath}`.replace(/^\./, '') || '<nil>';
    const error = ruleError(rule, field, schema, value, detail);
    (!rule.usesOldSelf && correlation.isUnchanged ? this.warnings : this.errors).push(error);
  }

  #failed(error: Error, { rule }: CompiledRule, schema: Schema, path: string): void {
    const text = rule.message.trim() || rule.rule.trim();
    if (error instanceof CostLimitError)
      this.#stop(
        path,
        schema,
        `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`,
      );
    const detail = error.message.startsWith('no such overload')
      ? `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`
      : `${error.message} evaluating rule: ${text}`;
    this.#report(path, schema, detail);
  }

  /** Returns the computed message if it is a single line, otherwise the message of the rule. */
  #message(rule: CompiledRule, variables: Parameters<Program>[0], schema: Schema, path: string): string {
    const evaluation = rule.message?.program?.(variables, callLimit);
    const computed = evaluation === undefined ? undefined : this.#computed(evaluation, rule, schema, path);
    if (computed !== undefined) return computed;
    const { message, rule: expression } = rule.rule;
    return message === '' ? `failed rule: ${expression.trim()}` : message.trim();
  }

  #computed(
    { result, cost }: Evaluation,
    { rule, fieldPath }: CompiledRule,
    schema: Schema,
    path: string,
  ): string | undefined {
    const at = `${path}${fieldPath}`;
    if (cost > this.#budget)
      this.#stop(
        at,
        schema,
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run',
      );
    if (result instanceof CostLimitError)
      this.#stop(
        at,
        schema,
        `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`,
      );
    this.#budget -= cost;
    const text = typeof result === 'string' ? result.trim() : '';
    const isValid = text !== '' && !text.includes('\n') && utf8Length(text) <= messageLimit;
    return isValid ? text : undefined;
  }

  #report(path: string, schema: Schema, detail: string): void {
    this.errors.push({
      reason: 'FieldValueInvalid',
      field: path.replace(/^\./, '') || '<nil>',
      value: schema.type,
      detail,
    });
  }

  #stop(path: string, schema: Schema, detail: string): never {
    this.#report(path, schema, detail);
    throw new BudgetExceeded();
  }
}

const budgetProblem =
  'validation failed due to running out of cost budget, no further validation rules will be run';

function ruleError(
  { reason }: CompiledRule,
  field: string,
  schema: Schema,
  value: Json,
  detail: string,
): FieldError {
  if (reason === 'FieldValueForbidden' || reason === 'FieldValueRequired') return { reason, field, detail };
  const isScalar = schema.type !== 'object' && schema.type !== 'array';
  const shown = isScalar ? { value } : {};
  return reason === 'FieldValueDuplicate' ? { reason, field, ...shown } : { reason, field, ...shown, detail };
}

/** Converts a value when it is first used. */
function once<T>(convert: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: convert() };
    return result.value;
  };
}

/** Reasons of errors of the schema that keep the server from evaluating rules. */
export const blockingReasons: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
