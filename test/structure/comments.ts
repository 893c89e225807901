/** Comments of the packages and of the tests, and the terms that docs/style.md limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

/** A doc comment. */
export interface Comment {
  /** `path:line` of its beginning. */
  readonly place: string;
  /** Its words, without inline code, examples and decoration. */
  readonly words: string;
}

/** A file by its path relative to the repository. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the doc comments of a file. */
export function commentsOf({ path, text }: TextFile): readonly Comment[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((match) => ({
    place: `${path}:${text.slice(0, match.index).split('\n').length}`,
    words: match[0]
      .replace(/```[\s\S]*?```|`[^`]*`/g, ' ')
      .replace(/[\s*/]+/g, ' ')
      .trim(),
  }));
}

/** Returns all TypeScript and JavaScript files below a folder of the repository, generated ones excluded. */
export function filesIn(folder: string): readonly TextFile[] {
  return ['.ts', '.mjs']
    .flatMap((ending) => filesBelow(join(repository, folder), ending))
    .filter((path) => !/^golden\/expected\/|\/generated\/|^compatibility\/fixtures\//.test(path))
    .map((path) => ({
      path: `${folder}/${path}`,
      text: readFileSync(join(repository, folder, path), 'utf8'),
    }));
}

/** Terms of the glossary of docs/style.md, in all their forms. */
export const terms = {
  what: /\bwhat\b/gi,
  who: /\b(who|whom|whose|whoever|whatever)\b/gi,
  where: /\bwhere\b/gi,
  speech: /\b(say|said|tell|told|hear|heard|ask)(s|ing|ed)?\b/gi,
  reply: /\banswer(s|ed|ing)?\b/gi,
  response: /\bresponses?\b/gi,
  return: /\breturn(s|ed|ing)?\b/gi,
  retry: /\b(retry|retries|retried|retrying)\b/gi,
  wish: /\b(wanted|somebody|nobody)\b/gi,
} as const satisfies Readonly<Record<string, RegExp>>;

/** Beginnings of a comment that docs/style.md excludes. */
export const poorBeginning = /^(What|Who|The same)\b/;

/** Returns the number of words of comments. */
export function wordCount(comments: readonly Comment[]): number {
  return comments.reduce((sum, { words }) => sum + [...words.matchAll(/[A-Za-z']+/g)].length, 0);
}

/** Returns the occurrences of an expression per 1,000 words of comments. */
export function frequency(comments: readonly Comment[], expression: RegExp): number {
  const found = comments.reduce((sum, { words }) => sum + [...words.matchAll(expression)].length, 0);
  return (1000 * found) / wordCount(comments);
}

/** Returns the number of words of each sentence of comments. */
export function sentenceLengths(comments: readonly Comment[]): readonly number[] {
  return comments
    .flatMap(({ words }) => words.split(/[.!?](?:\s|$)/))
    .map((sentence) => [...sentence.matchAll(/[A-Za-z']+/g)].length)
    .filter((length) => length > 0);
}

/** Maximum number of characters of a line of a comment. */
export const commentWidth = 110;
const commentLine = /^\s*(\/\/|\/\*|\*)/;
/** URLs, type expressions of a JSDoc tag, and directives cannot be wrapped. */
const unbreakable = /https?:\/\/|@\w+ \{|biome-ignore|@ts-expect-error/;

/** Returns the places of lines of comments that have more than `commentWidth` characters. */
export function longCommentLines(files: readonly TextFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, place: `${path}:${index + 1}` }))
      .filter(
        ({ line }) => [...line].length > commentWidth && commentLine.test(line) && !unbreakable.test(line),
      )
      .map(({ place }) => place),
  );
}
