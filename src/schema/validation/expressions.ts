/** Rules of a definition's schema: forms, expressions and estimated costs. */
import type { JsonPath, Objection } from '../rules/places.ts';
import { type Place, placeAt, placesIn } from '../rules/places.ts';
import {
  array,
  fromEntries,
  isObject,
  type Json,
  type JsonObject,
  object,
  omit,
  own,
  text,
} from '../values/json.ts';
import { type CompiledRule, ruleCost } from './rules/compile.ts';
import { normalizePath } from './rules/field-path.ts';
import { type RuleNode, rulesOf } from './rules/validator.ts';
import { parseSchema, type Schema } from './structural.ts';

const ruleLimit = 10_000_000;
const definitionLimit = 100_000_000;
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const newline = /[\n\r]/;

const validations = 'x-kubernetes-validations';

/** Returns objections to the rules of a schema that do not depend on their expressions. */
export function ruleFormObjections(schema: JsonObject): readonly Objection[] {
  return formsBelow({ schema, keys: [] });
}

function formsBelow(place: Place): readonly Objection[] {
  const { schema, keys } = place;
  return [
    ...array(schema, validations).flatMap((rule, index) =>
      formOf(rule, schema, [...keys, validations, index]),
    ),
    ...[
      ...placesIn(place, 'properties'),
      ...placeAt(place, 'items'),
      ...placeAt(place, 'additionalProperties'),
    ].flatMap(formsBelow),
  ];
}

function formOf(rule: Json, schema: JsonObject, at: JsonPath): readonly Objection[] {
  const fieldPath = text(rule, 'fieldPath');
  const messageExpression = text(rule, 'messageExpression');
  const reason = own(rule, 'reason');
  const path = [...at, 'fieldPath'];
  return [
    ...messageOf(text(rule, 'rule').trim(), text(rule, 'message'), at),
    ...(messageExpression !== '' && messageExpression.trim() === ''
      ? [required([...at, 'messageExpression'], 'messageExpression must be non-empty if specified')]
      : []),
    ...(typeof reason === 'string' && !reasons.includes(reason)
      ? [
          {
            keys: [...at, 'reason'],
            reason: 'unsupported',
            value: reason,
            supported: reasons,
            detail: '',
          } as const,
        ]
      : []),
    ...(fieldPath !== '' && fieldPath.trim() === ''
      ? [invalid(path, fieldPath, 'must be non-empty if specified')]
      : []),
    ...(newline.test(fieldPath) ? [invalid(path, fieldPath, 'must not contain line breaks')] : []),
    ...(fieldPath !== '' && normalizePath(fieldPath, parseSchema(schema)) === undefined
      ? [invalid(path, fieldPath, 'must be a valid path')]
      : []),
  ];
}

function messageOf(expression: string, message: string, at: JsonPath): readonly Objection[] {
  const path = [...at, 'message'];
  if (expression === '') return [required([...at, 'rule'], 'rule is not specified')];
  if (message !== '' && message.trim() === '')
    return [invalid(path, message, 'must be non-empty if specified')];
  if (newline.test(message.trim())) return [invalid(path, message, 'must not contain line breaks')];
  return newline.test(expression) && message.trim() === ''
    ? [required(path, 'message must be specified if rule contains line breaks')]
    : [];
}

function required(keys: JsonPath, detail: string): Objection {
  return { keys, reason: 'required', detail };
}

function invalid(keys: JsonPath, value: Json, detail: string): Objection {
  return { keys, reason: 'invalid', value, detail };
}

/** Returns objections to the expressions of a whole schema, and to their estimated costs. */
export function expressionObjections(schema: JsonObject): readonly Objection[] {
  const relevant = withRules(schema);
  const node = relevant && rulesOf(parseSchema(relevant));
  if (node === undefined) return [];
  const check = new Expressions();
  check.visit(node, schema, { keys: [], count: 1, uncorrelated: undefined });
  return [...check.found, ...check.totals()];
}

/**
 * Returns a schema with the parts that have rules, or `undefined` if there are none: the other parts of a
 * large schema need not be parsed.
 */
