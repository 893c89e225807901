/** The sets extension. */
import { bool, listOf, param } from '../check/types.ts';
import { add, type EstimateCost, fixed, multiply, scale } from '../cost/costs.ts';
import { type Functions, type Overload, overload } from '../environment.ts';
import { isEqual } from '../values/equality.ts';
import { sizeOf, type Value } from '../values/value.ts';
import { items } from './optionals.ts';

const t = param('T');

/** The sets extension. */
export const sets: Functions = new Map([
  setFunction('contains', 1, includesAll),
  setFunction('equivalent', 2, (a, b) => includesAll(a, b) && includesAll(b, a)),
  setFunction('intersects', 1, (a, b) => a.some((item) => includesAll(b, [item]))),
]);

function includesAll(list: readonly Value[], part: readonly Value[]): boolean {
  return part.every((item) => list.some((other) => isEqual(item, other)));
}

function setFunction(
  name: string,
  factor: number,
  test: (a: readonly Value[], b: readonly Value[]) => boolean,
): [string, readonly Overload[]] {
  const base = overload(`list_sets_${name}_list`, [listOf(t), listOf(t)], bool, ([a, b]) =>
    test(items(a), items(b)),
  );
  const estimate: EstimateCost = (size, _target, [a, b]) =>
    a === undefined || b === undefined
      ? undefined
      : { cost: add([scale(multiply(size(a), size(b)), factor), fixed(1)]) };
  const cost = ([a = null, b = null]: readonly Value[]): number => 1 + sizeOf(a) * sizeOf(b) * factor;
  return [`sets.${name}`, [{ ...base, estimate, cost }]];
}
