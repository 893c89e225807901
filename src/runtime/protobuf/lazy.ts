/**
 * Members that become values when somebody looks at them. They are own enumerable accessors, the same two functions for all
 * objects, so that objects keep one shape; what they stand for is in a private slot of the object, which works for frozen
 * ones too. Keys, spreading, cloning and `JSON.stringify` see them as they see any member.
 */

import type { Piece } from './piece.ts';

/** A class whose fields are put on an object that is there already. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point of the class.
    return object;
  }
}

/** Makes the value of a member from the bytes it came as. */
export type Parse = (piece: Piece) => unknown;

/** A name of a member that may be lazy: at most one of an object. */
export type LazyName = 'managedFields' | 'fieldsV1';

class Slot extends Given {
  #piece: Piece | undefined;
  #value: unknown;
  readonly #parse: Parse;

  constructor(object: object, piece: Piece, parse: Parse) {
    super(object);
    this.#piece = piece;
    this.#parse = parse;
  }

  /** The object itself, or the one that it inherits the member from. A proxy has no slot, and cannot be looked behind. */
  static of(object: object, name: LazyName): Slot {
    for (let at: object | null = object; at !== null; at = Object.getPrototypeOf(at))
      if (#piece in at) return at;
    throw new TypeError(
      `${name} of an object that came as protobuf can be read of the object itself, not through a proxy or with its ` +
        "property descriptor: make a plain copy first, as structuredClone does, or use `encoding: 'json'`",
    );
  }

  static read(slot: Slot): unknown {
    if (slot.#piece !== undefined) {
      slot.#value = slot.#parse(slot.#piece);
      slot.#piece = undefined;
    }
    return slot.#value;
  }

  static write(object: object, name: LazyName, value: unknown): void {
    if (#piece in object) {
      if (Object.isFrozen(object)) throw new TypeError(`${name} of a frozen object cannot be assigned`);
      object.#value = value;
      object.#piece = undefined;
    } else
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  }

  static piece(object: object): Piece | undefined {
    return #piece in object ? object.#piece : undefined;
  }
}

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

const accessors: Readonly<Record<LazyName, PropertyDescriptor>> = {
  managedFields: accessorOf('managedFields'),
  fieldsV1: accessorOf('fieldsV1'),
};

/** Gives an object a member that is made of these bytes when it is read first, and again each time if that throws. */
export function setLazy(object: object, name: LazyName, piece: Piece, parse: Parse): void {
  new Slot(object, piece, parse);
  Object.defineProperty(object, name, accessors[name]);
}

/** The bytes of a member that nobody has looked at and that was not assigned; `undefined` of any other. */
export function untouchedPiece(object: object, name: LazyName): Piece | undefined {
  const piece = Slot.piece(object);
  if (piece === undefined) return undefined;
  // Somebody may have defined the member anew.
  return Object.getOwnPropertyDescriptor(object, name)?.get === accessors[name].get ? piece : undefined;
}
