/** The items of a list, one by one as their bytes arrive. */
import type { ReadItem } from '../rest/types.ts';
import { ByteWindow } from './byte-window.ts';
import { ItemGuess } from './item-guess.ts';
import { skipSpace, ValueScanner } from './json-scan.ts';
import { parseBytes } from './keep-digits.ts';

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;

const windowBytes = 512 * 1024;
/** While so few bytes are there, it is better to wait for more than to look at each of them. */
const worthWaiting = 128 * 1024;

/** What comes next: an item or the end of an empty list, an item, or a comma or the end. */
type Expected = 'first' | 'item' | 'separator' | 'nothing';

/** How a step ended: with an item, at the end of the list, or where more bytes are needed. */
export type Step = 'item' | 'ended' | 'hungry';

/**
 * Reads a JSON list, from behind its opening bracket to its closing one. `JSON.parse` reads each item, so that it
 * becomes what it would have become in the whole, and anything else is a `SyntaxError`; or something else that refuses
 * what does not end.
 */
export class ItemsReader {
  readonly items: unknown[] = [];
  readonly #read: ReadItem | typeof parseBytes;
  readonly #window = new ByteWindow(windowBytes);
  readonly #guess = new ItemGuess();
  #expected: Expected = 'first';
  /** Set while the bytes of an item are looked at one by one. */
  #scanner: ValueScanner | undefined;
  /** How much of an item that has not all arrived was looked at already. */
  #looked = 0;
  #complete = false;
  /** Bytes of the longest item so far. */
  #longest = 0;

  constructor(read: ReadItem | typeof parseBytes = parseBytes) {
    this.#read = read;
  }

  push(chunk: Uint8Array): void {
    this.#window.push(chunk);
  }

  /** No more bytes will come. */
  complete(): void {
    this.#complete = true;
  }

  /** What follows the list, of the bytes that were pushed. */
  get rest(): Buffer {
    const { bytes, start, end } = this.#window;
    return bytes.subarray(start, end);
  }

  /**
   * Reads up to the end of the next item, which then is the last of `items`.
   * @throws {SyntaxError} no JSON
   */
  step(): Step {
    for (;;) {
      if (this.#expected === 'nothing') return 'ended';
      if (!this.#scanner && this.#looked === 0) this.#skipSpace();
      if (this.#window.length === 0) return this.#hungry();
      if (this.#expected !== 'separator' && !this.#endsEmpty()) return this.#item();
      this.#separator();
    }
  }

  #hungry(): Step {
    if (this.#complete) throw new SyntaxError('the list does not end');
    return 'hungry';
  }

  #skipSpace(): void {
    const { bytes, start, end } = this.#window;
    this.#window.consume(skipSpace(bytes, start, end));
  }

  #endsEmpty(): boolean {
    return this.#expected === 'first' && this.#window.bytes[this.#window.start] === CLOSE_LIST;
  }

  #separator(): void {
    const { bytes, start } = this.#window;
    const byte = bytes[start];
    if (byte !== COMMA && byte !== CLOSE_LIST)
      throw new SyntaxError('neither a comma nor the end of the list');
    this.#expected = byte === COMMA ? 'item' : 'nothing';
    this.#window.consume(start + 1);
  }

  #item(): Step {
    if (this.#scanner === undefined && this.#guess.ready) {
      const { bytes, start } = this.#window;
      const guessed = bytes[start] === OPEN_OBJECT ? this.#guessed() : undefined;
      if (guessed !== undefined) return guessed;
    }
    return this.#scanned();
  }

  /** `undefined` where there is nothing to guess, or the guess was wrong. */
  #guessed(): Step | undefined {
    const { bytes, start, end, length } = this.#window;
    const found = this.#guess.end(bytes, start + this.#looked, end);
    if (found === -1) {
      this.#looked = Math.max(0, length - this.#guess.overlap);
      if (length < Math.max(worthWaiting, 2 * this.#longest) && !this.#complete) return 'hungry';
      this.#guess.wrong(length);
      return undefined;
    }
    try {
      // The beginning of an object is never an object: what can be parsed is the item, and all of it.
      this.#add(this.#read(bytes, start, found), found);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.#guess.wrong(found - start);
      return undefined;
    }
    this.#guess.right(found - start);
    return 'item';
  }

  #scanned(): Step {
    const { bytes, start, end } = this.#window;
    if (this.#scanner === undefined) this.#looked = 0;
    this.#scanner ??= new ValueScanner();
    const found = this.#scanner.scan(bytes, start + this.#looked, end);
    if (found === -1) {
      this.#looked = end - start;
      return this.#hungry();
    }
    if (bytes[start] === OPEN_OBJECT) this.#guess.learn(bytes.subarray(start, found));
    this.#add(this.#read(bytes, start, found), found);
    return 'item';
  }

  #add(item: unknown, end: number): void {
    this.items.push(item);
    this.#longest = Math.max(this.#longest, end - this.#window.start);
    this.#window.consume(end);
    this.#expected = 'separator';
    this.#scanner = undefined;
    this.#looked = 0;
  }
}
