/**
 * Comments. Whatever a description holds, it stays inside its comment and starts no tag of its own.
 */

/** Longest line of a comment, unless a single word is longer. */
const width = 110;

/** One `@name text` line; without text the tag stands alone. */
export interface Tag {
  readonly name: string;
  readonly text: string;
}

/**
 * The comment for `paragraphs` and `tags`, each line starting with `indent` and ending with a newline;
 * `''` when there is nothing to say.
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

function frame(lines: readonly string[], indent: string): string {
  const [first] = lines;
  if (first === undefined) return '';
  if (lines.length === 1 && indent.length + first.length + 7 <= width + 4)
    return `${indent}/** ${first} */\n`;
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
 * Line ends are made one kind, and nothing ends the comment or starts a tag. Control and format characters go, which
 * nobody sees; the joiner stays that makes one picture of several.
 */
function escapeText(text: string): string {
  const seen = plain.test(text) ? text : visible(text);
  const closed = seen.replaceAll('*/', '*\\/');
  return (closed.includes('@') ? closed.replace(/(^|[\s{])@(?=\S)/g, '$1\\@') : closed).trim();
}

/** What almost every description is made of. */
const plain = /^[\n -~]*$/;

function visible(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[^\P{Cf}\u200d]/gu, '')
    .replaceAll('\t', '  ');
}

/**
 * Breaks long lines at spaces, but not those of fenced code. Line breaks and indentation of the text stay; runs of
 * empty lines become one, and code that has no end gets one.
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

/** A label and an address: nothing is won by a break between them. */
const twoWords = /^\S+ \S+$/;

/** What follows a break stands below the first word of the line, so that it stays in its list item. */
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
