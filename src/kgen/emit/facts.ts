/** What is known of a schema besides its type, as the paragraphs and tags of a comment. */
import type { Facts, Rule, RuleName, Schema } from '../model/ir.ts';
import { comment, type Tag } from './docs.ts';
import type { EmitOptions } from './options.ts';

/** What a comment states besides the schema's own facts, in words of kgen. */
export interface Extra {
  readonly paragraphs?: readonly string[];
  readonly tags?: readonly Tag[];
}

/**
 * The comment for `facts`, as much of it as `docs` asks for. Facts are what servers act on; sentences of the author,
 * such as the description and the message of a rule, are in `full` comments only.
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

/** The description, unless it is only the note that stands behind `@deprecated` as well. */
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
 * What is known of the items of a list and of the values of a map, for the comment of the property that holds them;
 * that of objects stands at their types.
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

/** `messages`: whether rules say what they mean as well. */
function factTags(facts: Facts, messages: boolean): readonly Tag[] {
  const tags: Tag[] = [];
  if (facts.default !== undefined) tags.push({ name: 'default', text: facts.default });
  if (facts.format !== undefined) tags.push({ name: 'format', text: facts.format });
  for (const rule of facts.rules) tags.push(ruleTag(rule, messages));
  if (facts.immutable) tags.push({ name: 'immutable', text: '' });
  return tags;
}

const tagNames: Partial<Record<RuleName, string>> = { cel: 'validation' };

function ruleTag(rule: Rule, messages: boolean): Tag {
  const value = readable(rule);
  const text = rule.message === undefined || !messages ? value : `${value} (${rule.message})`;
  return { name: tagNames[rule.name] ?? rule.name, text };
}

/** A text, or a list of texts, without the quotes and escapes of JSON; everything else as it is. */
function readable({ name, value }: Rule): string {
  if (name === 'cel' || name === 'constraint') return value;
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.join(', ') : typeof parsed === 'string' ? parsed : value;
}
