/** Limits of docs/style.md for doc comments of the packages and of the tests, and the width of comments. */
import { describe, expect, it } from 'vitest';
import {
  type Comment,
  commentsOf,
  commentWidth,
  filesIn,
  frequency,
  longCommentLines,
  poorBeginning,
  terms,
} from './comments.ts';
import { sources } from './sources.ts';

const tests = ['test', 'scripts', 'examples'].flatMap(filesIn);

describe.each<[name: string, comments: readonly Comment[]]>([
  ['the packages', sources.flatMap(({ path, file }) => commentsOf({ path, text: file.text }))],
  ['tests, scripts and examples', tests.flatMap(commentsOf)],
])('doc comments of %s', (_, comments) => {
  it.each<[name: string, expression: RegExp]>([
    ['never start with What, Who or "The same"', poorBeginning],
    ['never contain "is no X" for "is not an X"', /(?<!\bthere )\bis no\b(?! longer\b)/i],
    ['never contain "answer" for a response', /\banswer(s|ed|ing)?\b/i],
  ])('%s', (_name, expression) => {
    expect(comments.filter(({ words }) => expression.test(words))).toEqual([]);
  });

  it.each<[name: string, expression: RegExp, least: number, limit: number]>([
    ['"what" below 2', terms.what, 0, 2],
    ['say, tell, hear and ask below 1', terms.say, 0, 1],
    ['"return" above 4', terms.return, 4, Number.POSITIVE_INFINITY],
  ])('have %s per 1,000 words', (_name, expression, least, limit) => {
    expect(comments.length).toBeGreaterThan(1000);
    expect(frequency(comments, expression)).toBeGreaterThanOrEqual(least);
    expect(frequency(comments, expression)).toBeLessThan(limit);
  });
});

describe('lines of comments', () => {
  it(`have at most ${commentWidth} characters`, () => {
    expect(longCommentLines([...filesIn('src'), ...tests])).toEqual([]);
  });
});
