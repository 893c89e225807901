/** Position of a field whose bytes may not all be available. */

const varint = 0;
const fixed64 = 1;
/** The wire type of strings, bytes and messages, which begin with their length. */
export const delimited = 2;
const fixed32 = 5;

const longestVarint = 10;
const largestTag: number = 2 ** 32 - 1;

/** Creates the error for malformed bytes at an offset. */
export type Fault = (reason: string, at: number) => Error;

/** Finds the position of a field. The result is valid until the next call. */
export class FieldHead {
  readonly #fault: Fault;
  #varint = 0;
  number = 0;
  /** Wire type of the value. */
  wireType = 0;
  /** Start of the value, after its length if it has one. */
  start = 0;
  /** End of the field, which may be after the available bytes. */
  end = 0;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  /**
   * Reads the head of the field at `at`. Returns whether the head is complete before `limit`.
   * @throws the error of `fault` if the field is malformed
   */
  read(bytes: Uint8Array, at: number, limit: number): boolean {
    this.start = this.#readVarint(bytes, at, limit);
    if (this.start === -1) return false;
    const tag = this.#varint;
    this.wireType = tag % 8;
    this.number = Math.floor(tag / 8);
    if (this.number === 0 || tag > largestTag) throw this.#fault('not the tag of a field', at);
    return this.#readEnd(bytes, at, limit);
  }

  #readEnd(bytes: Uint8Array, at: number, limit: number): boolean {
    switch (this.wireType) {
      case delimited:
        this.start = this.#readVarint(bytes, this.start, limit);
        this.end = this.start + this.#varint;
        return this.start !== -1;
      case varint:
        this.end = this.#readVarint(bytes, this.start, limit);
        return this.end !== -1;
      case fixed64:
      case fixed32:
        this.end = this.start + (this.wireType === fixed32 ? 4 : 8);
        return true;
      default:
        throw this.#fault(`a field of wire type ${this.wireType}`, at);
    }
  }

  /** Returns the position after the varint; -1 if it is incomplete. */
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
      if (place + 1 - at === longestVarint) throw this.#fault('a varint of more than ten bytes', at);
      unit *= 128;
    }
    return -1;
  }
}
