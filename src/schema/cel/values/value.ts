/** Values of CEL: int is a bigint, double a number, bytes a Uint8Array; the other types are classes. */

/** A value of an expression. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelList
  | CelMap
  | CelObject
  | Timestamp
  | Duration
  | Optional
  | TypeValue
  | Opaque;

/** Key of a map. */
export type MapKey = boolean | bigint | number | string | CelUint;

/** Error of an evaluation, such as `no such key: a`. */
export class EvaluationError extends Error {}

/** Thrown when an evaluation costs more than its limit. */
export class CostLimitError extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/** Returns the error of a function whose arguments have no matching overload. */
export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

/** An unsigned integer. */
export class CelUint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** Returns an unsigned integer. */
export function celUint(value: bigint): CelUint {
  return new CelUint(value);
}

/** How a list of a schema compares and concatenates: by position, as a set, or by the keys of its items. */
export interface ListIdentity {
  readonly type: 'set' | 'map';
  readonly keys: readonly string[];
}

/** A list. */
export class CelList {
  readonly items: readonly Value[];
  readonly identity: ListIdentity | undefined;

  constructor(items: readonly Value[], identity?: ListIdentity) {
    this.items = items;
    this.identity = identity;
  }
}

/** Returns a list whose items are identified by their positions. */
export function celList(items: readonly Value[]): CelList {
  return new CelList(items);
}

/** A map. Numeric keys of different types are equal if their values are. */
export class CelMap {
  readonly entries: ReadonlyMap<string, readonly [MapKey, Value]>;

  constructor(entries: Iterable<readonly [MapKey, Value]>) {
    this.entries = new Map([...entries].map((entry) => [hashOf(entry[0]), entry]));
  }

  get(key: Value): Value | undefined {
    return isMapKey(key) ? this.entries.get(hashOf(key))?.[1] : undefined;
  }
}

/** Returns whether a value can be the key of a map. */
export function isMapKey(value: Value): value is MapKey {
  return (
    typeof value === 'string' ||
    typeof value === 'bigint' ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    value instanceof CelUint
  );
}

function hashOf(key: MapKey): string {
  if (typeof key === 'string') return `s${key}`;
  return key instanceof CelUint ? `n${key.value}` : `${typeof key === 'boolean' ? 'b' : 'n'}${key}`;
}

/** An object of a schema or of the server. Its fields are converted when they are read. */
export class CelObject {
  readonly typeName: string;
  readonly #read: (name: string) => Value | undefined;
  readonly #cache = new Map<string, Value | undefined>();
  /** Names of the fields that are set. */
  readonly names: () => readonly string[];
  /** Number of members in JSON, also of those without a schema. */
  readonly size: number;

  constructor(
    typeName: string,
    names: () => readonly string[],
    read: (name: string) => Value | undefined,
    size = 1,
  ) {
    this.typeName = typeName;
    this.names = names;
    this.size = size;
    this.#read = read;
  }

  get(name: string): Value | undefined {
    if (!this.#cache.has(name)) this.#cache.set(name, this.#read(name));
    return this.#cache.get(name);
  }
}

/** A point in time, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A duration in nanoseconds. */
export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A value or nothing. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value?: Value) {
    this.value = value;
  }
}

/** A type as a value, such as `int`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Base of the types of extension libraries. */
export abstract class Opaque {
  abstract readonly typeName: string;
  abstract equals(other: Opaque): boolean;
  /** Size for the cost of functions. 1 for values without a size. */
  get size(): number {
    return 1;
  }
}

/** Returns the name of the type of a value. */
export function typeNameOf(value: Value): string {
  if (value === null) return 'null_type';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<Value, null | boolean | bigint | number | string>): string {
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelObject) return value.typeName;
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  return value instanceof TypeValue ? 'type' : value.typeName;
}

/** Returns the size of a value, as the costs of functions count it: characters, bytes or elements. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof CelList) return value.items.length;
  if (value instanceof CelMap) return value.entries.size;
  if (value instanceof CelObject) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  return value instanceof Opaque ? value.size : 1;
}

/** Returns the number of Unicode characters. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
