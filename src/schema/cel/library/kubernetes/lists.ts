/** Functions of lists and of two-variable loops. */

import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  param,
  string,
  type Type,
  timestamp,
  uint,
} from '../../check/types.ts';
import {
  add,
  anySize,
  type EstimateCost,
  fixed,
  multiply,
  type Range,
  type SizedNode,
  scale,
} from '../../cost/costs.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { compare, isEqual } from '../../values/equality.ts';
import {
  CelList,
  CelMap,
  celList,
  celUint,
  Duration,
  EvaluationError,
  isMapKey,
  noSuchOverload,
  sizeOf,
  typeNameOf,
  type Value,
} from '../../values/value.ts';
import { plus } from '../arithmetic.ts';
import { items } from '../optionals.ts';
import { integer } from '../strings.ts';

const t = param('T');
const comparable: readonly (readonly [string, Type])[] = [
  ['int', int],
  ['uint', uint],
  ['double', double],
  ['bool', bool],
  ['duration', duration],
  ['timestamp', timestamp],
  ['string', string],
  ['bytes', bytes],
];

const zeros: Readonly<Record<string, Value>> = {
  int: 0n,
  uint: celUint(0n),
  double: 0,
  duration: new Duration(0n),
};

const sized = (_args: readonly Value[], result: Value): number => createdCost(1, sizeOf(result));

function createdCost(factor: number, size: number): number {
  return Math.floor(size * factor) + 11;
}

const sliceOverload: Overload = {
  ...member('list_slice', [listOf(t), int, int], listOf(t), ([list, start, end]) =>
    slice(items(list), integer(start), integer(end)),
  ),
  estimate: (size, target, args) => {
    if (target === undefined) return undefined;
    return created(1, fixed(Math.max(constantOf(args[1], size(target).max) - constantOf(args[0], 0), 0)));
  },
  cost: sized,
};

function slice(list: readonly Value[], start: number, end: number): CelList {
  const call = `cannot slice(${start}, ${end}), `;
  if (start < 0 || end < 0) throw new EvaluationError(`${call}negative indexes not supported`);
  if (start > end) throw new EvaluationError(`${call}start index must be less than or equal to end index`);
  if (list.length < end) throw new EvaluationError(`${call}list is length ${list.length}`);
  return celList(list.slice(start, end));
}

/** Cost of a function that creates a list. */
function created(factor: number, size: Range): ReturnType<EstimateCost> {
  return { cost: add([scale(size, factor), fixed(11)]), size };
}

/** Returns the value of a constant integer. */
function constantOf(node: SizedNode | undefined, otherwise: number): number {
  const expr = node?.expr;
  if (expr?.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise;
  return Math.max(Number(expr.value), 0);
}

/** Functions of Kubernetes' list library, of the lists extension 3, and of two-variable loops. */
export const lists: Functions = new Map<string, readonly Overload[]>([
  [
    'isSorted',
    comparable.map(([name, type]) =>
      member(`list_${name}_is_sorted_bool`, [listOf(type)], bool, ([list]) => isSorted(items(list))),
    ),
  ],
  [
    'sum',
    comparable
      .filter(([name]) => name in zeros)
      .map(([name, type]) =>
        member(`list_${name}_sum_${name}`, [listOf(type)], type, ([list]) =>
          items(list).reduce((sum, item) => plus(sum, item), zeros[name] ?? null),
        ),
      ),
  ],
  ...(['max', 'min'] as const).map((name): [string, readonly Overload[]] => [
    name,
    comparable.map(([type, of]) =>
      member(`list_${type}_${name}_${type}`, [listOf(of)], of, ([list]) =>
        extreme(name, items(list), name === 'max' ? 1 : -1),
      ),
    ),
  ]),
  [
    'indexOf',
    [
      member('list_a_index_of_int', [listOf(t), t], int, ([list, item]) =>
        positionOf(items(list), item ?? null),
      ),
    ],
  ],
  [
    'lastIndexOf',
    [
      member('list_a_last_index_of_int', [listOf(t), t], int, ([list, item]) =>
        lastPositionOf(items(list), item ?? null),
      ),
    ],
  ],
  ['slice', [sliceOverload]],
  [
    'flatten',
    [
      flattenOverload('list_flatten', [listOf(listOf(t))], listOf(t)),
      flattenOverload('list_flatten_int', [listOf(dyn), int], listOf(dyn)),
    ],
  ],
  [
    'sort',
    comparable.map(([, type]) =>
      pairwise(
        member(`list_${type.name}_sort`, [listOf(type)], listOf(type), ([list]) =>
          sortedBy(items(list), items(list)),
        ),
        0,
        type,
      ),
    ),
  ],
  [
    '@sortByAssociatedKeys',
    comparable.map(([, type]) =>
      pairwise(
        member(
          `list_${type.name}_sortByAssociatedKeys`,
          [listOf(t), listOf(type)],
          listOf(t),
          ([list, keys]) => sortedBy(items(list), items(keys)),
        ),
        1,
        type,
      ),
    ),
  ],
  [
    'lists.range',
    [
      {
        ...overload('lists_range', [int], listOf(int), ([count]) =>
          celList(Array.from({ length: Math.max(integer(count), 0) }, (_, index) => BigInt(index))),
        ),
        estimate: (_size, _target, [count]) => created(1, fixed(constantOf(count, 2 ** 64))),
        cost: sized,
      },
    ],
  ],
  [
    'reverse',
    [
      {
        ...member('list_reverse', [listOf(t)], listOf(t), ([list]) => celList(items(list).toReversed())),
        estimate: (size, target) => (target === undefined ? undefined : created(1, size(target))),
        cost: sized,
      },
    ],
  ],
  [
    'distinct',
    [
      pairwise(
        member('list_distinct', [listOf(t)], listOf(t), ([list]) => distinct(items(list))),
        0,
        undefined,
      ),
    ],
  ],
  [
    'cel.@mapInsert',
    [
      overload(
        '@mapInsert_map_key_value',
        [mapOf(param('K'), param('V')), param('K'), param('V')],
        mapOf(param('K'), param('V')),
        ([map, key = null, value = null]) => mapInsert(map, [[key, value]]),
      ),
      overload(
        '@mapInsert_map_map',
        [mapOf(param('K'), param('V')), mapOf(param('K'), param('V'))],
        mapOf(param('K'), param('V')),
        ([map, more]) => mapInsert(map, more instanceof CelMap ? more.entries.values() : []),
      ),
    ],
  ],
]);

function isSorted(list: readonly Value[]): boolean {
  return list.every((item, index) => index === 0 || compare(list[index - 1] ?? null, item) <= 0);
}

function extreme(name: string, list: readonly Value[], sign: number): Value {
  if (list.length === 0) throw new EvaluationError(`${name} called on empty list`);
  return list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best));
}

