/** Types of CEL and their assignability, as in cel-go. */

/** Kinds of types. */
export type Kind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'int'
  | 'string'
  | 'timestamp'
  | 'uint'
  | 'list'
  | 'map'
  | 'struct'
  | 'opaque'
  | 'type'
  | 'param';

/** A type. */
export interface Type {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly Type[];
}

export const dyn: Type = simple('dyn');

function simple(kind: Kind, name: string = kind): Type {
  return { kind, name, params: [] };
}
export const errorType: Type = simple('error', '!error!');
export const nullType: Type = simple('null');
export const bool: Type = simple('bool');
export const bytes: Type = simple('bytes');
export const double: Type = simple('double');
export const duration: Type = simple('duration');
export const int: Type = simple('int');
export const string: Type = simple('string');
export const timestamp: Type = simple('timestamp');
export const uint: Type = simple('uint');

/** Returns the type of lists with these elements. */
export function listOf(element: Type): Type {
  return { kind: 'list', name: 'list', params: [element] };
}

/** Returns the type of maps with these keys and values. */
export function mapOf(key: Type, value: Type): Type {
  return { kind: 'map', name: 'map', params: [key, value] };
}

/** Returns the type of optional values. */
export function optionalOf(value: Type): Type {
  return { kind: 'opaque', name: 'optional_type', params: [value] };
}

/** Returns the type of a type, such as `type(int)`. */
export function typeOfType(of: Type): Type {
  return { kind: 'type', name: 'type', params: [of] };
}

/** Returns a named type with fields. */
export function structOf(name: string): Type {
  return simple('struct', name);
}

/** Returns a named type without fields. */
export function opaqueOf(name: string): Type {
  return simple('opaque', name);
}

/** Returns a type parameter of a function. */
export function param(name: string): Type {
  return simple('param', name);
}

/** Returns a type as messages print it. */
export function printType(type: Type): string {
  if (type.params.length === 0 || type.kind === 'param') return type.name;
  return `${type.name}(${type.params.map(printType).join(', ')})`;
}

/** Returns whether types are the same. */
export function isSameType(a: Type, b: Type): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((item, index) => isSameType(item, b.params[index] ?? errorType)))
  );
}

/** Returns whether a type turns off checks. */
export function isDynamic(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** Returns the value type of an optional type, otherwise the type. */
export function unwrapOptional(type: Type): Type {
  return isOptional(type) ? (type.params[0] ?? dyn) : type;
}

/** Returns whether values of a type are optional values. */
export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Types of type parameters. */
export type Substitutions = ReadonlyMap<string, Type>;

/** Replaces type parameters by their types; unknown ones by dyn if `toDyn`. */
export function substitute(subs: Substitutions, type: Type, toDyn: boolean): Type {
  if (type.kind === 'param') {
    const found = subs.get(type.name);
    if (found !== undefined) return substitute(subs, found, toDyn);
    return toDyn ? dyn : type;
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((item) => substitute(subs, item, toDyn)) };
}

/**
 * Returns the substitutions with which the types of a list are assignable to those of another one, or
 * `undefined` if there are none.
 */
export function assignAll(
  subs: Substitutions,
  from: readonly Type[],
  to: readonly Type[],
): Substitutions | undefined {
  if (from.length !== to.length) return undefined;
  const copy = new Map(subs);
  return from.every((type, index) => isAssignable(copy, type, to[index] ?? errorType)) ? copy : undefined;
}

function isAssignable(subs: Map<string, Type>, from: Type, to: Type): boolean {
  if (to.kind === 'param') {
    const { valid, hasSub } = substitutes(subs, from, to);
    if (valid) return true;
    if (hasSub) return false;
  }
  if (from.kind === 'param') return substitutes(subs, to, from).valid;
  if (isDynamic(from) || isDynamic(to)) return true;
  if (from.kind === 'null') return isNullable(to);
  if (to.kind === 'null') return isNullable(from);
  switch (from.kind) {
    case 'type':
      return to.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return from.kind === to.kind && from.name === to.name && areAssignable(subs, from.params, to.params);
    default:
      return isSameType(from, to);
  }
}

function areAssignable(subs: Map<string, Type>, from: readonly Type[], to: readonly Type[]): boolean {
  return (
    from.length === to.length && from.every((type, index) => isAssignable(subs, type, to[index] ?? errorType))
  );
}

function isNullable(type: Type): boolean {
  return ['opaque', 'struct', 'duration', 'timestamp', 'null'].includes(type.kind);
}

/** Returns whether `type` can be the type of a parameter, and whether the parameter has a type already. */
function substitutes(
  subs: Map<string, Type>,
  type: Type,
  parameter: Type,
): { readonly valid: boolean; readonly hasSub: boolean } {
  if (isSameType(type, parameter)) return { valid: true, hasSub: true };
  const known = subs.get(parameter.name);
  if (known !== undefined) {
    if (isSameType(type, known)) return { valid: true, hasSub: true };
    if (!isAssignable(subs, type, known)) return { valid: false, hasSub: true };
    const general = mostGeneral(type, known);
    if (!occursIn(subs, parameter, general)) subs.set(parameter.name, general);
    return { valid: true, hasSub: true };
  }
  if (occursIn(subs, parameter, type)) return { valid: false, hasSub: false };
  subs.set(parameter.name, type);
  return { valid: true, hasSub: false };
}

function occursIn(subs: Substitutions, parameter: Type, type: Type): boolean {
  if (isSameType(parameter, type)) return true;
  if (type.kind === 'param') {
    const found = subs.get(type.name);
    return found !== undefined && occursIn(subs, parameter, found);
  }
  return type.params.some((item) => occursIn(subs, parameter, item));
}

/** Returns the more general of two types of which one is assignable to the other. */
export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.params.length === 0 && b.params.length === 0) return isSameType(a, b);
  return (
    a.name === b.name &&
    a.params.length === b.params.length &&
    a.params.every((item, index) => isLessSpecific(item, b.params[index] ?? errorType))
  );
}
