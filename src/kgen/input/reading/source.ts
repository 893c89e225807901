/** Decoded sources and positions in them. */
import { isUtf8 } from 'node:buffer';
import { type Checked, error, type InputProblem, type SourcePlace } from '../../common/problems.ts';
import type { SourceBytes } from './url.ts';

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
 * Decodes UTF-8 with or without byte order mark, or UTF-16 with one, as YAML requires. Otherwise returns a
 * problem with the position of the first invalid byte.
 */
export function decode(source: SourceBytes): Checked<SourceText | undefined> {
  const text = decodeText(source.bytes);
  if (text === undefined) return refuse(invalidUtf8(source));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const what = 'the file has NUL bytes, so it is not a text file: give YAML or JSON in UTF-8';
    return refuse(error(what, placeAt({ file: source.file, text }, nul)));
  }
  return { value: { file: source.file, text }, problems: [] };
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

function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = wideEncoding(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  if (!isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** Decodes leniently and compares: the first byte that differs after encoding again is the invalid one. */
function invalidUtf8(source: SourceBytes): InputProblem {
  const lenient = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(source.bytes));
  let offset = 0;
  while (lenient[offset] === source.bytes[offset]) offset += 1;
  const text = new TextDecoder().decode(source.bytes.subarray(0, offset));
  const place = placeAt({ file: source.file, text }, text.length);
  return error('the file is not UTF-8 text from here on: give YAML or JSON in UTF-8', place);
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

function refuse(problem: InputProblem): Checked<undefined> {
  return { value: undefined, problems: [problem] };
}
