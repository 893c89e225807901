/** Shard selectors, the CEL expressions of the feature gate ShardedListAndWatch: parser and matching. */

import type { Expr } from '@kgen/schema/cel/syntax/ast';
import { CompileError } from '@kgen/schema/cel/syntax/issues';
import { parseExpression } from '@kgen/schema/cel/syntax/parser';
import { CelUint } from '@kgen/schema/cel/values/value';
import { type JsonObject, own } from '@kgen/schema/values/json';
import { Failure } from '../errors/status.ts';

/** Range of hashes of one field. */
interface ShardRange {
  /** `object.metadata.uid` or `object.metadata.namespace`. */
  readonly field: string;
  readonly start: string;
  readonly end: string;
  /** Hashes from `start` up to but excluding `end`. */
  readonly contains: (hash: bigint) => boolean;
}

/**
 * Parses a shard selector: `shardRange(field, start, end)`, of one field and joined by `||`.
 * @returns an empty list for an empty selector, which selects all objects
 * @throws {Failure} 500 without a reason, as the API server
 */
export function parseShardSelector(selector: string): readonly ShardRange[] {
  if (selector === '') return [];
  const expression = selector.trim();
  if (expression === '')
    throw invalidSelector('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const ranges = rangesIn(parsed(expression));
  const [first] = ranges;
  const other = ranges.find(({ field }) => field !== first?.field);
  if (first === undefined || other === undefined) return ranges;
  throw invalidSelector(
    `all shard ranges must use the same field, got ${JSON.stringify(first.field)} and ${JSON.stringify(other.field)}`,
  );
}

function invalidSelector(why: string): Failure {
  return new Failure({ code: 500, message: `invalid shard selector: ${why}` });
}

function parsed(expression: string): Expr {
  try {
    return parseExpression(expression);
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    throw invalidSelector(`CEL parse error: ${error.issues[0]?.message ?? error.message}`);
  }
}

function rangesIn(expression: Expr): readonly ShardRange[] {
  if (expression.kind !== 'call')
    throw invalidSelector(
      `unexpected expression kind ${kindOf(expression)}; expected shardRange() call or || operator`,
    );
  if (expression.name === '_||_') return expression.args.flatMap(rangesIn);
  if (expression.name === 'shardRange') return [rangeOf(expression.args)];
  throw invalidSelector(
    `unsupported function ${JSON.stringify(expression.name)}; only shardRange() and || are allowed`,
  );
}

/** The numbers of cel-go, which its messages contain. */
const kinds: Readonly<Record<Expr['kind'], number>> = {
  call: 1,
  comprehension: 2,
  ident: 3,
  list: 4,
  literal: 5,
  map: 6,
  select: 7,
  struct: 8,
};

function kindOf(expression: Expr | undefined): number {
  return expression === undefined ? 0 : kinds[expression.kind];
}

function rangeOf(parts: readonly Expr[]): ShardRange {
  const [fieldPart, startPart, endPart] = parts;
  if (parts.length !== 3)
    throw invalidSelector(`shardRange() requires exactly 3 arguments, got ${parts.length}`);
  const field = fieldPath(fieldPart);
  if (field !== 'object.metadata.uid' && field !== 'object.metadata.namespace')
    throw invalidSelector(
      `unsupported field path ${JSON.stringify(field)}; supported: object.metadata.uid, object.metadata.namespace`,
    );
  const [start, end] = [hexOf(startPart, 'hexStart'), hexOf(endPart, 'hexEnd')];
  const [first, last] = [BigInt(start), BigInt(end)];
  if (first < last) return { field, start, end, contains: (hash) => first <= hash && hash < last };
  throw invalidSelector(`shard range start ${start} must be less than end ${end}`);
}

function fieldPath(expression: Expr | undefined): string {
  if (expression?.kind === 'ident') return expression.name;
  if (expression?.kind === 'select') return `${fieldPath(expression.operand)}.${expression.field}`;
  throw invalidSelector(
    `shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ${kindOf(expression)}`,
  );
}

function hexOf(expression: Expr | undefined, name: string): string {
  const value = literalOf(expression, name);
  const quoted = JSON.stringify(value);
  const digits = value.slice(2);
  if (!value.startsWith('0x')) throw invalidSelector(`${name} must have '0x' prefix, got ${quoted}`);
  if (digits === '') throw invalidSelector(`${name}: hex value is required after '0x'`);
  if (digits.length > 17)
    throw invalidSelector(
      `${name}: hex value too long (${digits.length} chars, max 17): ${JSON.stringify(digits)}`,
    );
  const wrong = /[^0-9a-f]/.exec(digits);
  if (wrong !== null)
    throw invalidSelector(`${name}: invalid hex character ${JSON.stringify(wrong[0])} in ${quoted}`);
  if (digits.length === 16 || value === '0x10000000000000000') return value;
  if (digits.length === 17)
    throw invalidSelector(`${name}: 17-digit hex value must be '0x10000000000000000' (2^64), got ${quoted}`);
  throw invalidSelector(
    `${name} must be a 0x-prefixed 16-digit hex value, got ${quoted} (did you mean "0x${digits.padStart(16, '0')}"?)`,
  );
}

function literalOf(expression: Expr | undefined, name: string): string {
  if (expression?.kind !== 'literal')
    throw invalidSelector(
      `${name} must be a string literal (e.g. '0xff'), got expression kind ${kindOf(expression)}`,
    );
  if (typeof expression.value === 'string') return expression.value;
  throw invalidSelector(`${name} must be a string literal, got ${literalType(expression.value)}`);
}

/** Returns the type of Go that the messages about literals contain. */
function literalType(value: Extract<Expr, { readonly kind: 'literal' }>['value']): string {
  if (value === null) return 'structpb.NullValue';
  if (value instanceof Uint8Array) return '[]uint8';
  if (value instanceof CelUint) return 'uint64';
  return typeof value === 'bigint' ? 'int64' : typeof value === 'number' ? 'float64' : 'bool';
}

/** Returns a selector in the form of the `shardInfo` of lists. */
export function printShardSelector(ranges: readonly ShardRange[]): string {
  return ranges.map(({ field, start, end }) => `shardRange(${field}, '${start}', '${end}')`).join(' || ');
}

/** Returns whether the hash of an object is in one of the ranges. */
export function matchesShards(value: JsonObject, ranges: readonly ShardRange[]): boolean {
  const [range] = ranges;
  if (range === undefined) return true;
  const name = range.field.slice('object.metadata.'.length);
  const hash = fnv1a64(String(own(own(value, 'metadata'), name) ?? ''));
  return ranges.some(({ contains }) => contains(hash));
}

const maxHash = 2n ** 64n;

/** Returns the 64-bit FNV-1a hash of a string. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) % maxHash;
  return hash;
}
