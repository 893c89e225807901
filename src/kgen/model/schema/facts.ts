/** Facts of a schema that are documentation and not part of a type. */
import { compact } from '@kgen/schema/values/json';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import type { Facts } from '../ir.ts';
import { asObject, objectsIn, textsIn } from './json.ts';

/** Fast check that excludes almost every description. */
const mentionsImmutable = /immutable|\bbe (?:updated|changed|modified)/i;

const sentenceEnd = /[.;!?](?=\s|$)|\n\s*\n/;

const declaresImmutable =
  /\b(?:is|are|be|itself|and)\s+immutable\b|\b(?:cannot|can\s?not|can't|may\s+not|must\s+not)\s+be\s+(?:updated|changed|modified)\b/i;

const condition = /\b(?:ensures|except|if|unless|was|were|when|while)\b/i;

/** Facts of a schema that has only a type. */
export const noFacts: Facts = { keywords: {} };

/** Logical keywords that a type may not be able to express. */
export type LogicKeyword = 'enum' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'properties' | 'required';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Returns the facts of a schema of a custom resource besides its type. `logic` lists the keywords that the
 * type does not express.
 */
export function factsOf(node: JsonObject, logic: readonly LogicKeyword[] = []): Facts {
  const before = logic.length === 0 ? known.get(node) : undefined;
  if (before !== undefined) return before;
  const facts = collected(node, node);
  facts.isWhole = true;
  if (logic.length > 0) facts.logic = logic;
  else known.set(node, facts);
  return facts;
}

/** Facts by node: a node may be a part of many schemas. */
const known = new WeakMap<JsonObject, Facts>();

/** Returns the facts of a schema whose type is not its own, such as a union of the types of its members. */
export function partialFactsOf(node: JsonObject, logic: readonly LogicKeyword[] = []): Facts {
  return collected(node, documented(node, logic, node['default']));
}

/**
 * Returns the facts of a schema of a built-in kind: a description may declare that a field is immutable,
 * and defaults that equal the zero value of Go's type are dropped, because v3 documents add them everywhere.
 */
export function apiFactsOf(node: JsonObject, logic: readonly LogicKeyword[] = []): Facts {
  const fallback = node['default'];
  const facts = collected(node, documented(node, logic, isZero(fallback) ? undefined : fallback));
  if (facts.description !== undefined && statesImmutable(facts.description)) facts.immutable = true;
  return facts;
}

function collected(node: JsonObject, keywords: JsonObject): Writable<Facts> {
  const facts: Writable<Facts> = { keywords };
  const description = node['description'];
  if (typeof description === 'string' && description !== '') facts.description = description;
  const deprecated = deprecation(facts.description) ?? (node['deprecated'] === true ? '' : undefined);
  if (deprecated !== undefined) facts.deprecated = deprecated;
  if (objectsIn(keywords['x-kubernetes-validations']).some(staysEqual)) facts.immutable = true;
  return facts;
}

/** Keywords that are documented, besides the logical ones: default, format, and constraints of servers. */
export const documentedKeywords: readonly string[] = [
  ...['default', 'format', 'minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'uniqueItems', 'minProperties'],
  ...['maxProperties', 'x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
  ...['x-kubernetes-patch-merge-key', 'x-kubernetes-patch-strategy', 'x-kubernetes-unions'],
  'x-kubernetes-validations',
];

/** Returns the documented keywords with valid values. */
function documented(
  node: JsonObject,
  logic: readonly LogicKeyword[],
  fallback: JsonValue | undefined,
): JsonObject {
  const values = documentedKeywords.map((keyword) => [keyword, soundValue(keyword, node[keyword])] as const);
  const stated = logic.map((keyword) => [keyword, node[keyword]] as const);
  return compact({ ...Object.fromEntries([...values, ...stated]), default: fallback });
}

/** Returns a value that has an effect: `false`, empty and malformed ones have none. */
function soundValue(keyword: string, value: JsonValue | undefined): JsonValue | undefined {
  if (keyword === 'x-kubernetes-unions') return value;
  const list =
    keyword === 'x-kubernetes-validations'
      ? objectsIn(value).filter((each) => typeof each['rule'] === 'string')
      : textsIn(value);
  return isPlain(value) ? value : list.length > 0 ? list : undefined;
}

function isPlain(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value !== '';
  return value === true || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value));
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
function staysEqual({ rule }: JsonObject): boolean {
  return typeof rule === 'string' && /^\s*self\s*==\s*oldSelf\s*$/.test(rule);
}
