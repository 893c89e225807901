/**
 * Parses objects without `metadata.managedFields`, a third to a half of their JSON. The bytes of the list are
 * not parsed, which saves most of the time: they need not be valid JSON, as long as the rest is.
 */
import { skipSpace } from './json-scan.ts';
import { endOfList, findMember, guessEndOfList, type Member } from './member-scan.ts';
import type { Parsed } from './projection/skim.ts';

const key = (name: string): Uint8Array => Buffer.from(JSON.stringify(name));
const managedFields = key('managedFields');
/** Paths to the metadata of an object, and of the object in an event. */
const ofObject: readonly Uint8Array[] = [key('metadata')];
const ofEvent: readonly Uint8Array[] = [key('object'), ...ofObject];

/** A range of bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A list of `managedFields` in JSON. `start` is the comma before the member. */
export interface ListRange extends Range {
  /** Start of the list. */
  readonly value: number;
}

/** The value of the JSON around a list. */
export interface PartlyParsed extends Parsed {
  /** The list that was passed over; `undefined` if everything was parsed. */
  readonly list: ListRange | undefined;
}

/** Returns the position after a list that is the value of a member; -1 if the list cannot be removed. */
type FindEnd = (bytes: Buffer, member: Member, end: number) => number;

/** Larger objects are not copied: the bytes on both sides of the removed part are decoded separately. */
const scratchBytes = 64 * 1024;
const scratch: Buffer = Buffer.allocUnsafeSlow(scratchBytes);

/** Takes the place of a list: a number that no server writes. */
const placeholder: Buffer = Buffer.from('-0');

/** Number of lines without guesses after a wrong guess. */
const caution = 100;

/** Parses objects and events of one source. */
export class PartialParser {
  readonly #hasPlaceholder: boolean;
  /** Remaining number of lines without guesses. */
  #doubts = 0;

  /**
   * `hasPlaceholder`: whether the value of `managedFields` becomes -0, which `isPlaceholder` finds. Default:
   * the objects do not have the member.
   */
  constructor({ hasPlaceholder = false }: { readonly hasPlaceholder?: boolean } = {}) {
    this.#hasPlaceholder = hasPlaceholder;
  }

  /**
   * Parses an object. The bytes may be a prefix of one, which is rejected.
   * @throws {SyntaxError} malformed JSON
   */
  object(json: Buffer, start: number, end: number): PartlyParsed {
    return this.#parse(json, { start, end }, ofObject);
  }

  /**
   * Parses an event with its object.
   * @throws {SyntaxError} malformed JSON
   */
  event(line: Buffer): PartlyParsed {
    const range = { start: 0, end: line.length };
    const list = this.#doubts === 0 ? listIn(line, range, ofEvent, guessEndOfList) : undefined;
    if (list !== undefined) {
      try {
        return this.#around(line, range, list);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.#doubts = caution;
      }
    } else if (this.#doubts > 0) this.#doubts -= 1;
    return this.#parse(line, range, ofEvent);
  }

  #parse(json: Buffer, range: Range, path: readonly Uint8Array[]): PartlyParsed {
    return this.#around(json, range, listIn(json, range, path, endOfList));
  }

  #around(json: Buffer, range: Range, list: ListRange | undefined): PartlyParsed {
    const text = this.#textAround(json, range, list);
    return { text, value: JSON.parse(text), list };
  }

  #textAround(json: Buffer, { start, end }: Range, list: ListRange | undefined): string {
    if (list === undefined) return json.toString('utf8', start, end);
    const before = this.#hasPlaceholder ? list.value : list.start;
    if (end - start > scratchBytes) {
      const first = json.toString('utf8', start, before);
      return `${first}${this.#hasPlaceholder ? placeholder : ''}${json.toString('utf8', list.end, end)}`;
    }
    // Decoding one string is faster than concatenating two.
    scratch.set(start === 0 && end === json.length ? json : json.subarray(start, end));
    const after = before - start + (this.#hasPlaceholder ? placeholder.length : 0);
    scratch.copyWithin(after, list.end - start, end - start);
    if (this.#hasPlaceholder) scratch.set(placeholder, before - start);
    return scratch.toString('utf8', 0, after + (end - list.end));
  }
}

/**
 * Returns whether a value is that of a list that was passed over. Of duplicate keys, another value may count.
 */
export function isPlaceholder(value: unknown): boolean {
  return Object.is(value, -0);
}

/** Returns a list of `managedFields` in the encoding of servers. */
function listIn(
  json: Buffer,
  { start, end }: Range,
  path: readonly Uint8Array[],
  findEnd: FindEnd,
): ListRange | undefined {
  let object = skipSpace(json, start, end);
  for (const name of path) {
    const found = findMember(json, object, end, name);
    if (found === undefined) return undefined;
    object = found.value;
  }
  const member = findMember(json, object, end, managedFields);
  if (member === undefined) return undefined;
  const after = findEnd(json, member, end);
  return after === -1 ? undefined : { start: member.start, value: member.value, end: after };
}
