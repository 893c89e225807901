/** One document of a YAML stream: a slice of the source. */
export interface Chunk {
  /** Offset of the slice in the source, in UTF-16 units. Always the start of a line. */
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
 * that they precede.
 */
export function splitDocuments(text: string): readonly Chunk[] {
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
