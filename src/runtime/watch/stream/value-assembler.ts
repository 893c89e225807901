/** JSON values that are not one per line: indented, or without newlines between them. */
import { skipSpace, ValueScanner } from '../../codec/json-scan.ts';
import { LineTooLong } from './lines.ts';

const openingBrace = 0x7b;
/** Initial size in bytes of the buffer for a value. */
const room = 16 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Assembles objects from parts of a stream. Each byte is scanned once. */
export class ValueAssembler {
  readonly #limit: number;
  #bytes: Buffer = nothing;
  #length = 0;
  /** Number of bytes that were scanned. */
  #scanned = 0;
  #scanner = new ValueScanner();

  /** A value longer than `limit` bytes is an error, so that a server cannot exhaust the memory. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The bytes of an incomplete value; `undefined` if there are none. */
  get open(): Buffer | undefined {
    return this.#length === 0 ? undefined : this.#bytes.subarray(0, this.#length);
  }

  /**
   * Yields the objects that a part completes. Their bytes are valid until the next one is requested.
   * @throws {SyntaxError} if something else than an object follows
   * @throws {LineTooLong}
   */
  *push(part: Uint8Array): Generator<Buffer, void> {
    this.#add(part);
    for (;;) {
      this.#skipSpace();
      if (this.#length === 0) return;
      if (this.#bytes[0] !== openingBrace) throw new SyntaxError('not an object');
      const end = this.#scanner.scan(this.#bytes, this.#scanned, this.#length);
      this.#scanned = this.#length;
      if (end === -1) return;
      yield this.#bytes.subarray(0, end);
      this.#remove(end);
    }
  }

  #add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#limit) throw new LineTooLong(this.#limit);
    if (length > this.#bytes.length) {
      const wider = Buffer.allocUnsafe(Math.max(room, 2 * length));
      this.#bytes.copy(wider, 0, 0, this.#length);
      this.#bytes = wider;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  #skipSpace(): void {
    if (this.#scanned > 0) return;
    const start = skipSpace(this.#bytes, 0, this.#length);
    if (start > 0) this.#remove(start);
  }

  /** Removes the first bytes. The next value starts behind them. */
  #remove(count: number): void {
    this.#bytes = this.#bytes.subarray(count);
    this.#length -= count;
    this.#scanned = 0;
    this.#scanner = new ValueScanner();
    if (this.#length === 0) this.#bytes = nothing;
  }
}
