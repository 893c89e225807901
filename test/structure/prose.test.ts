import { describe, expect, it } from 'vitest';
import { sources } from './sources.ts';

/** Doc comments of the packages: the limits that docs/style.md states. */

interface Comment {
  readonly place: string;
  readonly words: string;
}

/** Doc comments of a file, without inline code, examples and decoration. */
function commentsOf(path: string, source: string): readonly Comment[] {
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((match) => ({
    place: `${path}:${source.slice(0, match.index).split('\n').length}`,
    words: match[0]
      .replace(/```[\s\S]*?```|`[^`]*`/g, ' ')
      .replace(/[\s*/]+/g, ' ')
      .trim(),
  }));
}

const comments = sources.flatMap(({ path, file }) => commentsOf(path, file.text));

/** Occurrences per 1,000 words of all doc comments. */
function frequency(expression: RegExp): number {
  const all = comments.map(({ words }) => words).join(' ');
  const count = (each: RegExp): number => [...all.matchAll(each)].length;
  return (1000 * count(expression)) / count(/[A-Za-z']+/g);
}

describe('no doc comment', () => {
  it.each<[name: string, expression: RegExp]>([
    ['starts with What, Who or "The same"', /^(What|Who|The same)\b/],
    ['contains "is no X" for "is not an X"', /(?<!\bthere )\bis no\b(?! longer\b)/i],
    ['contains "answer" for a response', /\banswer(s|ed|ing)?\b/i],
  ])('%s', (_, expression) => {
    expect(comments.filter(({ words }) => expression.test(words))).toEqual([]);
  });
});

describe('the frequency per 1,000 words of doc comments', () => {
  it.each<[name: string, expression: RegExp, least: number, limit: number]>([
    ['"what" is below 2', /\bwhat\b/gi, 0, 2],
    ['say, tell, hear and ask is below 1', /\b(say|said|tell|told|hear|heard|ask)(s|ing|ed)?\b/gi, 0, 1],
    ['"return" is above 4', /\breturn(s|ed|ing)?\b/gi, 4, Number.POSITIVE_INFINITY],
  ])('of %s', (_, expression, least, limit) => {
    expect(comments.length).toBeGreaterThan(1000);
    expect(frequency(expression)).toBeGreaterThanOrEqual(least);
    expect(frequency(expression)).toBeLessThan(limit);
  });
});
