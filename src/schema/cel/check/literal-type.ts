import { CelUint, type Value } from '../values/value.ts';
import { bool, bytes, double, dyn, int, nullType, string, type Type, uint } from './types.ts';

/** Returns the type of a constant. */
export function literalType(value: Value): Type {
  if (value === null) return nullType;
  if (value instanceof Uint8Array) return bytes;
  if (value instanceof CelUint) return uint;
  switch (typeof value) {
    case 'boolean':
      return bool;
    case 'bigint':
      return int;
    case 'number':
      return double;
    case 'string':
      return string;
    default:
      return dyn;
  }
}