function positionOf(list: readonly Value[], expected: Value): bigint {
  return BigInt(list.findIndex((item) => isEqual(item, expected)));
}

function lastPositionOf(list: readonly Value[], expected: Value): bigint {
  return BigInt(list.findLastIndex((item) => isEqual(item, expected)));
}

function sortedBy(list: readonly Value[], keys: readonly Value[]): CelList {
  if (list.length !== keys.length)
    throw new EvaluationError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  const type = keys[0] === undefined ? '' : typeNameOf(keys[0]);
  if (keys.some((key) => typeNameOf(key) !== type))
    throw new EvaluationError('list elements must have the same type');
  const pairs = list.map((item, index): [Value, Value] => [keys[index] ?? null, item]);
  return celList(pairs.sort(([a], [b]) => compare(a, b)).map(([, item]) => item));
}

function distinct(list: readonly Value[]): CelList {
  const found: Value[] = [];
  for (const item of list) if (!found.some((other) => isEqual(item, other))) found.push(item);
  return celList(found);
}

/** Returns an overload with the costs of a function that compares all pairs of elements. */
function pairwise(base: Overload, keys: number, element: Type | undefined): Overload {
  const isText = element?.kind === 'string' || element?.kind === 'bytes';
  return {
    ...base,
    estimate: (size, target, args) => {
      const node = keys === 0 ? target : args[0];
      const range = node === undefined ? anySize : size(node);
      return created(isText ? 2.1 : 2, multiply(range, range));
    },
    cost: (args) => {
      const list = items(args[keys]);
      const isString = typeof list[0] === 'string' || list[0] instanceof Uint8Array;
      return createdCost(isString ? 2.1 : 2, list.length ** 2);
    },
  };
}

function flattenOverload(id: string, args: readonly Type[], result: Type): Overload {
  return {
    ...member(id, args, result, ([list, depth]) =>
      celList(flatten(items(list), depth === undefined ? 1 : integer(depth))),
    ),
    estimate: (size, target, [depth]) =>
      target === undefined
        ? undefined
        : created(depth === undefined ? 1 : constantOf(depth, 2 ** 64), size(target)),
    cost: ([list, depth]) => createdCost(depth === undefined ? 1 : integer(depth), items(list).length),
  };
}

function flatten(list: readonly Value[], depth: number): readonly Value[] {
  if (depth < 0) throw new EvaluationError('level must be non-negative');
  return list.flatMap((item) =>
    item instanceof CelList && depth > 0 ? flatten(item.items, depth - 1) : [item],
  );
}

function mapInsert(map: Value | undefined, entries: Iterable<readonly [Value, Value]>): CelMap {
  if (!(map instanceof CelMap)) throw noSuchOverload();
  const all = [...map.entries.values()];
  for (const [key, value] of entries) {
    if (!isMapKey(key)) throw noSuchOverload();
    if (all.some(([other]) => isEqual(other, key)))
      throw new EvaluationError(`insert failed: key ${String(key)} already exists`);
    all.push([key, value]);
  }
  return new CelMap(all);
}
