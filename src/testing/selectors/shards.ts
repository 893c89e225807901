import { badRequest } from '../api/failures.ts';
import { type JsonObject, own } from '../values/json.ts';

/** Range of hashes: from `start` up to but excluding `end`. */
interface ShardRange {
  readonly field: string;
  readonly start: bigint;
  readonly end: bigint;
}

const fields: readonly string[] = ['uid', 'namespace'];
const term =
  /^shardRange\(\s*object\.metadata\.(\w+)\s*,\s*'(0x[0-9a-f]{1,17})'\s*,\s*'(0x[0-9a-f]{1,17})'\s*\)$/;
const maxEnd = 2n ** 64n;

/**
 * Parses a shard selector: ranges of the hashes of one field, joined by `||`.
 * @returns an empty list for an empty selector, which selects all objects
 * @throws {Failure} 400 for a syntax error, an unsupported field, different fields and an empty range
 */
export function parseShardSelector(text: string): readonly ShardRange[] {
  if (text === '') return [];
  const ranges = text.split('||').map((part) => parseRange(part.trim()));
  if (ranges.every(({ field }) => field === ranges[0]?.field)) return ranges;
  throw badRequest('invalid shardSelector: all ranges must be of the same field');
}

function parseRange(part: string): ShardRange {
  const [, field = '', first = '', last = ''] = term.exec(part) ?? [];
  if (!fields.includes(field)) throw badRequest(`invalid shardSelector: ${JSON.stringify(part)}`);
  const [start, end] = [BigInt(first), BigInt(last)];
  if (start < end && end <= maxEnd) return { field, start, end };
  throw badRequest(`invalid shardSelector: empty or too large range in ${JSON.stringify(part)}`);
}

/** Returns whether the hash of an object is in one of the ranges. */
export function matchesShards(value: JsonObject, ranges: readonly ShardRange[]): boolean {
  const [range] = ranges;
  if (range === undefined) return true;
  const hash = fnv1a64(String(own(own(value, 'metadata'), range.field) ?? ''));
  return ranges.some(({ start, end }) => start <= hash && hash < end);
}

/** Returns the 64-bit FNV-1a hash of a string. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % maxEnd;
  return hash;
}
