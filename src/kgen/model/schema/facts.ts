/** Facts of a schema that are documentation and not part of a type. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import type { Facts, Rule } from '../ir.ts';
import { asObject, jsonText, objectsIn, textsIn } from './json.ts';
import { keywordTags, type RuleName } from './keyword-tags.ts';

/** Fast check that excludes almost every description. */
const mentionsImmutable = /immutable|\bbe (?:updated|changed|modified)/i;

const sentenceEnd = /[.;!?](?=\s|$)|\n\s*\n/;

const declaresImmutable =
  /\b(?:is|are|be|itself|and)\s+immutable\b|\b(?:cannot|can\s?not|can't|may\s+not|must\s+not)\s+be\s+(?:updated|changed|modified)\b/i;

const condition = /\b(?:ensures|except|if|unless|was|were|when|while)\b/i;

/** Facts of a schema that has only a type. */
export const noFacts: Facts = { rules: [] };

/**
 * Logical keywords that a type may not be able to express. Each becomes a `constraint`, unless the type
 * expresses it completely.
 */
export type LogicKeyword = 'enum' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'properties' | 'required';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Returns the facts of a schema besides its type. `logic` lists the keywords that the type does not express.
 * Rules are in the order of `RuleName`, independent of the order of the schema's keywords.
 */
export function factsOf(node: JsonObject, logic: readonly LogicKeyword[] = []): Facts {
  return collected(node, logic, node['default']);
}

/**
 * Returns `factsOf` for the schemas of built-in kinds: a description may declare that a field is immutable,
 * and defaults that equal the zero value of Go's type are dropped, because v3 documents add them everywhere.
 */
export function apiFactsOf(node: JsonObject, logic: readonly LogicKeyword[] = []): Facts {
  const fallback = node['default'];
  const facts = collected(node, logic, isZero(fallback) ? undefined : fallback);
  if (facts.description !== undefined && statesImmutable(facts.description)) facts.immutable = true;
  return facts;
}

function collected(
  node: JsonObject,
  logic: readonly LogicKeyword[],
  fallback: JsonValue | undefined,
): Writable<Facts> {
  const facts: Writable<Facts> = { rules: rulesOf(node, logic) };
  const description = node['description'];
  if (typeof description === 'string' && description !== '') facts.description = description;
  if (fallback !== undefined) facts.default = jsonText(fallback);
  if (typeof node['format'] === 'string' && node['format'] !== '') facts.format = node['format'];
  const deprecated = deprecation(facts.description) ?? (node['deprecated'] === true ? '' : undefined);
  if (deprecated !== undefined) facts.deprecated = deprecated;
  if (facts.rules.some(staysEqual)) facts.immutable = true;
  return facts;
}

function isZero(value: JsonValue | undefined): boolean {
  const object = asObject(value);
  return object === undefined
    ? value === '' || value === 0 || value === false
    : Object.keys(object).length === 0;
}

const deprecatedWord = /^[ \t*_[(]*(?:Deprecated|DEPRECATED|deprecated(?=:))\b[\])*_]*/gm;

/**
 * Matches the rest of a line in which the word is a statement, as opposed to `Deprecated fields are kept`.
 */
const verdict =
  /^[ \t]*(?:$|[\r\n:.,;!(–—]|-(?!\w)|(?:after|and|as|because|by|due|in|please|since|this|until|use|with)\b)/i;

/** Matches the word at the beginning of a sentence within a line, as in many descriptions of Kubernetes. */
const deprecatedSentence = /[.!?)\]"'`][ \t]{1,2}(?:Deprecated|DEPRECATED):(?=\s)/;

/**
 * Returns the deprecation note of a description: the rest of the paragraph after `Deprecated`, if it begins a
 * line as a statement, or begins a sentence as `Deprecated:`; possibly `''`. Otherwise returns `undefined`. A
 * note in an enumeration refers to one of the values and is ignored.
 */
export function deprecation(description: string | undefined): string | undefined {
  if (description === undefined || !mentions(description)) return undefined;
  for (const { 0: word, index } of description.matchAll(deprecatedWord)) {
    const after = description.slice(index + word.length);
    if (verdict.test(after)) return noteIn(after);
  }
  for (const paragraph of description.split(paragraphEnd)) {
    const note = noteAfterSentence(paragraph);
    if (note !== undefined) return note;
  }
  return undefined;
}

function noteAfterSentence(paragraph: string): string | undefined {
  const { 0: found = '', index = 0 } = deprecatedSentence.exec(paragraph) ?? {};
  return found === '' || bullet.test(paragraph.slice(0, index))
    ? undefined
    : noteIn(paragraph.slice(index + found.length));
}

const paragraphEnd = /\r?\n[ \t]*\r?\n/;

const bullet = /(?:^|\s)[-*+•]\s/;

function noteIn(text: string): string {
  const [paragraph = ''] = text.split(paragraphEnd, 1);
  return paragraph.replace(/^[\s:.,;!–—-]+/, '').trim();
}

/** Fast check that excludes almost every description. */
function mentions(description: string): boolean {
  return description.includes('eprecated') || description.includes('DEPRECATED');
}

const ruleNames: ReadonlyMap<string, RuleName> = new Map(keywordTags);
const ruleOrder: ReadonlyMap<RuleName, number> = new Map(
  [...ruleNames.values(), 'constraint' as const, 'cel' as const].map((name, index) => [name, index]),
);

const noRules: readonly Rule[] = [];

function rulesOf(node: JsonObject, logic: readonly LogicKeyword[]): readonly Rule[] {
  const rules: Rule[] = [];
  for (const keyword in node) {
    const name = ruleNames.get(keyword);
    if (name !== undefined) addPlain(rules, name, node[keyword]);
  }
  for (const keyword of logic) {
    if (node[keyword] !== undefined) rules.push(constraint(keyword, node[keyword]));
  }
  if (node['x-kubernetes-unions'] !== undefined)
    rules.push(constraint('x-kubernetes-unions', node['x-kubernetes-unions']));
  for (const validation of objectsIn(node['x-kubernetes-validations'])) addCel(rules, validation);
  if (rules.length === 0) return noRules;
  const rank = (rule: Rule): number => ruleOrder.get(rule.name) ?? 0;
  return rules.length === 1 ? rules : rules.sort((a, b) => rank(a) - rank(b));
}

/**
 * Adds valid values of such keywords; other values and `false` add nothing. Values are printed completely, so
 * that they can be parsed as JSON again.
 */
function addPlain(rules: Rule[], name: RuleName, value: JsonValue | undefined): void {
  const sound = isPlain(value) ? value : textsIn(value);
  if (Array.isArray(sound) && sound.length === 0) return;
  rules.push({ name, value: jsonText(sound, { limit: Number.POSITIVE_INFINITY }) });
}

function isPlain(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== '';
  return value === true || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
}

function addCel(rules: Rule[], { rule, message, ...others }: JsonObject): void {
  if (typeof rule !== 'string') return;
  const known = celMembers.flatMap((name): [string, JsonValue][] => {
    const value = others[name];
    return value === undefined || value === false || value === '' ? [] : [[name, value]];
  });
  rules.push({
    name: 'cel',
    value: rule,
    ...(typeof message === 'string' && { message }),
    ...(known.length > 0 && { details: Object.fromEntries(known) }),
  });
}

const celMembers = ['messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'] as const;

function constraint(keyword: LogicKeyword | 'x-kubernetes-unions', value: JsonValue | undefined): Rule {
  return {
    name: 'constraint',
    value: jsonText({ [keyword]: value ?? null }, { limit: 2_000, prose: false }),
  };
}

/**
 * Returns whether a description contains a sentence that declares, unconditionally and in the present, that
 * the value is immutable or cannot be updated.
 */
export function statesImmutable(description: string): boolean {
  if (!mentionsImmutable.test(description)) return false;
  return description
    .split(sentenceEnd)
    .some((sentence) => declaresImmutable.test(sentence) && !condition.test(sentence));
}

/** Returns whether a rule requires that a field keeps its value. */
function staysEqual({ name, value }: Rule): boolean {
  return name === 'cel' && /^\s*self\s*==\s*oldSelf\s*$/.test(value);
}
