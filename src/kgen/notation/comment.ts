/** Reads doc comments, with the position of each tag. */

/** A tag of a comment. */
export interface CommentTag {
  readonly name: string;
  /** Its text in one line, without escapes. */
  readonly text: string;
  /** Offset of the tag in the file. */
  readonly offset: number;
}

/** A doc comment. */
export interface Comment {
  /** The text before the first tag, without escapes. Empty if there is none. */
  readonly description: string;
  readonly tags: readonly CommentTag[];
}

/** The comment of a declaration without one. */
const noComment: Comment = { description: '', tags: [] };

/** Returns the last doc comment of a text between the previous token and a declaration. */
export function commentIn(text: string, start: number, end: number): Comment {
  const found = [...text.slice(start, end).matchAll(anyComment)].findLast(([comment]) => isDoc(comment));
  if (found === undefined) return noComment;
  return parseComment(found[0].slice(3, -2), start + found.index + 3);
}

const anyComment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

function isDoc(comment: string): boolean {
  return comment.startsWith('/**') && comment.length > 4;
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

function parseComment(body: string, offset: number): Comment {
  const pieces = piecesOf(linesOf(body, offset));
  const description = pieces.description.join('\n').trim();
  const tags = pieces.tags.map(({ name, lines, offset: at }) => ({
    name,
    text: unescaped(
      lines
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' '),
    ),
    offset: at,
  }));
  return { description: unescaped(description), tags };
}

/** Returns the lines without the stars before them. */
function linesOf(body: string, start: number): readonly Line[] {
  let offset = start;
  return body.split('\n').map((raw, index) => {
    const [lead = ''] = (index === 0 ? /^ ?/ : /^[ \t]*\*? ?/).exec(raw) ?? [];
    const line = { text: raw.slice(lead.length).trimEnd(), offset: offset + lead.length };
    offset += raw.length + 1;
    return line;
  });
}

interface Pieces {
  readonly description: string[];
  readonly tags: { readonly name: string; readonly lines: string[]; readonly offset: number }[];
}

/** A tag begins a line or follows a blank, outside of code. */
const tagStart = /(?<=^|\s)@([A-Za-z][\w:-]*)/g;

function piecesOf(lines: readonly Line[]): Pieces {
  const pieces: Pieces = { description: [], tags: [] };
  const add = (text: string): void => {
    (pieces.tags.at(-1)?.lines ?? pieces.description).push(text);
  };
  let fence: string | undefined;
  for (const { text, offset } of lines) {
    const mark = /^\s*(```|~~~)/.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (fence !== undefined || mark !== undefined) {
      add(text);
      continue;
    }
    let end = 0;
    for (const found of text.matchAll(tagStart)) {
      if (isInCode(text, found.index)) continue;
      if (found.index > end || end > 0) add(text.slice(end, found.index).trimEnd());
      pieces.tags.push({ name: found[1] ?? '', lines: [], offset: offset + found.index });
      end = found.index + found[0].length;
    }
    add(text.slice(end));
  }
  return pieces;
}

/** Returns whether a position is between backticks or double quotes of its line. */
function isInCode(text: string, index: number): boolean {
  const before = text.slice(0, index);
  return (before.match(/`/g)?.length ?? 0) % 2 === 1;
}

/** Reverses the escapes of the comments that kgen writes. */
function unescaped(text: string): string {
  return text.replaceAll('*\\/', '*/').replace(/(^|[\s{])\\@/g, '$1@');
}
