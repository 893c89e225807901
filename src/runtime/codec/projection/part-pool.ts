/** Shares equal parts and strings of selected objects, such as the containers of the Pods of a workload. */
import { recordOf } from '../integers/digits.ts';
import { hashOf, type StringPool } from '../string-pool.ts';

const setBits = 12;
const sets: number = 2 ** setBits;
/** Deeper parts are not shared, so that deep nesting cannot exhaust the stack. */
const deepest = 64;
/** Hash of a value that cannot be shared. Hashes of others are 32-bit integers. */
const unshareable = 0.5;

const factor: number = 0x9e3779b1 | 0;
const empty: object = {};

type Part = Record<string, unknown>;

/**
 * Parts that recur in selected objects. Most of the memory of selected objects is parts that many of them
 * have, since the fields that distinguish objects are usually not selected. The pool holds at most 8192
 * parts. Of two parts that compete for a place, a recurring one takes precedence.
 */
export class PartPool {
  readonly #strings: StringPool;
  readonly #recurring: (object | undefined)[] = new Array<object | undefined>(sets).fill(undefined);
  readonly #latest: (object | undefined)[] = new Array<object | undefined>(sets).fill(undefined);
  /** The last part, or the equal one of the pool. */
  #part: unknown;

  constructor(strings: StringPool) {
    this.#strings = strings;
  }

  /**
   * Replaces the strings and parts of an object by equal ones of earlier objects. Such parts are then frozen.
   * The object itself and its metadata are its own.
   */
  share(object: object & { readonly metadata: object }): void {
    // `for…in` would include inherited members.
    for (const _ in empty) return;
    this.#shareMembers(object, 'metadata');
    this.#shareMembers(object.metadata, 'managedFields');
  }

  #shareMembers(object: object, except: string): void {
    // seam: objects have members.
    const part = object as Part;
    for (const key in part) {
      if (key === except) continue;
      const value = part[key];
      if (this.#hashOf(value, 0) !== unshareable && this.#part !== value) part[key] = this.#part;
    }
  }

  /** Returns the hash of a part, after its parts have been shared. */
  #hash(value: object, depth: number): number {
    if (depth > deepest || recordOf(value) !== undefined) return unshareable;
    // seam: the other parts are plain objects.
    const hash = Array.isArray(value)
      ? this.#hashItems(value, depth + 1)
      : this.#hashMembers(value as Part, depth + 1);
    this.#part = value;
    return hash === unshareable ? hash : this.#find(value, hash ^ (hash >>> 15));
  }

  #hashItems(list: unknown[], depth: number): number {
    let hash = list.length;
    for (let index = 0; index < list.length; index += 1) {
      const item = list[index];
      const own = this.#hashOf(item, depth);
      if (own === unshareable) hash = own;
      else if (this.#part !== item) list[index] = this.#part;
      if (hash !== unshareable) hash = Math.imul(hash ^ own, factor);
    }
    return hash;
  }

  #hashMembers(part: Part, depth: number): number {
    let hash = -1;
    for (const key in part) {
      const member = part[key];
      const own = this.#hashOf(member, depth);
      if (own === unshareable) hash = own;
      else if (this.#part !== member) part[key] = this.#part;
      if (hash !== unshareable) hash = Math.imul(hash ^ own ^ key.length, factor);
    }
    return hash;
  }

  /** Returns the hash of a member, and sets `#part` to the shared value that replaces it. */
  #hashOf(member: unknown, depth: number): number {
    if (typeof member === 'object' && member !== null) return this.#hash(member, depth);
    if (typeof member === 'string') {
      const hash = hashOf(member);
      this.#part = this.#strings.shared(member, hash);
      return hash;
    }
    this.#part = member;
    return typeof member === 'number' ? Math.trunc(member) : 1;
  }

  #find(part: object, hash: number): number {
    const set = Math.imul(hash, factor) >>> (32 - setBits);
    const recurring = this.#recurring[set];
    const latest = this.#latest[set];
    if (recurring !== undefined && isSame(recurring, part)) this.#part = frozen(recurring);
    else if (latest !== undefined && isSame(latest, part)) {
      this.#recurring[set] = latest;
      this.#latest[set] = recurring;
      this.#part = frozen(latest);
    } else if (recurring === undefined) this.#recurring[set] = part;
    else this.#latest[set] = part;
    return hash;
  }
}

/** Returns whether two parts have the same members. Equal parts in them have been replaced by the same. */
function isSame(a: object, b: object): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && hasSameItems(a, b);
  // seam: the other parts are plain objects.
  return !Array.isArray(b) && hasSameMembers(a as Part, b as Part);
}

function hasSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

function hasSameMembers(a: Part, b: Part): boolean {
  let count = 0;
  for (const key in a) {
    if (a[key] !== b[key] || !Object.hasOwn(b, key)) return false;
    count += 1;
  }
  for (const _ in b) count -= 1;
  return count === 0;
}

/** Freezes a part with its parts. */
function frozen(part: object): object {
  if (Object.isFrozen(part)) return part;
  for (const member of Object.values(part)) {
    if (typeof member === 'object' && member !== null) frozen(member);
  }
  return Object.freeze(part);
}
