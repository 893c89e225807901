/** A queue of limited size, which drops its oldest entries. */

/** An entry with its line in the file. */
export interface RingEntry {
  readonly line: string;
  /** Bytes in memory besides the line. */
  readonly more: number;
}

/** Entries up to a number of bytes. */
export class Ring<Entry extends RingEntry> {
  readonly #maxBytes: number;
  readonly #onDropped: (entry: Entry) => void;
  #entries: Entry[] = [];
  /** Entries before this index have been dropped. */
  #first = 0;
  #bytes = 0;
  #dropped = 0;

  /** @param dropped called for each dropped entry */
  constructor(maxBytes: number, dropped: (entry: Entry) => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onDropped = dropped;
  }

  /** Estimated memory of the entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Number of dropped entries. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Number of entries so far, with the dropped ones. */
  get pushed(): number {
    return this.#dropped + this.#entries.length - this.#first;
  }

  /** Adds an entry. One that is larger than the ring is dropped like all others. */
  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += bytesOf(entry);
    while (this.#bytes > this.#maxBytes) this.#drop();
  }

  /** Returns all entries, oldest first, in a new array. */
  entries(): readonly Entry[] {
    return this.#entries.slice(this.#first);
  }

  /**
   * Returns the entries after the first `count` ones, oldest first, in a new array; `undefined` if one of
   * them has been dropped, or fewer were added.
   */
  after(count: number): readonly Entry[] | undefined {
    if (count < this.#dropped || count > this.pushed) return undefined;
    return this.#entries.slice(this.#first + count - this.#dropped);
  }

  /** Drops all entries. */
  clear(): void {
    while (this.#first < this.#entries.length) this.#drop();
  }

  /** Counts an entry that was not added: those before it are not followed by those after it. */
  skip(): void {
    this.clear();
    this.#dropped += 1;
  }

  #drop(): void {
    const entry = this.#entries[this.#first];
    if (entry === undefined) return;
    this.#first += 1;
    this.#dropped += 1;
    this.#bytes -= bytesOf(entry);
    this.#onDropped(entry);
    if (this.#first < 1024 || this.#first * 2 < this.#entries.length) return;
    this.#entries = this.#entries.slice(this.#first);
    this.#first = 0;
  }
}

/** A string has up to two bytes per character. */
function bytesOf({ line, more }: RingEntry): number {
  return line.length * 2 + more + 64;
}
