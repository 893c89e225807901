import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Checked, error, type Place, type Problem } from '../problems.ts';
import type { SourceId } from './crd-input.ts';
import { isUrl } from './url.ts';

/** A text that was read, with the name under which it is reported. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
  /** SHA-256 of the bytes that the text was decoded from, where there were any, with line ends made one kind. */
  readonly hash?: string;
}

/** What a text claims to be. One reader does for both, but people want to hear of what they wrote. */
export type Language = 'JSON' | 'YAML';

/** By the name: `.json` files are JSON, whatever is in them. */
export function languageOf({ file }: Pick<SourceText, 'file'>): Language {
  return /\.json$/i.test(file) ? 'JSON' : 'YAML';
}

/** Names a source for headers. */
export function sourceId(source: SourceText): SourceId {
  const name = isUrl(source.file) ? source.file : basename(source.file);
  return { name, hash: source.hash ?? sha256(source.text) };
}

/** Bytes that were read, with the name under which they are reported. */
export interface SourceBytes {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/**
 * Bytes to text: UTF-8 with or without byte order mark, or UTF-16 with one, as YAML asks of its readers.
 * Anything else is a problem with the place of the first byte that is wrong.
 */
export function decode(source: SourceBytes): Checked<SourceText | undefined> {
  const text = decodeText(source.bytes);
  if (text === undefined) return refuse(invalidUtf8(source));
  const nul = text.indexOf('\0');
  if (nul !== -1) {
    const what = 'the file has NUL bytes, so it is no text: give YAML or JSON in UTF-8';
    return refuse(error(what, placeAt({ file: source.file, text }, nul)));
  }
  return { value: { file: source.file, text, hash: hashOf(text, source.bytes) }, problems: [] };
}

/** A checkout with other line ends is the same source. */
function hashOf(text: string, bytes: Uint8Array): string {
  return sha256(bytes.includes(0x0d) ? text.replaceAll('\r\n', '\n') : bytes);
}

/** Place of the UTF-16 unit at `offset`. Takes the time of one pass over the text once, little afterwards. */
export function placeAt(source: SourceText, offset: number): Place {
  const starts = lineStarts(source);
  let low = 0;
  for (let high = starts.length; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return { file: source.file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** The line of text around `offset`, without its line break. */
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

/** Decodes leniently and compares: the first byte that does not survive the way back is the wrong one. */
function invalidUtf8(source: SourceBytes): Problem {
  const lenient = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(source.bytes));
  let offset = 0;
  while (lenient[offset] === source.bytes[offset]) offset += 1;
  const text = new TextDecoder().decode(source.bytes.subarray(0, offset));
  const place = placeAt({ file: source.file, text }, text.length);
  return error('the file is not UTF-8 text from here on: give YAML or JSON in UTF-8', place);
}

/** Offsets at which lines start, kept as long as their source: some texts have a problem on every line. */
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

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function refuse(problem: Problem): Checked<undefined> {
  return { value: undefined, problems: [problem] };
}
