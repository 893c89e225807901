/** Declarations that expressions can refer to. */
import type { Type } from './check/types.ts';
import type { CallCost, EstimateCost } from './cost/costs.ts';
import type { Value } from './values/value.ts';

/** One signature of a function. */
export interface Overload {
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  /** Implementation. Absent for functions that the interpreter itself evaluates. */
  readonly call?: (args: readonly Value[]) => Value;
  /** Cost before an evaluation. Default: by the function, otherwise 1. */
  readonly estimate?: EstimateCost;
  /** Cost of an evaluation. Default: by the function, otherwise 1. */
  readonly cost?: CallCost;
}

/** Functions by name. */
export type Functions = ReadonlyMap<string, readonly Overload[]>;

/** A field of a type. */
export type FieldTypes = ReadonlyMap<string, Type>;

/** Names of an expression. */
export interface Environment {
  readonly functions: Functions;
  readonly variables: ReadonlyMap<string, Type>;
  /** Fields of named types. */
  readonly structs: Pick<ReadonlyMap<string, FieldTypes>, 'get'>;
}

/** Returns the functions of several libraries: overloads of the same function are combined. */
export function combine(libraries: readonly Functions[]): Functions {
  const all = new Map<string, readonly Overload[]>();
  for (const library of libraries)
    for (const [name, overloads] of library) all.set(name, [...(all.get(name) ?? []), ...overloads]);
  return all;
}

/** Returns a function without a target. */
export function overload(
  id: string,
  args: readonly Type[],
  result: Type,
  call?: (args: readonly Value[]) => Value,
): Overload {
  return { id, isMember: false, args, result, ...(call === undefined ? {} : { call }) };
}

/** Returns a function on its first argument. */
export function member(
  id: string,
  args: readonly Type[],
  result: Type,
  call?: (args: readonly Value[]) => Value,
): Overload {
  return { ...overload(id, args, result, call), isMember: true };
}
