import {
  type CelFunc,
  type CelInput,
  type CelList,
  CelScalar,
  celError,
  celFunc,
  celMethod,
  isCelList,
  listType,
} from '@bufbuild/cel';

const dynList = listType(CelScalar.DYN);

/** The list functions that Kubernetes adds to CEL, and the sets extension, for scalars. */
export const listFunctions: readonly CelFunc[] = [
  celMethod('isSorted', dynList, [], CelScalar.BOOL, function () {
    const items = scalars(this);
    return items.every((item, index) => index === 0 || compare(items[index - 1], item) <= 0);
  }),
  celMethod('sum', dynList, [], CelScalar.DYN, function () {
    const items = scalars(this);
    const doubles = items.some((item) => typeof item === 'number');
    return doubles
      ? items.reduce<number>((sum, item) => sum + Number(item), 0)
      : items.reduce<bigint>(add, 0n);
  }),
  celMethod('min', dynList, [], CelScalar.DYN, function () {
    return extreme(scalars(this), 'min', (order) => order < 0);
  }),
  celMethod('max', dynList, [], CelScalar.DYN, function () {
    return extreme(scalars(this), 'max', (order) => order > 0);
  }),
  celMethod('indexOf', dynList, [CelScalar.DYN], CelScalar.INT, function (wanted) {
    return BigInt(positions(this, wanted)[0] ?? -1);
  }),
  celMethod('lastIndexOf', dynList, [CelScalar.DYN], CelScalar.INT, function (wanted) {
    return BigInt(positions(this, wanted).at(-1) ?? -1);
  }),
  celFunc('sets.contains', [dynList, dynList], CelScalar.BOOL, (list, part) =>
    includesAll(scalars(list), scalars(part)),
  ),
  celFunc('sets.equivalent', [dynList, dynList], CelScalar.BOOL, (a, b) => {
    const [left, right] = [scalars(a), scalars(b)];
    return includesAll(left, right) && includesAll(right, left);
  }),
  celFunc('sets.intersects', [dynList, dynList], CelScalar.BOOL, (a, b) => {
    const right = scalars(b);
    return scalars(a).some((item) => right.includes(item));
  }),
];

type Scalar = string | number | bigint | boolean | null;

/** Returns the elements. Elements that are not scalars are not compared here. */
function scalars(list: CelList): readonly Scalar[] {
  return [...list].map((item) => {
    if (item === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof item))
      return item as Scalar; // verified by the line above
    throw celError(`unsupported list element: ${isCelList(item) ? 'list' : typeof item}`);
  });
}

function positions(list: CelList, wanted: unknown): readonly number[] {
  return scalars(list).flatMap((item, index) => (item === wanted ? [index] : []));
}

function includesAll(list: readonly Scalar[], part: readonly Scalar[]): boolean {
  return part.every((item) => list.includes(item));
}

function add(sum: bigint, item: Scalar): bigint {
  if (typeof item !== 'bigint') throw celError('unsupported operand of sum');
  return sum + item;
}

function compare(a: Scalar | undefined, b: Scalar): number {
  if (a === undefined || a === null || b === null || a === b) return 0;
  return a < b ? -1 : 1;
}

function extreme(items: readonly Scalar[], name: string, isBetter: (order: number) => boolean): CelInput {
  const [first, ...rest] = items;
  if (first === undefined) throw celError(`${name} called on empty list`);
  return rest.reduce((best, item) => (isBetter(compare(item, best)) ? item : best), first);
}
