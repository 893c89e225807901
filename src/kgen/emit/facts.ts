/** What is known of a schema besides its type, as the paragraphs and tags of a comment. */
import type { Facts, Rule, RuleName } from '../model/ir.ts';
import { comment, type Tag } from './docs.ts';

/** Facts that a comment states besides the schema's own. */
export interface Extra {
  readonly paragraphs?: readonly string[];
  readonly tags?: readonly Tag[];
}

/**
 * The comment for `facts`. Without `docs` only what editors act on is left: `@deprecated`.
 */
export function factsComment(facts: Facts, indent: string, docs: boolean, extra: Extra = {}): string {
  const deprecated: Tag[] =
    facts.deprecated === undefined ? [] : [{ name: 'deprecated', text: facts.deprecated }];
  if (!docs) return comment([], deprecated, indent);
  const paragraphs = [
    ...(facts.description === undefined ? [] : [facts.description]),
    ...(extra.paragraphs ?? []),
  ];
  const tags: Tag[] = [];
  if (facts.default !== undefined) tags.push({ name: 'default', text: facts.default });
  if (facts.format !== undefined) tags.push({ name: 'format', text: facts.format });
  for (const rule of facts.rules) tags.push(ruleTag(rule));
  return comment(paragraphs, [...tags, ...(extra.tags ?? []), ...deprecated], indent);
}

const tagNames: Partial<Record<RuleName, string>> = { cel: 'validation' };

function ruleTag(rule: Rule): Tag {
  const value = readable(rule);
  const text = rule.message === undefined ? value : `${value} (${rule.message})`;
  return { name: tagNames[rule.name] ?? rule.name, text };
}

/** A text, or a list of texts, without the quotes and escapes of JSON; everything else as it is. */
function readable({ name, value }: Rule): string {
  if (name === 'cel' || name === 'constraint') return value;
  const parsed: unknown = JSON.parse(value);
  return Array.isArray(parsed) ? parsed.join(', ') : typeof parsed === 'string' ? parsed : value;
}
