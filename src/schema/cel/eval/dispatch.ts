import type { Type } from '../check/types.ts';
import type { Overload } from '../environment.ts';
import {
  CelList,
  CelMap,
  CelObject,
  CelUint,
  Duration,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from '../values/value.ts';

/** Returns whether the values have the types of an overload, as far as values show them. */
export function matchesOverload({ args }: Overload, values: readonly Value[]): boolean {
  return args.length === values.length && args.every((type, index) => hasType(values[index] ?? null, type));
}

function hasType(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'null':
      return value === null;
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    default:
      return isInstance(value, type);
  }
}

function isInstance(value: Value, { kind, name, params }: Type): boolean {
  switch (kind) {
    case 'bytes':
      return value instanceof Uint8Array;
    case 'uint':
      return value instanceof CelUint;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'type':
      return value instanceof TypeValue;
    case 'list':
      return value instanceof CelList && value.items.every((item) => hasType(item, params[0] ?? anyType));
    case 'map':
      return value instanceof CelMap || value instanceof CelObject;
    default:
      return name === 'optional_type'
        ? value instanceof Optional
        : (value instanceof Opaque || value instanceof CelObject) && value.typeName === name;
  }
}

const anyType: Type = { kind: 'dyn', name: 'dyn', params: [] };
