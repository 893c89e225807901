/**
 * Members that are parsed on first access. They are own enumerable accessors that all objects share, so that
 * objects keep one hidden class. The bytes are under a symbol that is not enumerable: proxies, objects that
 * inherit the member, and copies of all property descriptors find them. Keys, spreading, cloning and
 * `JSON.stringify` treat the members like others.
 */

import type { ByteSlice } from './byte-slice.ts';

/** Parses the value of a member from its bytes. */
export type Parse = (slice: ByteSlice) => unknown;

/** Names of members that may be lazy: at most one per object. */
export type LazyName = 'managedFields' | 'fieldsV1';

/** Key of the bytes in objects with such a member. */
export const lazyKey: unique symbol = Symbol('kgen.lazy');

/** The bytes of a member, and its value once it has been parsed. */
class LazyValue {
  /** `undefined` once the value is known. */
  slice: ByteSlice | undefined;
  readonly #parse: Parse;
  #value: unknown;

  constructor(slice: ByteSlice | undefined, parse: Parse, value?: unknown) {
    this.slice = slice;
    this.#parse = parse;
    this.#value = value;
  }

  get value(): unknown {
    if (this.slice !== undefined) {
      this.#value = this.#parse(this.slice);
      this.slice = undefined;
    }
    return this.#value;
  }

  /** Copies of the property descriptors hold the same bytes, so that an assigned value is a new one. */
  with(value: unknown): LazyValue {
    return new LazyValue(undefined, this.#parse, value);
  }
}

const accessors: Readonly<Record<LazyName, PropertyDescriptor>> = {
  managedFields: accessorOf('managedFields'),
  fieldsV1: accessorOf('fieldsV1'),
};

function accessorOf(name: LazyName): PropertyDescriptor & ThisType<object> {
  return {
    get() {
      const lazy: unknown = Reflect.get(this, lazyKey);
      if (lazy instanceof LazyValue) return lazy.value;
      throw new TypeError(
        `${name} has a property descriptor of another object: copy the value, or all property descriptors`,
      );
    },
    set(value: unknown) {
      const lazy: unknown = Object.hasOwn(this, lazyKey) ? Reflect.get(this, lazyKey) : undefined;
      if (!(lazy instanceof LazyValue)) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
        return;
      }
      if (Object.isFrozen(this)) throw new TypeError(`${name} of a frozen object cannot be assigned`);
      Reflect.set(this, lazyKey, lazy.with(value));
    },
    enumerable: true,
    configurable: true,
  };
}

/**
 * Adds a member that is parsed from these bytes on first access, and again on each access if parsing throws.
 */
export function setLazy(object: object, name: LazyName, slice: ByteSlice, parse: Parse): void {
  const value = new LazyValue(slice, parse);
  Object.defineProperty(object, lazyKey, { value, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(object, name, accessors[name]);
}

/** Returns the bytes of a member that has been neither accessed nor assigned, otherwise `undefined`. */
export function untouchedSlice(object: object, name: LazyName): ByteSlice | undefined {
  const lazy: unknown = Object.hasOwn(object, lazyKey) ? Reflect.get(object, lazyKey) : undefined;
  if (!(lazy instanceof LazyValue)) return undefined;
  // The member may have been redefined.
  const isLazy = Object.getOwnPropertyDescriptor(object, name)?.get === accessors[name].get;
  return isLazy ? lazy.slice : undefined;
}
