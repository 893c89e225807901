/** Decoding of sources. */
import { isUtf8 } from 'node:buffer';
import { type Checked, error, type InputProblem } from '../../common/problems.ts';
import { placeAt, type SourceText } from '../reading/source.ts';
import type { SourceBytes } from './url.ts';

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

function refuse(problem: InputProblem): Checked<undefined> {
  return { value: undefined, problems: [problem] };
}
