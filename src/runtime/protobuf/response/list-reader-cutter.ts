/** The fields of a message, one by one as its bytes arrive. */
import { type Fault, FieldHead } from './response-field.ts';

/** Number of bytes that are allocated for a field that continues in the next chunk. */
const room = 16 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Result of a step: a field, the end of the message, or more bytes are needed. */
export type Step = 'field' | 'ended' | 'incomplete';

/**
 * Splits a message of known length into its fields. A field within one chunk is not copied; one that spans
 * chunks is copied once. At most twice the received bytes are allocated, whatever lengths the message claims.
 */
export class FieldCutter {
  readonly #fault: Fault;
  readonly #head: FieldHead;
  #chunk: Buffer = nothing;
  #at = 0;
  /** Number of remaining bytes of the message. */
  #left: number;
  /** The beginning of a field that spans chunks. */
  #carried: Buffer = nothing;
  #carriedLength = 0;
  /** Number of bytes that are needed before the field is examined again; 0 if no field spans chunks. */
  #needed = 0;

  #offset: number;

  /** The field of the last step: `bytes` from `start` to `end` are its value until the next step. */
  bytes: Buffer = nothing;
  start = 0;
  end = 0;
  number = 0;
  wireType = 0;
  /** Offset of `bytes[0]` from the beginning of the body. */
  base = 0;

  /** `offset`: offset of the message in the body, for errors; `fault` receives offsets in the body. */
  constructor(length: number, offset: number, fault: Fault) {
    this.#left = length;
    this.#offset = offset;
    this.#fault = fault;
    this.#head = new FieldHead((reason) => fault(reason, this.#offset));
  }

  /** Adds the next chunk. The previous one has been consumed. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** Offset of the next field from the beginning of the body. */
  get offset(): number {
    return this.#offset;
  }

  /** The rest of the last chunk after the message. */
  get rest(): Buffer {
    return this.#chunk.subarray(this.#at);
  }

  /** Proceeds to the next field. */
  step(): Step {
    if (this.#left === 0) return 'ended';
    if (this.#needed > 0) return this.#carry();
    const [chunk, at] = [this.#chunk, this.#at];
    const limit = Math.min(chunk.length, at + this.#left);
    if (this.#head.read(chunk, at, limit) && this.#head.end <= limit) {
      this.#at = this.#head.end;
      return this.#take(chunk, at);
    }
    this.#needed = 1;
    return this.#carry();
  }

  /** Copies the bytes that are known to belong to the field, until it is complete. */
  #carry(): Step {
    for (;;) {
      this.#check(this.#needed);
      this.#copy(Math.min(this.#needed - this.#carriedLength, this.#chunk.length - this.#at));
      if (this.#carriedLength < this.#needed) return 'incomplete';
      const known = this.#head.read(this.#carried, 0, this.#carriedLength);
      this.#needed = known ? this.#head.end : this.#carriedLength + 1;
      if (this.#needed > this.#carriedLength) continue;
      this.#needed = 0;
      this.#carriedLength = 0;
      return this.#take(this.#carried, 0);
    }
  }

  #copy(length: number): void {
    const carried = this.#carriedLength + length;
    if (carried > this.#carried.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(room, 2 * carried));
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
