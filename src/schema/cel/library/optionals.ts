/** Optional values. */
import { bool, listOf, optionalOf, param } from '../check/types.ts';
import { type Functions, member, type Overload, overload } from '../environment.ts';
import {
  CelList,
  CelMap,
  CelUint,
  celList,
  Duration,
  EvaluationError,
  noSuchOverload,
  Optional,
  Timestamp,
  type Value,
} from '../values/value.ts';

/** Returns the elements of an argument that is a list. */
export function items(list: Value | undefined): readonly Value[] {
  if (!(list instanceof CelList)) throw noSuchOverload();
  return list.items;
}

const v = param('V');
const optionalV = optionalOf(v);

/** Optional values. */
export const optionals: Functions = new Map<string, readonly Overload[]>([
  ['optional.of', [overload('optional_of', [v], optionalV, ([value]) => new Optional(value))]],
  [
    'optional.ofNonZeroValue',
    [
      overload('optional_ofNonZeroValue', [v], optionalV, ([value = null]) =>
        isZeroValue(value) ? new Optional() : new Optional(value),
      ),
    ],
  ],
  ['optional.none', [overload('optional_none', [], optionalV, () => new Optional())]],
  [
    'value',
    [
      member('optional_value', [optionalV], v, ([value]) => {
        const found = optional(value).value;
        if (found === undefined) throw new EvaluationError('optional.none() dereference');
        return found;
      }),
    ],
  ],
  [
    'hasValue',
    [member('optional_hasValue', [optionalV], bool, ([value]) => optional(value).value !== undefined)],
  ],
  ['or', [member('optional_or_optional', [optionalV, optionalV], optionalV)]],
  ['orValue', [member('optional_orValue_value', [optionalV, v], v)]],
  ['first', [member('list_first', [listOf(v)], optionalV, ([list]) => new Optional(items(list)[0]))]],
  ['last', [member('list_last', [listOf(v)], optionalV, ([list]) => new Optional(items(list).at(-1)))]],
  [
    'optional.unwrap',
    [overload('optional_unwrap', [listOf(optionalV)], listOf(v), ([list]) => unwrap(list))],
  ],
  ['unwrapOpt', [member('optional_unwrapOpt', [listOf(optionalV)], listOf(v), ([list]) => unwrap(list))]],
]);

function isZeroValue(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelList) return value.items.length === 0;
  if (value instanceof CelMap) return value.entries.size === 0;
  if (value instanceof Duration) return value.nanos === 0n;
  if (value instanceof Timestamp) return value.nanos === -62_135_596_800_000_000_000n;
  return value instanceof Optional && value.value === undefined;
}

function optional(value: Value | undefined): Optional {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value;
}

function unwrap(list: Value | undefined): CelList {
  return celList(items(list).flatMap((item) => optional(item).value ?? []));
}
