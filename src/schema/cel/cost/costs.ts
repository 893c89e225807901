/** Arithmetic of costs and sizes: ranges of integers that do not overflow. */
import type { Type } from '../check/types.ts';
import type { Expr } from '../syntax/ast.ts';
import type { Value } from '../values/value.ts';

/** Smallest and largest cost or size. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The largest cost, and the size of values without a limit. */
export const unlimited: number = 2 ** 64;

/** Costs of operations, as in cel-go. */
export const createListCost = 10;
export const createMapCost = 30;
export const createStructCost = 40;
export const stringFactor = 0.1;
export const regexFactor = 0.25;

/** An operand whose size may be estimated. */
export interface SizedNode {
  readonly expr: Expr | undefined;
  readonly type: Type;
  /** Fields from a variable to the operand. */
  readonly path: readonly string[] | undefined;
  /** Size by the expression itself. `undefined` if it is unknown. */
  readonly size: Range | undefined;
}

/** Estimated cost of a call, and the size of its result. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

/** Estimates the size of a value by its path and type. */
export type EstimateSize = (node: Pick<SizedNode, 'path' | 'type'>) => Range | undefined;

/** Estimates the cost of a call without that of its arguments. */
export type EstimateCost = (
  sizeOf: (node: SizedNode) => Range,
  target: SizedNode | undefined,
  args: readonly SizedNode[],
) => CallEstimate | undefined;

/** Returns the cost of a call with these arguments. */
export type CallCost = (args: readonly Value[], result: Value) => number | undefined;

/** Returns a range of one value. */
export function fixed(value: number): Range {
  return { min: value, max: value };
}

export const anySize: Range = { min: 0, max: unlimited };

/** Returns the sum of ranges. */
export function add(ranges: readonly Range[]): Range {
  return ranges.reduce(
    (sum, { min, max }) => ({ min: cap(sum.min + min), max: cap(sum.max + max) }),
    fixed(0),
  );
}

/** Returns the product of two ranges. */
export function multiply(a: Range, b: Range): Range {
  return { min: cap(a.min * b.min), max: cap(a.max * b.max) };
}

/** Returns a range multiplied by a factor, rounded up. */
export function scale({ min, max }: Range, factor: number): Range {
  return { min: cap(Math.ceil(min * factor)), max: cap(Math.ceil(max * factor)) };
}

/** Returns the range that includes both ranges. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function cap(value: number): number {
  return Math.min(value, unlimited);
}

/** Sizes of the keys and values of a list or map. */
export interface EntrySizes {
  readonly isList: boolean;
  readonly key: Range;
  readonly value: Range;
}

/** Returns the sizes of the elements of either of two operands. */
export function unionEntries(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { isList: a.isList, key: union(a.key, b.key), value: union(a.value, b.value) };
}
