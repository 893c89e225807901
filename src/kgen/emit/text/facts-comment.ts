/** Comments with the description and the constraints of a schema, in the notation of `notation/tags.ts`. */

import { isArray, type Json, type JsonObject } from '@kgen/schema/values/json';
import { readJson } from '@kgen/schema/values/wire';
import type { Facts, Rule, Schema } from '../../model/ir.ts';
import { schemaTagsByName } from '../../notation/tags.ts';
import { joinPart, type PartStep, printValue } from '../../notation/values.ts';
import type { EmitOptions } from '../options.ts';
import { comment, type Tag } from './docs.ts';

/** Sentences of kgen that a comment has besides the facts of the schema. */
export interface Extra {
  readonly paragraphs?: readonly string[];
  readonly tags?: readonly Tag[];
}

/**
 * Returns the comment for `facts` at the level of detail that `docs` selects. Facts are constraints that
 * servers enforce. Text of the schema's author, such as descriptions and messages of rules, appears in `full`
 * comments only.
 */
export function factsComment(
  facts: Facts,
  indent: string,
  docs: EmitOptions['docs'],
  { paragraphs = noTexts, tags = noTags }: Extra = {},
): string {
  const deprecated: readonly Tag[] =
    facts.deprecated === undefined
      ? noTags
      : [{ name: 'deprecated', text: docs === 'facts' ? '' : facts.deprecated }];
  if (docs === 'none') return comment(noTexts, deprecated, indent);
  const authored = docs === 'full' ? authoredText(facts) : noTexts;
  const known = factTags(facts, docs === 'full');
  return comment([...authored, ...paragraphs], [...known, ...tags, ...deprecated], indent);
}

/** Returns the description, unless it only repeats the note behind `@deprecated`. */
function authoredText({ description, deprecated }: Facts): readonly string[] {
  if (description === undefined) return noTexts;
  const text = description.trim();
  const isNote =
    deprecated !== undefined &&
    text.endsWith(deprecated) &&
    loneVerdict.test(text.slice(0, text.length - deprecated.length));
  return isNote ? noTexts : [description];
}

const loneVerdict = /^[\s*_[(]*deprecated[\s*_\]):.,;!–—-]*$/i;

/**
 * Returns tags for the items of a list or the values of a map, for the comment of the property that holds
 * them. Tags of objects are part of their own types.
 */
export function partTags(
  schema: Schema,
  docs: EmitOptions['docs'],
  outer: readonly PartStep[] = [],
): readonly Tag[] {
  if (schema.shape !== 'array' && schema.shape !== 'map') return noTags;
  const [step, part] =
    schema.shape === 'array' ? (['items', schema.items] as const) : (['values', schema.values] as const);
  if (part.shape === 'ref') return noTags;
  const path: readonly PartStep[] = [...outer, step];
  const own = [...numberTags(part, docs), ...factTags(part.facts, docs === 'full')].map(({ name, text }) => ({
    name,
    text: joinPart(text, path),
  }));
  return [...own, ...partTags(part, docs, path)];
}

/** Returns the tag that distinguishes integers from other numbers, if their format does not. */
export function numberTags({ shape, facts }: Schema, docs: EmitOptions['docs']): readonly Tag[] {
  if (docs === 'none' || (shape !== 'integer' && shape !== 'number')) return noTags;
  const formats = shape === 'integer' ? ['int32', 'int64'] : ['float', 'double'];
  return facts.format !== undefined && formats.includes(facts.format) ? noTags : [{ name: shape, text: '' }];
}

const noTexts: readonly string[] = [];
const noTags: readonly Tag[] = [];

/** `messages`: whether the message of each rule is included. */
function factTags(facts: Facts, messages: boolean): readonly Tag[] {
  const tags: Tag[] = [];
  if (facts.default !== undefined) tags.push({ name: 'default', text: facts.default });
  if (facts.format !== undefined) tags.push(tag('format', facts.format));
  const rules = facts.rules.flatMap((rule) => ruleTags(rule, facts.rules, messages));
  return [...tags, ...rules, ...(facts.immutable ? [{ name: 'immutable', text: '' }] : [])];
}

function tag(name: string, value: Json): Tag {
  const definition = schemaTagsByName.get(name);
  return { name, text: definition === undefined ? '' : printValue(definition, value) };
}

/** Returns the tags of a rule; none if the tag of another rule has its meaning. */
function ruleTags(rule: Rule, all: readonly Rule[], messages: boolean): readonly Tag[] {
  if (rule.name === 'constraint') return [{ name: rule.name, text: rule.value }];
  if (rule.name === 'cel') return [tag('validate', validation(rule, messages))];
  const value = readJson(rule.value);
  const has = (name: Rule['name']): boolean => all.some((each) => each.name === name);
  switch (rule.name) {
    case 'minimum':
    case 'maximum': {
      const exclusive = rule.name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
      return [
        tag(
          all.some((each) => each.name === exclusive && each.value === 'true') ? exclusive : rule.name,
          value,
        ),
      ];
    }
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const bound = rule.name === 'exclusiveMinimum' ? 'minimum' : 'maximum';
      return value === true && has(bound) ? noTags : [keyword(rule.name, value)];
    }
    case 'listType':
      if (value === 'map' && has('listMapKeys')) return noTags;
      return [flagTags.get(`list ${String(value)}`) ?? keyword('x-kubernetes-list-type', value)];
    case 'listMapKeys':
      return all.some((each) => each.name === 'listType' && each.value === '"map"')
        ? [tag('listMap', value)]
        : [keyword('x-kubernetes-list-map-keys', value)];
    case 'mapType':
      return [flagTags.get(`map ${String(value)}`) ?? keyword('x-kubernetes-map-type', value)];
    case 'uniqueItems':
      return [keyword(rule.name, value)];
    case 'patchMergeKey':
    case 'patchStrategy':
      return [{ name: rule.name, text: isArray(value) ? value.join(', ') : String(value) }];
    default:
      return [tag(rule.name, value)];
  }
}

const flagTags: ReadonlyMap<string, Tag> = new Map([
  ['list atomic', { name: 'atomic', text: '' }],
  ['list set', { name: 'listSet', text: '' }],
  ['map atomic', { name: 'atomic', text: '' }],
  ['map granular', { name: 'granular', text: '' }],
]);

function keyword(name: string, value: Json): Tag {
  return tag('schema', { [name]: value });
}

function validation({ value, message, details }: Rule, messages: boolean): JsonObject {
  const isStated = message !== undefined && messages;
  return { rule: value, ...(isStated && { message }), ...details };
}
