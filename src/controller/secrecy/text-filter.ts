/** Search for many strings in a text at once. */

import { type SecretForm, shortest } from './forms.ts';

/** Bits of the hashes: the filter has 512 KiB. */
const filterBits = 18;
const multiplier = 0x9e3779b1;
/** The multiplier to the power of the length of the window: the part of its oldest character. */
const oldest = powerOf(multiplier, shortest);

/** Strings to find. A text is read once, whatever their number is. */
export class TextFilter {
  /** Strings by their heads, which several may share. */
  readonly #forms = new Map<string, Set<SecretForm>>();
  /** Lengths of the heads by their first characters, with the number of heads. */
  readonly #starts = new Map<string, Map<number, number>>();
  /** Number of starts by their hash: most positions of a text need no string. */
  #counts: Uint16Array | undefined;

  /** Number of strings. */
  size = 0;

  add(form: SecretForm): void {
    const { head } = form;
    this.size += 1;
    const known = this.#forms.get(head);
    if (known !== undefined) {
      known.add(form);
      return;
    }
    this.#forms.set(head, new Set([form]));
    const start = head.slice(0, shortest);
    const lengths = this.#starts.get(start) ?? new Map<number, number>();
    if (lengths.size === 0) this.#count(start, 1);
    this.#starts.set(start, lengths.set(head.length, (lengths.get(head.length) ?? 0) + 1));
  }

  delete(form: SecretForm): void {
    const { head } = form;
    const forms = this.#forms.get(head);
    if (forms?.delete(form) !== true) return;
    this.size -= 1;
    if (forms.size > 0) return;
    this.#forms.delete(head);
    const start = head.slice(0, shortest);
    const lengths = this.#starts.get(start);
    const left = (lengths?.get(head.length) ?? 0) - 1;
    if (left > 0) lengths?.set(head.length, left);
    else lengths?.delete(head.length);
    if (lengths?.size !== 0) return;
    this.#starts.delete(start);
    this.#count(start, -1);
  }

  #count(start: string, change: number): void {
    this.#counts ??= new Uint16Array(2 ** filterBits);
    const bit = bitOf(hashOf(start));
    this.#counts[bit] = (this.#counts[bit] ?? 0) + change;
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
    if (last < 0 || this.size === 0) return;
    let hash = hashOf(text.slice(0, shortest));
    for (let start = 0; start <= last; start += 1) {
      const isCandidate = this.#counts?.[bitOf(hash)] !== 0;
      const length = isCandidate ? this.#lengthAt(text, start, withWords) : 0;
      if (length > 0) yield [start, length];
      hash = nextHash(hash, text.charCodeAt(start), text.charCodeAt(start + shortest));
    }
  }

  /** Returns the length of the longest string at a position; 0 if there is none. */
  #lengthAt(text: string, at: number, withWords: boolean): number {
    let longest = 0;
    for (const length of this.#starts.get(text.slice(at, at + shortest))?.keys() ?? []) {
      for (const form of this.#forms.get(text.slice(at, at + length)) ?? []) {
        const isHidden = !form.isWord || (withWords && isWholeWord(text, at, at + length));
        if (isHidden) longest = Math.max(longest, form.length);
      }
    }
    return longest;
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
