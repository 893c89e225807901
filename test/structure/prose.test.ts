/** Limits of docs/style.md for doc comments and names of packages and tests, and the width of comments. */
import ts from 'typescript';
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
    ['say, tell, hear and ask below 1', terms.speech, 0, 1],
    ['"return" above 4', terms.return, 4, Number.POSITIVE_INFINITY],
  ])('have %s per 1,000 words', (_name, expression, least, limit) => {
    expect(comments.length).toBeGreaterThan(1000);
    expect(frequency(comments, expression)).toBeGreaterThanOrEqual(least);
    expect(frequency(comments, expression)).toBeLessThan(limit);
  });
});

/** Returns the names that a file declares, as words: `is wanted` for `isWanted`. */
function declaredNames(node: ts.Node): readonly string[] {
  const names: string[] = [];
  const visit = (child: ts.Node): void => {
    const isUse = ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node);
    if (ts.isIdentifier(child) || ts.isPrivateIdentifier(child)) {
      if (!isUse && 'name' in node && node.name === child) names.push(child.text);
    } else names.push(...declaredNames(child));
  };
  ts.forEachChild(node, visit);
  return names;
}

describe('names that sources, tests and scripts declare', () => {
  const declared = [...filesIn('src'), ...tests].flatMap(({ path, text }) =>
    declaredNames(ts.createSourceFile(path, text, ts.ScriptTarget.Latest)).map((name) => ({ path, name })),
  );

  it.each(['speech', 'reply', 'wish'] as const)('never contain terms of %s', (term) => {
    const words = (name: string): string => name.split(/(?=[A-Z])|[^a-zA-Z]+/).join(' ');
    expect(declared.length).toBeGreaterThan(10_000);
    expect(declared.filter(({ name }) => words(name).search(terms[term]) >= 0)).toEqual([]);
  });
});

describe('lines of comments', () => {
  it(`have at most ${commentWidth} characters`, () => {
    expect(longCommentLines([...filesIn('src'), ...tests])).toEqual([]);
  });
});
