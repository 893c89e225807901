/** Members of objects of JSON, whatever their names, with integers beyond 2^53 as they were read. */

import { int64, setInt64 } from '@kgen/runtime/objects';

/** Returns an own member; a bigint for an integer that a number cannot represent. */
export function exactMember(holder: object, key: string | number): unknown {
  const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const exact = int64(holder, [key]);
  // Larger integers are floating-point numbers for API servers.
  return exact !== undefined && BigInt.asIntN(64, exact) === exact ? exact : value;
}

/** Sets an own member to a value of `exactMember`; `undefined` removes it. */
export function setExactMember(holder: object, key: string | number, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(holder, key);
  else if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) setInt64(holder, [key], value);
  else Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Returns an object with other members in place of its own; those that are `undefined` are removed. */
export function withMembers(object: object, members: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...object };
  for (const key of Object.keys(members)) setExactMember(result, key, exactMember(members, key));
  return result;
}
