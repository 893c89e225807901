/** Errors of the rules of a definition's schema: forms, expressions and estimated costs. */
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@kgen/schema/errors/field-error';
import { type CompiledRule, ruleCost } from '@kgen/schema/validation/rules/compile';
import { normalizePath } from '@kgen/schema/validation/rules/field-path';
import { type RuleNode, rulesOf } from '@kgen/schema/validation/rules/validator';
import { parseSchema, type Schema } from '@kgen/schema/validation/structural';
import { array, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import type { SchemaNode } from './schema-rules.ts';

const ruleLimit = 10_000_000;
const definitionLimit = 100_000_000;
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const newline = /[\n\r]/;

/** Returns the errors of the rules of one node that do not depend on their expressions. */
export function ruleFormErrors({ schema, path }: SchemaNode): readonly FieldError[] {
  return array(schema, 'x-kubernetes-validations').flatMap((rule, index) =>
    formErrors(rule, schema, `${path}.x-kubernetes-validations[${index}]`),
  );
}

function formErrors(rule: Json, schema: JsonObject, path: string): readonly FieldError[] {
  const [expression, message] = [text(rule, 'rule').trim(), text(rule, 'message')];
  const fieldPath = text(rule, 'fieldPath');
  const reason = own(rule, 'reason');
  return [
    ...messageErrors(expression, message, path),
    ...(text(rule, 'messageExpression') !== '' && text(rule, 'messageExpression').trim() === ''
      ? [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(typeof reason === 'string' && !reasons.includes(reason)
      ? [notSupported(`${path}.reason`, reason, reasons)]
      : []),
    ...(fieldPath !== '' && fieldPath.trim() === ''
      ? [invalidValue(`${path}.fieldPath`, fieldPath, 'must be non-empty if specified')]
      : []),
    ...(newline.test(fieldPath)
      ? [invalidValue(`${path}.fieldPath`, fieldPath, 'must not contain line breaks')]
      : []),
    ...(fieldPath !== '' && normalizePath(fieldPath, parseSchema(schema)) === undefined
      ? [invalidValue(`${path}.fieldPath`, fieldPath, 'must be a valid path')]
      : []),
  ];
}

function messageErrors(expression: string, message: string, path: string): readonly FieldError[] {
  if (expression === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalidValue(`${path}.message`, message, 'must be non-empty if specified')];
  if (newline.test(message.trim()))
    return [invalidValue(`${path}.message`, message, 'must not contain line breaks')];
  return newline.test(expression) && message.trim() === ''
    ? [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

/** Returns the errors of the expressions of a whole schema, and of their estimated costs. */
export function expressionErrors(schema: JsonObject, path: string): readonly FieldError[] {
  const node = rulesOf(parseSchema(schema));
  if (node === undefined) return [];
  const check = new Expressions();
  check.visit(node, schema, { path, count: 1, uncorrelated: undefined });
  return [...check.errors, ...check.totalErrors(path)];
}

interface Place {
  readonly path: string;
  /** Number of nodes in an object. `undefined` if it is not limited. */
  readonly count: number | undefined;
  /** Path of the list or map whose elements have no old value. */
  readonly uncorrelated: string | undefined;
}

class Expressions {
  readonly errors: FieldError[] = [];
  readonly #expensive: { readonly path: string; readonly cost: number }[] = [];
  #total = 0;

  visit(node: RuleNode, json: JsonObject, place: Place): void {
    const { path } = place;
    const below = childCount(node.schema, place.count);
    const isAtomicMap = !['', 'granular', 'atomic'].includes(node.schema.mapType);
    for (const [name, child] of node.properties) {
      const schema = own(own(json, 'properties'), name);
      const uncorrelated = place.uncorrelated ?? (isAtomicMap ? path : undefined);
      if (isObject(schema))
        this.visit(child, schema, { path: `${path}.properties[${name}]`, count: below, uncorrelated });
    }
    this.#child(node.values, own(json, 'additionalProperties'), {
      ...place,
      path: `${path}.additionalProperties`,
      count: below,
    });
    this.#child(node.items, own(json, 'items'), {
      path: `${path}.items`,
      count: below,
      uncorrelated: place.uncorrelated ?? (node.schema.listType === 'map' ? undefined : path),
    });
    const rules = array(json, 'x-kubernetes-validations');
    for (const [index, rule] of node.rules.entries())
      this.#rule(node, rule, rules[index] ?? {}, {
        ...place,
        path: `${path}.x-kubernetes-validations[${index}]`,
      });
  }

  #child(node: RuleNode | undefined, schema: Json | undefined, place: Place): void {
    if (node !== undefined && isObject(schema)) this.visit(node, schema, place);
  }

  #rule({ declaration }: RuleNode, compiled: CompiledRule, json: Json, place: Place): void {
    if (declaration === undefined) return;
    const printed = printRule(json);
    const { path, uncorrelated } = place;
    const { expression, message, rule, usesOldSelf } = compiled;
    this.#observe(`${path}.rule`, ruleCost(expression.cost, place.count, declaration), 'estimated rule cost');
    if (expression.problem !== undefined)
      this.errors.push(invalidValue(`${path}.rule`, printed, expression.problem));
    if (message?.problem !== undefined)
      this.errors.push(invalidValue(`${path}.messageExpression`, printed, message.problem));
    else if (message !== undefined)
      this.#observe(`${path}.messageExpression`, message.cost, 'estimated messageExpression cost');
    if (usesOldSelf && uncorrelated !== undefined)
      this.errors.push(
        invalidValue(
          `${path}.rule`,
          rule.rule,
          `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`,
        ),
      );
    else if (!usesOldSelf && own(json, 'optionalOldSelf') !== undefined)
      this.errors.push(
        invalidValue(
          `${path}.optionalOldSelf`,
          own(json, 'optionalOldSelf') ?? null,
          'may not be set if oldSelf is not used in rule',
        ),
      );
  }

  #observe(path: string, cost: number, name: string): void {
    if (cost > ruleLimit) this.errors.push(forbiddenField(path, costMessage(name, cost, ruleLimit)));
    this.#total += cost;
    if (cost >= definitionLimit / 100) this.#expensive.push({ path, cost });
  }

  totalErrors(path: string): readonly FieldError[] {
    if (this.#total <= definitionLimit) return [];
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#expensive
        .sort((a, b) => b.cost - a.cost)
        .slice(0, 4)
        .map((expensive) =>
          forbiddenField(
            expensive.path,
            'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
          ),
        ),
      forbiddenField(path, costMessage(name, this.#total, definitionLimit)),
    ];
  }
}

/** Returns a rule with the names of the server's own type, as errors print it. */
function printRule(rule: Json): Json {
  return {
    Rule: text(rule, 'rule'),
    Message: text(rule, 'message'),
    MessageExpression: text(rule, 'messageExpression'),
    Reason: own(rule, 'reason') ?? null,
    FieldPath: text(rule, 'fieldPath'),
    OptionalOldSelf: own(rule, 'optionalOldSelf') ?? null,
  };
}

function childCount(schema: Schema, count: number | undefined): number | undefined {
  if (count === undefined) return undefined;
  const limit =
    schema.type === 'array'
      ? schema.maxItems
      : schema.type === 'object' && schema.additionalProperties !== undefined
        ? schema.maxProperties
        : 1;
  return limit === undefined ? undefined : count * Math.max(limit, 0);
}

function costMessage(name: string, cost: number, limit: number): string {
  const ratio = cost / limit;
  const factor = ratio > 100 ? 'more than 100x' : `${ratio.toFixed(ratio < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
