/**
 * Comments with the description and the constraints of a schema. The names of the JSDoc tags are those of
 * `model/schema/keyword-tags.ts`.
 */
import type { Facts, Rule, Schema } from '../../model/ir.ts';
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
export function partTags(schema: Schema, docs: EmitOptions['docs'], outer = ''): readonly Tag[] {
  if (schema.shape !== 'array' && schema.shape !== 'map') return noTags;
  const [name, part] =
    schema.shape === 'array' ? (['items', schema.items] as const) : (['values', schema.values] as const);
  if (part.shape === 'ref') return noTags;
  const where = outer === '' ? name : `${name} of ${outer}`;
  const own = factTags(part.facts, docs === 'full').map((tag) => ({
    name: tag.name,
    text: `${tag.text} (${where})`.trim(),
  }));
  return [...own, ...partTags(part, docs, where)];
}

const noTexts: readonly string[] = [];
const noTags: readonly Tag[] = [];

/** `messages`: whether the message of each rule is included. */
function factTags(facts: Facts, messages: boolean): readonly Tag[] {
  const tags: Tag[] = [];
  if (facts.default !== undefined) tags.push({ name: 'default', text: facts.default });
  if (facts.format !== undefined) tags.push({ name: 'format', text: facts.format });
  for (const rule of facts.rules) tags.push(ruleTag(rule, messages));
  if (facts.immutable) tags.push({ name: 'immutable', text: '' });
  return tags;
}

const tagNames: Partial<Record<Rule['name'], string>> = { cel: 'validation' };

function ruleTag(rule: Rule, messages: boolean): Tag {
  const value = readable(rule);
  const text = rule.message === undefined || !messages ? value : `${value} (${rule.message})`;
  return { name: tagNames[rule.name] ?? rule.name, text };
}

/** Returns strings and lists of strings without JSON quotes and escapes, and other values unchanged. */
function readable({ name, value }: Rule): string {
  if (name === 'cel' || name === 'constraint') return value;
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.join(', ') : typeof parsed === 'string' ? parsed : value;
}
