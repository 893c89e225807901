/** Decoded sources and positions in them. */
import type { SourcePlace } from '../../common/problems.ts';

/** A source as a string, with the name under which it is reported. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** Notation of a source. One parser reads both, but messages name the notation that the user wrote. */
export type Language = 'JSON' | 'YAML';

/** Returns the notation by file name: `.json` files are JSON, whatever they contain. */
export function languageOf({ file }: Pick<SourceText, 'file'>): Language {
  return /\.json$/i.test(file) ? 'JSON' : 'YAML';
}

/**
 * Returns the position of the UTF-16 unit at `offset`. The first call reads the whole string, later ones are
 * fast.
 */
export function placeAt(source: SourceText, offset: number): SourcePlace {
  const starts = lineStarts(source);
  let low = 0;
  for (let high = starts.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { file: source.file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** Returns the line around `offset`, without its line break. */
export function lineAround(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end === -1 ? text.length : end);
}

/** Offsets of lines, cached as long as their source, because some sources have a problem on every line. */
const knownStarts = new WeakMap<SourceText, readonly number[]>();

function lineStarts(source: SourceText): readonly number[] {
  const known = knownStarts.get(source);
  if (known !== undefined) return known;
  const starts = [0];
  for (let at = source.text.indexOf('\n'); at !== -1; at = source.text.indexOf('\n', at + 1))
    starts.push(at + 1);
  knownStarts.set(source, starts);
  return starts;
}
