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
  const lines: string[] = [];
  for (const paragraph of paragraphs) {
    const wrapped = wrap(escapeText(paragraph), width - indent.length - 3);
    if (wrapped.length > 0 && lines.length > 0) lines.push('');
    lines.push(...wrapped);
  }
  if (lines.length > 0 && tags.length > 0) lines.push('');
  for (const tag of tags) lines.push(...wrap(tagLine(tag), width - indent.length - 3));
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

/** Line ends are made one kind, other control characters go, and nothing ends the comment or starts a tag. */
function escapeText(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .replaceAll('\t', '  ')
    .replaceAll('*/', '*\\/')
    .replace(/(^|\s)@(?=\S)/g, '$1\\@')
    .trim();
}

/** Breaks long lines at spaces. Line breaks and indentation of the text stay; runs of empty lines become one. */
function wrap(text: string, limit: number): string[] {
  if (text === '') return [];
  const lines: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (line.length <= limit) {
      if (line !== '' || lines.at(-1) !== '') lines.push(line);
    } else {
      wrapLine(line, limit, lines);
    }
  }
  return lines;
}

function wrapLine(line: string, limit: number, lines: string[]): void {
  let rest = line;
  while (rest.length > limit) {
    const indent = rest.length - rest.trimStart().length;
    let end = rest.lastIndexOf(' ', limit);
    if (end <= indent) end = rest.indexOf(' ', Math.max(limit, indent));
    if (end < 0) break;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end + 1);
  }
  lines.push(rest);
}
