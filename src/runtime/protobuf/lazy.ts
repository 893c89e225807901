/**
 * Members that become values when somebody looks at them. They are own enumerable accessors, the same two functions for all
 * objects, so that objects keep one shape; what they stand for is in a private slot of the object, which works for frozen
 * ones too. Keys, spreading, cloning and `JSON.stringify` see them as they see any member.
 */

/** A class whose fields are put on an object that is there already. */
class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is the point of the class.
    return object;
  }
}

/** Makes the value of a member from the bytes it came as, each of which is a character. */
export type Parse = (bytes: string) => unknown;

/** A name of a member that may be lazy: at most one of an object. */
export type LazyName = 'managedFields' | 'fieldsV1';

class Slot extends Given {
  #bytes: string | undefined;
  #value: unknown;
  readonly #parse: Parse;

  constructor(object: object, bytes: string, parse: Parse) {
    super(object);
    this.#bytes = bytes;
    this.#parse = parse;
  }

  static read(slot: Slot): unknown {
    if (slot.#bytes !== undefined) {
      slot.#value = slot.#parse(slot.#bytes);
      slot.#bytes = undefined;
    }
    return slot.#value;
  }

  static write(slot: Slot, value: unknown): void {
    slot.#value = value;
    slot.#bytes = undefined;
  }

  static bytes(object: object): string | undefined {
    return #bytes in object ? object.#bytes : undefined;
  }
}

const accessor: PropertyDescriptor & ThisType<Slot> = {
  get() {
    return Slot.read(this);
  },
  set(value: unknown) {
    Slot.write(this, value);
  },
  enumerable: true,
  configurable: true,
};

/** Gives an object a member that is made of these bytes when it is read first, and again each time if that throws. */
export function setLazy(object: object, name: LazyName, bytes: string, parse: Parse): void {
  new Slot(object, bytes, parse);
  Object.defineProperty(object, name, accessor);
}

/** The bytes of a member that nobody has looked at and that was not assigned; `undefined` of any other. */
export function untouchedBytes(object: object, name: LazyName): string | undefined {
  const bytes = Slot.bytes(object);
  if (bytes === undefined) return undefined;
  // Somebody may have defined the member anew.
  return Object.getOwnPropertyDescriptor(object, name)?.get === accessor.get ? bytes : undefined;
}
