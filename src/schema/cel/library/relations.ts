/** Comparisons, membership, logic and sizes. */
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  optionalOf,
  param,
  string,
  type Type,
  timestamp,
  uint,
} from '../check/types.ts';
import { type Functions, member, type Overload, overload } from '../environment.ts';
import { compare, isEqual } from '../values/equality.ts';
import { CelList, CelMap, CelObject, noSuchOverload, sizeOf, type Value } from '../values/value.ts';

const [a, b] = [param('A'), param('B')];

const numeric: readonly (readonly [string, Type])[] = [
  ['int64', int],
  ['uint64', uint],
  ['double', double],
];

const ordered: readonly (readonly [string, Type])[] = [
  ['bool', bool],
  ['string', string],
  ['bytes', bytes],
  ['timestamp', timestamp],
  ['duration', duration],
];

const membership = ([item = null, container = null]: readonly Value[]): Value => contains(item, container);

function contains(item: Value, container: Value): boolean {
  if (container instanceof CelList) return container.items.some((other) => isEqual(item, other));
  if (container instanceof CelMap) return container.get(item) !== undefined;
  if (container instanceof CelObject) return typeof item === 'string' && container.get(item) !== undefined;
  throw noSuchOverload();
}
const size = ([value = null]: readonly Value[]): Value => BigInt(sizeOf(value));

/** Functions that the interpreter evaluates. */
const special: readonly (readonly [string, readonly Overload[]])[] = [
  ['_?_:_', [overload('conditional', [bool, a, a], a)]],
  ['_&&_', [overload('logical_and', [bool, bool], bool)]],
  ['_||_', [overload('logical_or', [bool, bool], bool)]],
  ['@not_strictly_false', [overload('not_strictly_false', [bool], bool)]],
  [
    '_[_]',
    [
      overload('index_list', [listOf(a), int], a),
      overload('index_map', [mapOf(a, b), a], b),
      overload('optional_list_index_int', [optionalOf(listOf(a)), int], optionalOf(a)),
      overload('optional_map_index_value', [optionalOf(mapOf(a, b)), a], optionalOf(b)),
    ],
  ],
  [
    '_[?_]',
    [
      overload('list_optindex_optional_int', [listOf(a), int], optionalOf(a)),
      overload('optional_list_optindex_optional_int', [optionalOf(listOf(a)), int], optionalOf(a)),
      overload('map_optindex_optional_value', [mapOf(a, b), a], optionalOf(b)),
      overload('optional_map_optindex_optional_value', [optionalOf(mapOf(a, b)), a], optionalOf(b)),
    ],
  ],
  ['_?._', [overload('select_optional_field', [dyn, string], optionalOf(a))]],
];

const sized: readonly (readonly [string, Type])[] = [
  ['bytes', bytes],
  ['list', listOf(a)],
  ['map', mapOf(a, b)],
  ['string', string],
];

/** Operators besides arithmetic, and `size`. */
export const relations: Functions = new Map<string, readonly Overload[]>([
  ...special,
  ['!_', [overload('logical_not', [bool], bool, ([value]) => value === false)]],
  ['_==_', equality('equals', true)],
  ['_!=_', equality('not_equals', false)],
  ['_<_', comparison('less', (order) => order < 0)],
  ['_<=_', comparison('less_equals', (order) => order <= 0)],
  ['_>_', comparison('greater', (order) => order > 0)],
  ['_>=_', comparison('greater_equals', (order) => order >= 0)],
  [
    '@in',
    [
      overload('in_list', [a, listOf(a)], bool, membership),
      overload('in_map', [a, mapOf(a, b)], bool, membership),
    ],
  ],
  [
    'size',
    sized.flatMap(([name, type]) => [
      overload(`size_${name}`, [type], int, size),
      member(`${name}_size`, [type], int, size),
    ]),
  ],
]);

/** Returns a comparison: of equal types, and of numbers of different types. */
function comparison(name: string, accepts: (order: number) => boolean): readonly Overload[] {
  const same = [...ordered, ...numeric].map(([type, t]): [string, Type, Type] => [`${name}_${type}`, t, t]);
  const mixed = numeric.flatMap(([left, x]) =>
    numeric
      .filter(([right]) => right !== left)
      .map(([right, y]): [string, Type, Type] => [`${name}_${left}_${right}`, x, y]),
  );
  return [...same, ...mixed].map(([id, left, right]) =>
    overload(id, [left, right], bool, ([x = null, y = null]) => accepts(compare(x, y))),
  );
}

function equality(id: string, expected: boolean): readonly Overload[] {
  return [overload(id, [a, a], bool, ([x = null, y = null]) => isEqual(x, y) === expected)];
}
