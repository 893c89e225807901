/** One document of a stream: a slice of the source. */
export interface Chunk {
  /** Offset in the source, in UTF-16 units: the start of a line, or of one of several JSON objects. */
  readonly offset: number;
  readonly text: string;
}

interface Marker {
  readonly offset: number;
  readonly ends: boolean;
}

/**
 * Splits a stream into its documents without parsing them, so that an invalid document does not affect the
 * others. A line that consists of `---` or `...`, optionally followed by white space and more, is always a
 * marker: YAML forbids such lines in every scalar, block scalars included. Directives belong to the document
 * that they precede. JSON objects in a row are documents, too.
 */
export function splitDocuments(text: string): readonly Chunk[] {
  const values = jsonValues(text);
  return values.length > 0 ? values : yamlDocuments(text);
}

/**
 * Returns the objects of a source that begins with two or more JSON objects in a row, and nothing for any
 * other source. As in kubectl, only JSON may follow the second object: a rest that is not JSON belongs to the
 * last chunk, which cannot be parsed then.
 */
function jsonValues(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = afterSpace(text, 0); text[at] === '{'; ) {
    const end = objectEnd(text, at);
    const next = end === undefined ? undefined : afterSpace(text, end);
    // One object, or documents that are separated as in YAML.
    const isOnly = chunks.length === 0 && (next === undefined || next === text.length || text[next] === '-');
    if (isOnly) return [];
    if (end === undefined || next === undefined || !isJson(text.slice(at, end))) break;
    chunks.push({ offset: at, text: text.slice(at, end) });
    at = next;
  }
  const last = chunks.at(-1);
  if (last === undefined || chunks.length === 1) return [];
  return [...chunks.slice(0, -1), { offset: last.offset, text: text.slice(last.offset) }];
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}

/** Matches the characters that open and close objects, and strings, to their ends. */
const structure = /[{}]|"(?:[^"\\]+|\\.)*"?/gs;

/** Returns the offset after the object at `start`, or `undefined` if it does not end. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  structure.lastIndex = start;
  for (let found = structure.exec(text); found !== null; found = structure.exec(text)) {
    if (found[0] === '{') depth += 1;
    else if (found[0] === '}') depth -= 1;
    if (depth === 0) return structure.lastIndex;
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function yamlDocuments(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  let bare = true;
  for (const marker of markers(text)) {
    const directives = bare && !marker.ends && hasOnlyDirectives(text.slice(start, marker.offset));
    if (!directives) {
      if (marker.offset > start) chunks.push({ offset: start, text: text.slice(start, marker.offset) });
      start = marker.ends ? endOfLine(text, marker.offset) : marker.offset;
    }
    bare = marker.ends;
  }
  if (start < text.length) chunks.push({ offset: start, text: text.slice(start) });
  return chunks;
}

function markers(text: string): readonly Marker[] {
  const starts = occurrences(text, '---').map((offset) => ({ offset, ends: false }));
  const ends = occurrences(text, '...').map((offset) => ({ offset, ends: true }));
  return ends.length === 0 ? starts : [...starts, ...ends].sort((a, b) => a.offset - b.offset);
}

function occurrences(text: string, marker: string): number[] {
  const found: number[] = [];
  if (text.startsWith(marker) && isBreak(text, marker.length)) found.push(0);
  const needle = `\n${marker}`;
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1)) {
    if (isBreak(text, at + needle.length)) found.push(at + 1);
  }
  return found;
}

function isBreak(text: string, at: number): boolean {
  return at >= text.length || ' \t\r\n'.includes(text.charAt(at));
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

function hasOnlyDirectives(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.some((line) => line.startsWith('%')) && lines.every((line) => /^[%#]|^\s+#/.test(line));
}
