/** Rules of a definition's schema: forms, expressions and estimated costs. */
import { escapeName } from '../cel/syntax/reserved.ts';
import type { KeywordCheck } from '../rules/keywords.ts';
import { type JsonPath, type Objection, type Place, pathText, placeAt, placesIn } from '../rules/places.ts';
import { array, type Json, type JsonObject, own, text } from '../values/json.ts';
import { type CompiledRule, compileRules, ruleCost } from './rules/compile.ts';
import { type Declaration, declare } from './rules/declarations.ts';
import { normalizePath } from './rules/field-path.ts';
import { parseSchema, type Schema, valueSchema } from './structural.ts';

/** Largest estimated cost of an expression in all values of an object. */
export const ruleLimit = 10_000_000;
const definitionLimit = 100_000_000;
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const newline = /[\n\r]/;

const validations = 'x-kubernetes-validations';

/** Returns objections to the rules of a schema that do not depend on their expressions. */
export function ruleForms({ schema, keys }: Place): readonly Objection[] {
  return array(schema, validations).flatMap((rule, index) =>
    formOf(rule, schema, [...keys, validations, index]),
  );
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

/**
 * Returns objections to the expressions of a whole schema, and to their estimated costs.
 * @param check the schemas with expressions, and those whose expressions API servers do not compile
 */
export function expressionObjections(
  schema: JsonObject,
  check: Pick<KeywordCheck, 'ruled' | 'faulty'>,
): readonly Objection[] {
  const expressions = new Expressions(check);
  const root = { schema, keys: [] };
  expressions.visit(root, { isRoot: true, type: undefined, count: 1, uncorrelated: undefined });
  return [...expressions.found, ...expressions.totals()];
}

/** The type of a schema. `undefined` if expressions cannot use its values. */
interface NodeType {
  readonly schema: Schema;
  readonly declaration: Declaration | undefined;
}

interface Spot {
  readonly isRoot?: true;
  /** Set at and below schemas with expressions, if the schema above has a type for this one. */
  readonly type: NodeType | undefined;
  /** Number of nodes in an object. `undefined` if it is not limited. */
  readonly count: number | undefined;
  /** Steps to the list or map whose elements have no old value. */
  readonly uncorrelated: JsonPath | undefined;
}

class Expressions {
  readonly found: Objection[] = [];
  readonly #check: Pick<KeywordCheck, 'ruled' | 'faulty'>;
  readonly #expensive: { readonly keys: JsonPath; readonly cost: number }[] = [];
  #total = 0;

  constructor(check: Pick<KeywordCheck, 'ruled' | 'faulty'>) {
    this.#check = check;
  }

  visit(place: Place, spot: Spot, isInScope = false): void {
    const { schema } = place;
    if (!this.#check.ruled.has(schema)) return;
    const rules = array(schema, validations);
    const isTyped = isInScope || rules.length > 0;
    const type = isTyped ? (spot.type ?? typeOf(schema, spot.isRoot === true)) : undefined;
    const below = { count: childCount(schema, spot.count), uncorrelated: spot.uncorrelated };
    for (const child of placeAt(place, 'additionalProperties'))
      this.visit(child, { ...below, type: valuesType(type) }, isTyped);
    const isAtomic = !['', 'granular', 'atomic'].includes(text(schema, 'x-kubernetes-map-type'));
    for (const child of placesIn(place, 'properties')) {
      if (!this.#check.ruled.has(child.schema)) continue;
      const uncorrelated = below.uncorrelated ?? (isAtomic ? place.keys : undefined);
      this.visit(child, { ...below, uncorrelated, type: propertyType(type, child.name) }, isTyped);
    }
    for (const child of placeAt(place, 'items')) {
      const isKeyed = text(schema, 'x-kubernetes-list-type') === 'map';
      const uncorrelated = below.uncorrelated ?? (isKeyed ? undefined : place.keys);
      this.visit(child, { ...below, uncorrelated, type: itemsType(type) }, isTyped);
    }
    if (rules.length > 0 && type !== undefined && !this.#check.faulty.has(pathText(place.keys)))
      this.#rules(rules, type, { keys: [...place.keys, validations], spot });
  }

  #rules(
    rules: readonly Json[],
    { schema, declaration }: NodeType,
    { keys, spot }: { readonly keys: JsonPath; readonly spot: Spot },
  ): void {
    if (declaration === undefined) {
      this.found.push({ keys, reason: 'internal', detail: noType });
      return;
    }
    for (const [index, rule] of compileRules(schema, declaration).entries())
      this.#rule(declaration, rule, rules[index] ?? {}, { ...spot, keys: [...keys, index] });
  }

  #rule(
    declaration: Declaration,
    compiled: CompiledRule,
    json: Json,
    spot: Spot & { readonly keys: JsonPath },
  ): void {
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

const noType =
  'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
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

function typeOf(json: JsonObject, isRoot: boolean): NodeType {
  const schema = parseSchema(json);
  return { schema, declaration: declare(schema, isRoot || schema.embeddedResource) };
}

/** Returns the type of a property, unless expressions cannot use the property by its name. */
function propertyType(parent: NodeType | undefined, name: string): NodeType | undefined {
  if (parent === undefined || parent.declaration === undefined) return parent;
  const schema = parent.schema.properties.get(name);
  const declaration = parent.declaration.fields?.get(escapeName(name) ?? '');
  return schema && declaration && { schema, declaration };
}

function itemsType(parent: NodeType | undefined): NodeType | undefined {
  const schema = parent?.schema.items;
  return schema && { schema, declaration: parent?.declaration?.element };
}

function valuesType(parent: NodeType | undefined): NodeType | undefined {
  const schema = parent && valueSchema(parent.schema);
  return schema && { schema, declaration: parent.declaration?.element };
}

function childCount(schema: JsonObject, count: number | undefined): number | undefined {
  const type = text(schema, 'type');
  const isMap = type === 'object' && (own(schema, 'additionalProperties') ?? null) !== null;
  if (count === undefined || (type !== 'array' && !isMap)) return count;
  const limit = own(schema, type === 'array' ? 'maxItems' : 'maxProperties');
  return typeof limit === 'number' ? count * Math.max(limit, 0) : undefined;
}

function costMessage(name: string, cost: number, limit: number): string {
  const ratio = cost / limit;
  const factor = ratio > 100 ? 'more than 100x' : `${ratio.toFixed(ratio < 1.5 ? 6 : 1)}x`;
  return `${name} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
