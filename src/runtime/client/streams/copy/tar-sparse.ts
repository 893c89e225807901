/**
 * Sparse files in archives of GNU tar: entries of type `S` in its own format, and the versions 0.0, 0.1 and
 * 1.0 in extended headers. A map lists the parts that the archive contains; the rest of the file is zeros.
 * @see https://www.gnu.org/software/tar/manual/html_node/Sparse-Formats.html
 */
import { decimalOf, numberAt } from './tar-fields.ts';

/** Map of a file. */
export interface SparseMap {
  /** Bytes of the file with its holes. */
  readonly realSize: number;
  /** Offset and length of each part in turn. Blocks append to it in place, as they may be many. */
  readonly numbers: number[];
}

/** A map that continues in the next block. */
export interface OpenMap extends SparseMap {
  /** `binary` blocks follow a header; blocks of `text` are the first ones of the content. */
  readonly format: 'binary' | 'text';
  /** Digits of a number that continues in the next block. */
  readonly digits: string;
}

/** Result of a block of a map, or the reason for which it is invalid. */
export type MapStep = { readonly map: OpenMap; readonly isComplete: boolean } | string;

/** A sparse file of an extended header. */
export interface PaxSparse {
  readonly map: SparseMap;
  /** Whether the map is at the beginning of the content. */
  readonly isInContent: boolean;
  /** Name of the file, as `path` is a temporary one. */
  readonly name: string | undefined;
}

/** Maximum number of parts, as the map is in memory. */
const mostParts = 65_536;
/** Bytes of an offset or a length. */
const fieldBytes = 12;

const tooMany = `a sparse file has more than ${mostParts} parts`;
const invalid = 'the map of a sparse file is invalid';

/** Reads the beginning of a map in a header of type `S`. */
export function mapInHeader(block: Buffer): MapStep {
  const realSize = numberAt(block, 483, fieldBytes);
  if (realSize === undefined) return 'the size of a sparse file is invalid';
  return readParts({ format: 'binary', realSize, numbers: [], digits: '' }, block, { start: 386, most: 4 });
}

/** Reads the next block of a map. */
export function readMapBlock(map: OpenMap, block: Buffer): MapStep {
  return map.format === 'text' ? readLines(map, block) : readParts(map, block, { start: 0, most: 21 });
}

/** Reads a table of parts. The byte after it states whether the map continues. */
function readParts(
  map: OpenMap,
  block: Buffer,
  { start, most }: { readonly start: number; readonly most: number },
): MapStep {
  const end = start + most * 2 * fieldBytes;
  for (let at = start; at < end && block[at + fieldBytes] !== 0; at += 2 * fieldBytes) {
    const offset = numberAt(block, at, fieldBytes);
    const length = numberAt(block, at + fieldBytes, fieldBytes);
    if (offset === undefined || length === undefined) return invalid;
    map.numbers.push(offset, length);
  }
  return map.numbers.length > 2 * mostParts ? tooMany : { map, isComplete: block[end] === 0 };
}

/** Reads numbers in decimal with a line each: that of the parts, and then the parts. */
function readLines(map: OpenMap, block: Buffer): MapStep {
  const { numbers } = map;
  let { digits } = map;
  for (const character of block.toString('latin1')) {
    if (character !== '\n') {
      digits += character;
      continue;
    }
    const value = decimalOf(digits);
    if (value === undefined) return invalid;
    numbers.push(value);
    digits = '';
    const [count = 0] = numbers;
    if (count > mostParts) return tooMany;
    if (numbers.length > 2 * count) {
      // The rest of the block is unused.
      return { map: { ...map, numbers: numbers.slice(1), digits }, isComplete: true };
    }
  }
  return digits.length > 15 ? invalid : { map: { ...map, digits }, isComplete: false };
}

/**
 * Returns the reason for which a complete map cannot be used: parts must have the order of the file, be
 * within it, and have the size of the content in total.
 */
export function problemOf({ realSize, numbers }: SparseMap, contentSize: number): string | undefined {
  let end = 0;
  let total = 0;
  for (let index = 0; index < numbers.length; index += 2) {
    const offset = numbers[index] ?? 0;
    const length = numbers[index + 1] ?? 0;
    if (offset < end) return 'the parts of a sparse file overlap';
    end = offset + length;
    total += length;
    if (end > realSize) return 'a part of a sparse file is beyond its end';
  }
  return total === contentSize ? undefined : 'the parts of a sparse file do not have the size of its content';
}

/** Returns the sparse file that the records of an extended header describe, if they describe one. */
export function sparseOf(
  records: readonly (readonly [key: string, value: string])[],
): PaxSparse | string | undefined {
  const own = records.filter(([key]) => key.startsWith(prefix));
  if (own.length === 0) return undefined;
  const values = new Map(own.map(([key, value]) => [key.slice(prefix.length), value]));
  const isInContent = values.has('major');
  if (isInContent && `${values.get('major')}.${values.get('minor')}` !== '1.0')
    return `the archive has a sparse file of the unknown version ${values.get('major')}`;
  const realSize = decimalOf(values.get(isInContent ? 'realsize' : 'size') ?? '');
  if (realSize === undefined) return 'the size of a sparse file is invalid';
  const numbers = isInContent ? [] : listedParts(own, values.get('map'));
  if (typeof numbers === 'string') return numbers;
  return { map: { realSize, numbers }, isInContent, name: values.get('name') };
}

const prefix = 'GNU.sparse.';

/** Version 0.1 has one record with all numbers; version 0.0 has a record for each. */
function listedParts(
  records: readonly (readonly [key: string, value: string])[],
  map: string | undefined,
): number[] | string {
  const parts = records.filter(([key]) => key === `${prefix}offset` || key === `${prefix}numbytes`);
  const texts = map === undefined ? parts.map(([, value]) => value) : map.split(',');
  if (texts.length > 2 * mostParts) return tooMany;
  const isPaired = parts.every(([key], index) => key.endsWith('offset') === (index % 2 === 0));
  const numbers = map === '' ? [] : texts.map(decimalOf);
  const isValid = isPaired && numbers.length % 2 === 0;
  return isValid && numbers.every((number) => number !== undefined) ? numbers : invalid;
}
