/** Estimate of the memory of cached objects. */

import { type LazyName, untouchedSlice } from '../../codec/lazy/lazy-member.ts';

/** Number of objects whose size is measured. */
const sampled = 32;

/** Sizes in V8 with 64-bit pointers, in bytes. */
const pointer = 8;
const objectHeader = 24;
/** With space for four members. */
const emptyObject = 56;
const listHeader = 48;
const stringHeader = 16;
const heapNumber = 16;
/** Entry of an object in the maps of its store. */
const entry = 64;

/**
 * Estimates the memory of cached objects in bytes: of 32 slots at equal distances, the next object is
 * measured, with each object, list, string and fraction by its length. Parts and strings that several of
 * these objects have are counted once, all others in proportion to the number of objects. Indices are not
 * included.
 *
 * @param slots objects, and `undefined` for removed ones
 * @param stored number of objects in `slots`
 */
export function estimateBytes(slots: readonly (object | undefined)[], stored: number): number {
  const sizes = new SampledSizes();
  const count = Math.min(sampled, slots.length);
  let measured = 0;
  for (let index = 0; index < count; index += 1) {
    const end = Math.floor(((index + 1) * slots.length) / count);
    let at = Math.floor((index * slots.length) / count);
    while (at < end && slots[at] === undefined) at += 1;
    if (at === end) continue;
    sizes.add(slots[at], index);
    measured += 1;
  }
  return measured === 0 ? 0 : Math.round(sizes.shared + (sizes.own / measured + entry) * stored);
}

/** Index of a value that several objects of the sample have. */
const several = -1;

class SampledSizes {
  /** Bytes of parts that several objects have. */
  shared = 0;
  /** Bytes of all other parts. */
  own = 0;
  /** Objects and strings, with the index of the object in which each was found. */
  readonly #found = new Map<unknown, number>();

  /** Adds a value that is a part of the object with this index. */
  add(value: unknown, index: number): void {
    if (typeof value === 'number' && !Number.isInteger(value)) this.own += heapNumber;
    const isString = typeof value === 'string';
    if (!isString && (typeof value !== 'object' || value === null)) return;
    const before = this.#found.get(value);
    if (before === index || before === several) return;
    const bytes = isString ? stringBytes(value) : ownBytes(value);
    if (before === undefined) this.own += bytes;
    else {
      this.own -= bytes;
      this.shared += bytes;
    }
    this.#found.set(value, before === undefined ? index : several);
    if (!isString) for (const part of partsOf(value)) this.add(part, index);
  }
}

function stringBytes({ length }: string): number {
  return stringHeader + Math.ceil(length / pointer) * pointer;
}

/** Returns the bytes of an object or list without its parts. */
function ownBytes(value: object): number {
  if (Array.isArray(value)) return listHeader + pointer * value.length;
  const names = Object.keys(value);
  if (names.length === 0) return emptyObject;
  return names.reduce((sum, name) => sum + unparsedBytes(value, name), objectHeader + pointer * names.length);
}

const lazyNames: readonly LazyName[] = ['managedFields', 'fieldsV1'];

/** Returns the number of bytes of a member that is parsed on first access; 0 if it is parsed. */
function unparsedBytes(value: object, name: string): number {
  const lazyName = lazyNames.find((each) => each === name);
  const slice = lazyName && untouchedSlice(value, lazyName);
  return slice === undefined ? 0 : slice.end - slice.start;
}

/** Returns the parts of an object or list, without those that are not parsed: an access would parse them. */
function partsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return Object.keys(value)
    .filter((name) => unparsedBytes(value, name) === 0)
    .map((name) => Reflect.get(value, name));
}
