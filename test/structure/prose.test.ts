/** Limits of docs/style.md for doc comments of the packages and of the tests, and the width of comments. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';
import { sources } from './sources.ts';

interface Comment {
  readonly place: string;
  readonly words: string;
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Doc comments of a file, without inline code, examples and decoration. */
function commentsOf({ path, text }: TextFile): readonly Comment[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((match) => ({
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
    words: match[0]
      .replace(/```[\s\S]*?```|`[^`]*`/g, ' ')
      .replace(/[\s*/]+/g, ' ')
      .trim(),
  }));
}

/** Returns all TypeScript and JavaScript files below a folder of the repository, generated ones excluded. */
function filesIn(folder: string): readonly TextFile[] {
  return ['.ts', '.mjs']
    .flatMap((ending) => filesBelow(join(repository, folder), ending))
    .filter((path) => !/^golden\/expected\//.test(path))
    .map((path) => ({
      path: `${folder}/${path}`,
      text: readFileSync(join(repository, folder, path), 'utf8'),
    }));
}

const tests = ['test', 'scripts', 'examples'].flatMap(filesIn);

/** Occurrences per 1,000 words of all doc comments. */
function frequency(comments: readonly Comment[], expression: RegExp): number {
  const all = comments.map(({ words }) => words).join(' ');
  const count = (each: RegExp): number => [...all.matchAll(each)].length;
  return (1000 * count(expression)) / count(/[A-Za-z']+/g);
}

describe.each<[name: string, comments: readonly Comment[]]>([
  ['the packages', sources.flatMap(({ path, file }) => commentsOf({ path, text: file.text }))],
  ['tests, scripts and examples', tests.flatMap(commentsOf)],
])('doc comments of %s', (_, comments) => {
  it.each<[name: string, expression: RegExp]>([
    ['never start with What, Who or "The same"', /^(What|Who|The same)\b/],
    ['never contain "is no X" for "is not an X"', /(?<!\bthere )\bis no\b(?! longer\b)/i],
    ['never contain "answer" for a response', /\banswer(s|ed|ing)?\b/i],
  ])('%s', (_name, expression) => {
    expect(comments.filter(({ words }) => expression.test(words))).toEqual([]);
  });

  it.each<[name: string, expression: RegExp, least: number, limit: number]>([
    ['"what" below 2', /\bwhat\b/gi, 0, 2],
    ['say, tell, hear and ask below 1', /\b(say|said|tell|told|hear|heard|ask)(s|ing|ed)?\b/gi, 0, 1],
    ['"return" above 4', /\breturn(s|ed|ing)?\b/gi, 4, Number.POSITIVE_INFINITY],
  ])('have %s per 1,000 words', (_name, expression, least, limit) => {
    expect(comments.length).toBeGreaterThan(1000);
    expect(frequency(comments, expression)).toBeGreaterThanOrEqual(least);
    expect(frequency(comments, expression)).toBeLessThan(limit);
  });
});

describe('lines of comments', () => {
  const width = 110;
  const comment = /^\s*(\/\/|\/\*|\*)/;
  /** URLs, type expressions of a JSDoc tag, and directives cannot be wrapped. */
  const unbreakable = /https?:\/\/|@\w+ \{|biome-ignore|@ts-expect-error/;

  it(`have at most ${width} characters`, () => {
    const long = [...filesIn('src'), ...tests].flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
        .filter(({ line }) => [...line].length > width && comment.test(line) && !unbreakable.test(line)),
    );
    expect(long.map(({ place }) => place)).toEqual([]);
  });
});