function withRules(schema: JsonObject): JsonObject | undefined {
  if (array(schema, validations).length > 0) return schema;
  const part = (key: string): readonly (readonly [string, Json])[] => {
    const child = own(schema, key);
    const kept = isObject(child) ? withRules(child) : undefined;
    return kept === undefined ? [] : [[key, kept]];
  };
  const properties = Object.entries(object(schema, 'properties')).flatMap(
    ([name, child]): [string, Json][] => {
      const kept = isObject(child) ? withRules(child) : undefined;
      return kept === undefined ? [] : [[name, kept]];
    },
  );
  const parts = [...part('items'), ...part('additionalProperties')];
  if (parts.length + properties.length === 0) return undefined;
  const rest = omit(schema, 'items', 'additionalProperties', 'properties', 'allOf', 'anyOf', 'oneOf', 'not');
  return { ...rest, properties: fromEntries(properties), ...fromEntries(parts) };
}

interface Spot {
  readonly keys: JsonPath;
  /** Number of nodes in an object. `undefined` if it is not limited. */
  readonly count: number | undefined;
  /** Steps to the list or map whose elements have no old value. */
  readonly uncorrelated: JsonPath | undefined;
}

class Expressions {
  readonly found: Objection[] = [];
  readonly #expensive: { readonly keys: JsonPath; readonly cost: number }[] = [];
  #total = 0;

  visit(node: RuleNode, json: JsonObject, spot: Spot): void {
    const { keys } = spot;
    const below = childCount(node.schema, spot.count);
    const isAtomicMap = !['', 'granular', 'atomic'].includes(node.schema.mapType);
    for (const [name, child] of node.properties) {
      const schema = own(own(json, 'properties'), name);
      const uncorrelated = spot.uncorrelated ?? (isAtomicMap ? keys : undefined);
      this.#child(child, schema, { keys: [...keys, 'properties', name], count: below, uncorrelated });
    }
    this.#child(node.values, own(json, 'additionalProperties'), {
      ...spot,
      keys: [...keys, 'additionalProperties'],
      count: below,
    });
    this.#child(node.items, own(json, 'items'), {
      keys: [...keys, 'items'],
      count: below,
      uncorrelated: spot.uncorrelated ?? (node.schema.listType === 'map' ? undefined : keys),
    });
    const rules = array(json, validations);
    for (const [index, rule] of node.rules.entries())
      this.#rule(node, rule, rules[index] ?? {}, { ...spot, keys: [...keys, validations, index] });
  }

  #child(node: RuleNode | undefined, schema: Json | undefined, spot: Spot): void {
    if (node !== undefined && isObject(schema)) this.visit(node, schema, spot);
  }

  #rule({ declaration }: RuleNode, compiled: CompiledRule, json: Json, spot: Spot): void {
    if (declaration === undefined) return;
    const printed = printRule(json);
    const { uncorrelated } = spot;
    const { expression, message, rule, usesOldSelf } = compiled;
    const at = (key: string): JsonPath => [...spot.keys, key];
    this.#observe(at('rule'), ruleCost(expression.cost, spot.count, declaration), 'estimated rule cost');
    if (expression.problem !== undefined) this.found.push(invalid(at('rule'), printed, expression.problem));
    if (message?.problem !== undefined)
      this.found.push(invalid(at('messageExpression'), printed, message.problem));
    else if (message !== undefined)
      this.#observe(at('messageExpression'), message.cost, 'estimated messageExpression cost');
    const optional = own(json, 'optionalOldSelf');
    if (usesOldSelf && uncorrelated !== undefined)
      this.found.push({ ...invalid(at('rule'), rule.rule, uncorrelatable), place: uncorrelated });
    else if (!usesOldSelf && optional !== undefined)
      this.found.push(
        invalid(at('optionalOldSelf'), optional, 'may not be set if oldSelf is not used in rule'),
      );
  }

  #observe(keys: JsonPath, cost: number, name: string): void {
    if (cost > ruleLimit) this.found.push(forbidden(keys, costMessage(name, cost, ruleLimit)));
    this.#total += cost;
    if (cost >= definitionLimit / 100) this.#expensive.push({ keys, cost });
  }

  totals(): readonly Objection[] {
    if (this.#total <= definitionLimit) return [];
    const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    const highest = this.#expensive.sort((a, b) => b.cost - a.cost).slice(0, 4);
    return [
      ...highest.map(({ keys }) => forbidden(keys, contributed)),
      forbidden([], costMessage(name, this.#total, definitionLimit)),
    ];
  }
}

const uncorrelatable = 'oldSelf cannot be used on the uncorrelatable portion of the schema within';
const contributed =
  'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

function forbidden(keys: JsonPath, detail: string): Objection {
  return { keys, reason: 'forbidden', detail };
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
