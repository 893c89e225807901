/** Comments with the description and the tags of a schema. */

import type { Facts } from '../../model/ir.ts';
import type { EmitOptions } from '../options.ts';
import { comment, isRestored, type Tag } from './docs.ts';

/** Parts of a comment that depend on the place of the schema. */
export interface CommentParts {
  /** Sentences of kgen. */
  readonly paragraphs?: readonly string[];
  /**
   * Returns the tags of the schema.
   * @param describes whether they state the description, because readers do not find it in the comment
   */
  readonly tags: (describes: boolean) => readonly Tag[];
}

/**
 * Returns the comment for `facts` at the level of detail that `docs` selects. Text of the schema's author,
 * such as descriptions and messages of rules, appears in `full` comments only.
 */
export function factsComment(
  facts: Facts,
  indent: string,
  docs: EmitOptions['docs'],
  { paragraphs = noTexts, tags }: CommentParts,
): string {
  const deprecated: readonly Tag[] =
    facts.deprecated === undefined
      ? []
      : [{ name: 'deprecated', text: docs === 'facts' ? '' : facts.deprecated }];
  if (docs === 'none') return comment(noTexts, deprecated, indent);
  const text = docs === 'full' ? [...authoredText(facts), ...paragraphs] : paragraphs;
  const describes = docs === 'full' && facts.isWhole === true && !isStated(facts, text, deprecated);
  const [known, last] = split(tags(describes));
  return comment(text, [...known, ...deprecated, ...last], indent);
}

const noTexts: readonly string[] = [];

/** `@schema` is the last tag. */
function split(tags: readonly Tag[]): readonly [readonly Tag[], readonly Tag[]] {
  const first = tags.findIndex(({ name }) => name === 'schema');
  return first === -1 ? [tags, []] : [tags.slice(0, first), tags.slice(first)];
}

/** Returns the description, unless it only repeats the note behind `@deprecated`. */
function authoredText(facts: Facts): readonly string[] {
  return facts.description === undefined || isNote(facts) ? noTexts : [facts.description];
}

function isNote({ description = '', deprecated }: Facts): boolean {
  const text = description.trim();
  return (
    deprecated !== undefined &&
    text.endsWith(deprecated) &&
    loneVerdict.test(text.slice(0, text.length - deprecated.length))
  );
}

const loneVerdict = /^[\s*_[(]*deprecated[\s*_\]):.,;!–—-]*$/i;

/** Returns whether readers find the description in the comment. */
function isStated(facts: Facts, text: readonly string[], deprecated: readonly Tag[]): boolean {
  const { description = '' } = facts;
  const isCertain = plain.test(description) && !risky.test(description) && !isNote(facts);
  return isCertain || isRestored(comment(text, deprecated, ''), description, true);
}

/** Almost every description consists of these characters. */
const plain = /^[\n -~]*$/;

/** Code fences, escapes, and sentences that kgen could have added. */
const risky = /```|~~~|\\@|\*\\\/|`$|places?$|Always set/;
