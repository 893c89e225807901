/** Descriptions of schemas in comments, beside the sentences that kgen adds to them. */
import type { Comment } from './comment.ts';

/** Sentence about a property with a default. */
export const alwaysSet = 'Always set in responses: the server fills in the default.';

/** Returns the sentence with the paths of a nested type in an object. */
export function placesText(path: string, others: number): string {
  const more = others === 1 ? 'one other place' : `${others} other places`;
  return others === 0 ? `\`${path}\`` : `\`${path}\` and ${more}`;
}

const sentence = new RegExp(
  `(?:^|\\n\\n)(?:${alwaysSet}|\`(?:(?!\\n\\n)[^])*\`(?:\\s+and\\s+(?:one\\s+other\\s+place|\\d+\\s+other\\s+places))?)$`,
);

/**
 * Returns the description that a comment states. A comment that is only a deprecation describes it.
 * @param isGenerated whether kgen has written the comment, possibly with a sentence of its own at the end
 */
export function describedBy({ description, tags }: Comment, isGenerated: boolean): string {
  const authored = isGenerated ? description.replace(sentence, '') : description;
  const note = authored === '' ? tags.find(({ name }) => name === 'deprecated') : undefined;
  if (note === undefined) return authored;
  return note.text === '' ? 'Deprecated.' : `Deprecated: ${note.text}`;
}

/** Returns a text with one blank in place of each line break and run of blanks. */
export function oneLine(value: string): string {
  return value.split(/\s+/).join(' ').trim();
}
