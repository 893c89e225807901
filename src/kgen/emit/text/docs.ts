/** Doc comments of generated code. A description can neither end its comment nor start a tag. */

import { commentIn } from '../../notation/comment.ts';
import { describedBy, oneLine } from '../../notation/descriptions.ts';

/** Longest line of a comment, in columns. A single longer word is not broken. */
const width = 110;

/** One `@name text` line. Without text the line holds only the tag. */
export interface Tag {
  readonly name: string;
  readonly text: string;
}

/**
 * Returns the comment for `paragraphs` and `tags`. Each line starts with `indent` and ends with a newline.
 * Returns `''` if there is no content.
 */
export function comment(paragraphs: readonly string[], tags: readonly Tag[], indent: string): string {
  const limit = width - indent.length - 3;
  const lines: string[] = [];
  for (const paragraph of paragraphs) {
    const text = escapeText(paragraph);
    if (text === '') continue;
    if (lines.length > 0) lines.push('');
    wrap(text, limit, lines);
  }
  if (lines.length > 0 && tags.length > 0) lines.push('');
  for (const tag of tags) wrapLine(tagLine(tag), limit, lines);
  return frame(lines, indent);
}

/**
 * Returns whether readers find a description in a comment.
 * @param isGenerated whether the comment may have sentences of kgen
 */
export function isRestored(comment: string, description: string, isGenerated: boolean): boolean {
  return oneLine(describedBy(commentIn(comment, 0, comment.length), isGenerated)) === oneLine(description);
}

function frame(lines: readonly string[], indent: string): string {
  const [first] = lines;
  if (first === undefined) return '';
  if (lines.length === 1 && indent.length + first.length + 7 <= width) return `${indent}/** ${first} */\n`;
  const body = lines.map((line) => (line === '' ? `${indent} *\n` : `${indent} * ${line}\n`));
  return `${indent}/**\n${body.join('')}${indent} */\n`;
}

function tagLine(tag: Tag): string {
  const lines = escapeText(tag.text)
    .split('\n')
    .map((line) => line.trim());
  const text = lines.filter((line) => line !== '').join(' ');
  return text === '' ? `@${tag.name}` : `@${tag.name} ${text}`;
}

/**
 * Normalises line ends and escapes every sequence that would end the comment or start a tag. Removes
 * invisible control and format characters, except the zero-width joiner of emoji sequences.
 */
function escapeText(text: string): string {
  const seen = plain.test(text) ? text : visible(text);
  const closed = seen.replaceAll('*/', '*\\/');
  return (closed.includes('@') ? closed.replace(/(^|[\s{])@(?=\S)/g, '$1\\@') : closed).trim();
}

/** Matches almost every description: printable ASCII needs no further checks. */
const plain = /^[\n -~]*$/;

function visible(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[^\P{Cf}\u200d]/gu, '')
    .replaceAll('\t', '  ');
}

/**
 * Breaks long lines at spaces, except in fenced code. Keeps line breaks and indentation, collapses runs of
 * empty lines, and closes unterminated code fences.
 */
function wrap(text: string, limit: number, lines: string[]): void {
  let open: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    const fence = /^ *(```|~~~)/.exec(line)?.[1];
    if (line === '') {
      if (lines.at(-1) !== '') lines.push(line);
    } else if (open === undefined && fence === undefined) {
      wrapLine(line, limit, lines);
    } else {
      lines.push(line);
      if (open === undefined) open = fence;
      else if (open === fence) open = undefined;
    }
  }
  if (open !== undefined) lines.push(open);
}

/** A label and an address: a line break between them would not help. */
const twoWords = /^\S+ \S+$/;

/** Continuation lines are indented to the first word of the line, so that they stay in their list item. */
function wrapLine(line: string, limit: number, lines: string[]): void {
  if (line.length <= limit || twoWords.test(line)) {
    lines.push(line);
    return;
  }
  const [lead = ''] = /^ *(?:[-*+] +|\d{1,9}[.)] +)?/.exec(line) ?? [];
  const hang = ' '.repeat(lead.length > limit / 2 ? 0 : lead.length);
  let [start, first, prefix] = [0, lead.length, ''];
  while (prefix.length + line.length - start > limit) {
    const reach = start + limit - prefix.length;
    let end = line.lastIndexOf(' ', reach);
    if (end < first) end = line.indexOf(' ', Math.max(reach, first));
    if (end < 0) break;
    lines.push(prefix + line.slice(start, end).trimEnd());
    start = end + 1;
    while (line[start] === ' ') start += 1;
    [first, prefix] = [start, hang];
  }
  lines.push(prefix + line.slice(start));
}
