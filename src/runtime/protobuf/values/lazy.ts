/**
 * Members that are parsed on first access. They are own enumerable accessors that all objects share, so that
 * objects keep one hidden class; their bytes are in a private slot of the object, which works for frozen
 * objects too. Keys, spreading, cloning and `JSON.stringify` treat them like other members.
 */

import type { ByteSlice } from '../wire/byte-slice.ts';

/** A class whose private fields are added to an existing object. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point of the class.
    return object;
  }
}

/** Parses the value of a member from its bytes. */
export type Parse = (slice: ByteSlice) => unknown;

/** Names of members that may be lazy: at most one per object. */
export type LazyName = 'managedFields' | 'fieldsV1';

class Slot extends Given {
  #slice: ByteSlice | undefined;
  #value: unknown;
  readonly #parse: Parse;

  constructor(object: object, slice: ByteSlice, parse: Parse) {
    super(object);
    this.#slice = slice;
    this.#parse = parse;
  }

  /**
   * Returns the slot of the object itself, or of the object that it inherits the member from. A proxy has no
   * slot.
   */
  static of(object: object, name: LazyName): Slot {
    for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at))
      if (#slice in at) return at;
    throw new TypeError(
      `${name} of an object that came as protobuf can be read of the object itself, not through a proxy or with its ` +
        "property descriptor: make a plain copy first, as structuredClone does, or use `encoding: 'json'`",
    );
  }

  static read(slot: Slot): unknown {
    if (slot.#slice !== undefined) {
      slot.#value = slot.#parse(slot.#slice);
      slot.#slice = undefined;
    }
    return slot.#value;
  }

  static write(object: object, name: LazyName, value: unknown): void {
    if (#slice in object) {
      if (Object.isFrozen(object)) throw new TypeError(`${name} of a frozen object cannot be assigned`);
      object.#value = value;
      object.#slice = undefined;
    } else
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  }

  static slice(object: object): ByteSlice | undefined {
    return #slice in object ? object.#slice : undefined;
  }
}

const accessors: Readonly<Record<LazyName, PropertyDescriptor>> = {
  managedFields: accessorOf('managedFields'),
  fieldsV1: accessorOf('fieldsV1'),
};

function accessorOf(name: LazyName): PropertyDescriptor & ThisType<object> {
  return {
    get() {
      return Slot.read(Slot.of(this, name));
    },
    set(value: unknown) {
      Slot.write(this, name, value);
    },
    enumerable: true,
    configurable: true,
  };
}

/**
 * Adds a member that is parsed from these bytes on first access, and again on each access if parsing throws.
 */
export function setLazy(object: object, name: LazyName, slice: ByteSlice, parse: Parse): void {
  new Slot(object, slice, parse);
  Object.defineProperty(object, name, accessors[name]);
}

/** Returns the bytes of a member that has been neither accessed nor assigned, otherwise `undefined`. */
export function untouchedSlice(object: object, name: LazyName): ByteSlice | undefined {
  const slice = Slot.slice(object);
  if (slice === undefined) return undefined;
  // The member may have been redefined.
  return Object.getOwnPropertyDescriptor(object, name)?.get === accessors[name].get ? slice : undefined;
}
