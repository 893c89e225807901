/** Where a field is of which not all bytes may be there. */

const VARINT = 0;
const FIXED64 = 1;
/** The wire type of texts, bytes and messages: they begin with their length. */
export const DELIMITED = 2;
const FIXED32 = 5;

const LONGEST_VARINT = 10;
const LARGEST_TAG: number = 2 ** 32 - 1;

/** Makes the error of bytes that make no sense, at that place in the bytes that are read. */
export type Fault = (reason: string, at: number) => Error;

/** Finds out where a field is. What it has found stays until the next one. */
export class FieldHead {
  readonly #fault: Fault;
  #varint = 0;
  number = 0;
  /** How the value is written. */
  wireType = 0;
  /** Where the value begins: behind its length, where it has one. */
  start = 0;
  /** Where the field ends. May be beyond the bytes that are there. */
  end = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  /**
   * Reads what says where the field at `at` ends. Gives whether all of that is there, before `limit`.
   * @throws what `fault` makes, where it is no field
   */
  read(bytes: Uint8Array, at: number, limit: number): boolean {
    this.start = this.#readVarint(bytes, at, limit);
    if (this.start === -1) return false;
    const tag = this.#varint;
    this.wireType = tag % 8;
    this.number = Math.floor(tag / 8);
    if (this.number === 0 || tag > LARGEST_TAG) throw this.#fault('not the tag of a field', at);
    return this.#readEnd(bytes, at, limit);
  }

  #readEnd(bytes: Uint8Array, at: number, limit: number): boolean {
    switch (this.wireType) {
      case DELIMITED:
        this.start = this.#readVarint(bytes, this.start, limit);
        this.end = this.start + this.#varint;
        return this.start !== -1;
      case VARINT:
        this.end = this.#readVarint(bytes, this.start, limit);
        return this.end !== -1;
      case FIXED64:
      case FIXED32:
        this.end = this.start + (this.wireType === FIXED32 ? 4 : 8);
        return true;
      default:
        throw this.#fault(`a field of wire type ${this.wireType}`, at);
    }
  }

  /** The place behind the varint; -1 where it has not ended yet. */
  #readVarint(bytes: Uint8Array, at: number, limit: number): number {
    let value = 0;
    let unit = 1;
    for (let place = at; place < limit; place += 1) {
      const byte = bytes[place] ?? 0;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) {
        this.#varint = value;
        return place + 1;
      }
      if (place + 1 - at === LONGEST_VARINT) throw this.#fault('a varint of more than ten bytes', at);
      unit *= 128;
    }
    return -1;
  }
}
