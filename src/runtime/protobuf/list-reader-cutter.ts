/** The fields of a message, one after the other while its bytes arrive. */
import { type Fault, FieldHead } from './answer-field.ts';

/** Bytes that are set aside for a field that goes on in the next chunk. */
const ROOM = 16 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** How a step ended: with a field, at the end of the message, or where more bytes are needed. */
export type Step = 'field' | 'ended' | 'hungry';

/**
 * Cuts a message of a known length into its fields. A field that is whole in a chunk stays where it is; one that spans
 * chunks is copied together, once. No more is set aside than twice what has come, whatever lengths are claimed.
 */
export class FieldCutter {
  readonly #fault: Fault;
  readonly #head: FieldHead;
  #chunk: Buffer = nothing;
  #at = 0;
  /** Bytes of the message that no field was made of yet. */
  #left: number;
  /** The beginning of a field that spans chunks. */
  #carried: Buffer = nothing;
  #carriedLength = 0;
  /** So many bytes of it are needed before it is looked at again; 0 where no field spans chunks. */
  #wanted = 0;

  #offset: number;

  /** The field of the last step: `bytes` from `start` to `end` are its value for as long as there is no further step. */
  bytes: Buffer = nothing;
  start = 0;
  end = 0;
  number = 0;
  wireType = 0;
  /** The place of `bytes[0]`, from the beginning of the body. */
  base = 0;

  /** `offset`: the place of the message in the body, for errors; `fault` is told places in the body. */
  constructor(length: number, offset: number, fault: Fault) {
    this.#left = length;
    this.#offset = offset;
    this.#fault = fault;
    this.#head = new FieldHead((reason) => fault(reason, this.#offset));
  }

  /** The next chunk: the one before is used up. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** The place of the next field, from the beginning of the body. */
  get offset(): number {
    return this.#offset;
  }

  /** What follows the message, of the last chunk. */
  get rest(): Buffer {
    return this.#chunk.subarray(this.#at);
  }

  /** Goes to the next field. */
  step(): Step {
    if (this.#left === 0) return 'ended';
    if (this.#wanted > 0) return this.#carry();
    const [chunk, at] = [this.#chunk, this.#at];
    const limit = Math.min(chunk.length, at + this.#left);
    if (this.#head.read(chunk, at, limit) && this.#head.end <= limit) {
      this.#at = this.#head.end;
      return this.#take(chunk, at);
    }
    this.#wanted = 1;
    return this.#carry();
  }

  /** Copies as much as is known to belong to the field, until it is whole. */
  #carry(): Step {
    for (;;) {
      this.#check(this.#wanted);
      this.#copy(Math.min(this.#wanted - this.#carriedLength, this.#chunk.length - this.#at));
      if (this.#carriedLength < this.#wanted) return 'hungry';
      const known = this.#head.read(this.#carried, 0, this.#carriedLength);
      this.#wanted = known ? this.#head.end : this.#carriedLength + 1;
      if (this.#wanted > this.#carriedLength) continue;
      this.#wanted = 0;
      this.#carriedLength = 0;
      return this.#take(this.#carried, 0);
    }
  }

  #copy(length: number): void {
    const carried = this.#carriedLength + length;
    if (carried > this.#carried.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(ROOM, 2 * carried));
      this.#carried.copy(wider, 0, 0, this.#carriedLength);
      this.#carried = wider;
    }
    this.#chunk.copy(this.#carried, this.#carriedLength, this.#at, this.#at + length);
    this.#carriedLength = carried;
    this.#at += length;
  }

  #check(length: number): void {
    if (length > this.#left)
      throw this.#fault('a field that ends behind the end of its message', this.#offset);
  }

  #take(bytes: Buffer, at: number): Step {
    const { start, end, number, wireType } = this.#head;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.number = number;
    this.wireType = wireType;
    this.base = this.#offset - at;
    this.#offset += end - at;
    this.#left -= end - at;
    return 'field';
  }
}
