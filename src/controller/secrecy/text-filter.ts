/** Search for many strings in a text at once. */

import { type SecretForm, shortest } from './forms.ts';

/** Bits of the filter; its size is 32 KiB. */
const filterBits = 18;
const multiplier = 0x9e3779b1;
/** The multiplier to the power of the length of the window: the part of its oldest character. */
const oldest = powerOf(multiplier, shortest);

/** Strings to find. A text is read once, whatever their number is. */
export class TextFilter {
  /** Strings by their first characters. */
  readonly #forms = new Map<string, SecretForm[]>();
  /** Hashes of these characters: most positions of a text need no string. */
  readonly #bits = new Uint32Array(2 ** filterBits / 32);

  add(form: SecretForm): void {
    const start = form.text.slice(0, shortest);
    const known = this.#forms.get(start);
    if (known === undefined) this.#forms.set(start, [form]);
    else known.push(form);
    const bit = bitOf(hashOf(start));
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  /** Returns the text with `instead` in place of the strings; of those that overlap, in place of all. */
  replace(text: string, instead: string, withWords: boolean): string {
    let parts: string | undefined;
    let [from, end] = [0, 0];
    for (const [start, length] of this.#found(text, withWords)) {
      if (start > end || parts === undefined) {
        parts = `${parts ?? ''}${text.slice(from, start)}${instead}`;
        end = start;
      }
      end = Math.max(end, start + length);
      from = end;
    }
    return parts === undefined ? text : parts + text.slice(from);
  }

  /** Yields the places of the strings in a text, in order. */
  *#found(text: string, withWords: boolean): Generator<readonly [start: number, length: number]> {
    const last = text.length - shortest;
    if (last < 0 || this.#forms.size === 0) return;
    let hash = hashOf(text.slice(0, shortest));
    for (let start = 0; start <= last; start += 1) {
      const bit = bitOf(hash);
      const isCandidate = ((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
      const length = isCandidate ? this.#lengthAt(text, start, withWords) : 0;
      if (length > 0) yield [start, length];
      hash = nextHash(hash, text.charCodeAt(start), text.charCodeAt(start + shortest));
    }
  }

  /** Returns the length of the longest string at a position; 0 if there is none. */
  #lengthAt(text: string, start: number, withWords: boolean): number {
    const forms = this.#forms.get(text.slice(start, start + shortest)) ?? [];
    return forms.reduce((longest, form) => {
      const { length } = form.text;
      if (length <= longest || !text.startsWith(form.text, start)) return longest;
      if (!form.isWord) return length;
      return withWords && isWholeWord(text, start, start + length) ? length : longest;
    }, 0);
  }
}

function isWholeWord(text: string, start: number, end: number): boolean {
  const isLetter = (index: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(index));
  return !isLetter(start - 1) && !isLetter(end);
}

function hashOf(start: string): number {
  let hash = 0;
  for (let index = 0; index < shortest; index += 1)
    hash = (Math.imul(hash, multiplier) + start.charCodeAt(index)) | 0;
  return hash;
}

/** Returns the hash of the window that is one character further. */
function nextHash(hash: number, first: number, next: number): number {
  return (Math.imul(hash, multiplier) + next - Math.imul(first, oldest)) | 0;
}

function bitOf(hash: number): number {
  return Math.imul(hash, multiplier) >>> (32 - filterBits);
}

function powerOf(base: number, exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count += 1) power = Math.imul(power, base);
  return power;
}
