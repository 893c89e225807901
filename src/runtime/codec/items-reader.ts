/** Reader of the items of a JSON list, one by one as their bytes arrive. */
import type { ReadItem } from '../api/transport.ts';
import { ByteWindow } from './byte-window.ts';
import { parseBytes } from './integers/keep-digits.ts';
import { skipSpace, ValueScanner } from './json-scan.ts';

/** Number of bytes that wrong guesses may cost in excess of the savings. */
const credit = 1024 * 1024;
/** Number of bytes in which the first key of an item is searched. */
const longestPrefix = 64;

const colonByte = 0x3a;

const commaByte = 0x2c;
const closeList = 0x5d;
const openObject = 0x7b;

const windowBytes = 512 * 1024;
/** Below this number of bytes, waiting for more is faster than scanning each of them. */
const worthWaiting = 128 * 1024;

/** Expected token: an item or the end of an empty list, an item, or a comma or the end. */
type Expected = 'first' | 'item' | 'separator' | 'nothing';

/** Result of a step: an item, the end of the list, or more bytes are needed. */
export type Step = 'item' | 'ended' | 'incomplete';

/**
 * Reads a JSON list, from after its opening bracket to its closing one. Each item is parsed by `JSON.parse`,
 * so that the result equals that for the whole list, and malformed JSON is a `SyntaxError`. Another parser
 * must also reject truncated items.
 */
export class ItemsReader {
  readonly items: unknown[] = [];
  readonly #read: ReadItem | typeof parseBytes;
  readonly #window = new ByteWindow(windowBytes);
  readonly #guess = new ItemGuess();
  #expected: Expected = 'first';
  /** Set while the bytes of an item are scanned one by one. */
  #scanner: ValueScanner | undefined;
  /** Number of scanned bytes of an incomplete item. */
  #looked = 0;
  #complete = false;
  /** Size of the longest item so far, in bytes. */
  #longest = 0;

  constructor(read: ReadItem | typeof parseBytes = parseBytes) {
    this.#read = read;
  }

  push(chunk: Uint8Array): void {
    this.#window.push(chunk);
  }

  /** Marks the end of the body. */
  complete(): void {
    this.#complete = true;
  }

  /** The pushed bytes after the list. */
  get rest(): Buffer {
    const { bytes, start, end } = this.#window;
    return bytes.subarray(start, end);
  }

  /**
   * Reads up to the end of the next item, which is then the last one in `items`.
   * @throws {SyntaxError} malformed JSON
   */
  step(): Step {
    for (;;) {
      if (this.#expected === 'nothing') return 'ended';
      if (!this.#scanner && this.#looked === 0) this.#skipSpace();
      if (this.#window.length === 0) return this.#incomplete();
      if (this.#expected !== 'separator' && !this.#endsEmpty()) return this.#item();
      this.#separator();
    }
  }

  #incomplete(): Step {
    if (this.#complete) throw new SyntaxError('unexpected end of JSON input: the list is incomplete');
    return 'incomplete';
  }

  #skipSpace(): void {
    const { bytes, start, end } = this.#window;
    this.#window.consume(skipSpace(bytes, start, end));
  }

  #endsEmpty(): boolean {
    return this.#expected === 'first' && this.#window.bytes[this.#window.start] === closeList;
  }

  #separator(): void {
    const { bytes, start } = this.#window;
    const byte = bytes[start];
    if (byte !== commaByte && byte !== closeList)
      throw new SyntaxError('neither a comma nor the end of the list');
    this.#expected = byte === commaByte ? 'item' : 'nothing';
    this.#window.consume(start + 1);
  }

  #item(): Step {
    if (this.#scanner === undefined && this.#guess.ready) {
      const { bytes, start } = this.#window;
      const guessed = bytes[start] === openObject ? this.#guessed() : undefined;
      if (guessed !== undefined) return guessed;
    }
    return this.#scanned();
  }

  /** Returns `undefined` if there is no guess, or the guess was wrong. */
  #guessed(): Step | undefined {
    const { bytes, start, end, length } = this.#window;
    const found = this.#guess.end(bytes, start + this.#looked, end);
    if (found === -1) {
      this.#looked = Math.max(0, length - this.#guess.overlap);
      if (length < Math.max(worthWaiting, 2 * this.#longest) && !this.#complete) return 'incomplete';
      this.#guess.wrong(length);
      return undefined;
    }
    try {
      // A prefix of an object is never a valid object, so bytes that can be parsed are the whole item.
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
      return this.#incomplete();
    }
    if (bytes[start] === openObject) this.#guess.learn(bytes.subarray(start, found));
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

/**
 * Guesses the end of an object in a list: the position at which the next object starts with the same bytes as
 * the first one. The search is many times as fast as a scan of each byte. A guess may be wrong, so the caller
 * has to verify it and report the result. After repeated wrong guesses there are no further ones, so that
 * they cost little in any document.
 */
export class ItemGuess {
  #pattern: Buffer | undefined;
  #credit = credit;

  /** Learns from the bytes of the first object. */
  learn(item: Buffer): void {
    if (this.#pattern !== undefined) return;
    const colon = item.subarray(0, longestPrefix).indexOf(colonByte);
    // The first object may be empty; a later one may have keys.
    if (colon !== -1) this.#pattern = Buffer.concat([Buffer.from('},'), item.subarray(0, colon + 1)]);
  }

  get ready(): boolean {
    return this.#pattern !== undefined && this.#credit > 0;
  }

  /** Number of bytes at the end of a search in which an incomplete match may start. */
  get overlap(): number {
    return this.#pattern === undefined ? 0 : this.#pattern.length - 1;
  }

  /** Returns the position after the object, searching from `from` to `to`; -1 if there is no match. */
  end(bytes: Buffer, from: number, to: number): number {
    if (this.#pattern === undefined) return -1;
    const found = bytes.subarray(from, to).indexOf(this.#pattern);
    return found === -1 ? -1 : from + found + 1;
  }

  right(length: number): void {
    this.#credit = Math.min(credit, this.#credit + length);
  }

  wrong(length: number): void {
    this.#credit -= length;
  }
}
