/** Reads objects of a server from JSON without the parts that take most memory. */
import { type Fields, isFields } from '../common/fields.ts';
import { asBuffer } from './as-buffer.ts';
import { keepDigits } from './integers/keep-digits.ts';
import { mayHoldLong } from './integers/long-digits.ts';
import { skipSpace } from './json-scan.ts';
import { endOfList, findMember, guessEndOfList, type Member } from './member-scan.ts';
import type { Projection } from './projection/projection.ts';
import { type Parsed, parsed, Skim } from './projection/skim.ts';
import type { StringPool } from './string-pool.ts';

/** Options of reading. */
export interface LeanOptions {
  /** Whether `metadata.managedFields`, a third to a half of an object, is kept. */
  readonly keepManagedFields: boolean;
  /** Shares recurring strings, except of objects that are reduced. */
  readonly strings: StringPool;
  /** Returns the fields to which objects are reduced. Default: all fields. */
  readonly projection?: (() => Projection | undefined) | undefined;
}

const key = (name: string): Uint8Array => Buffer.from(JSON.stringify(name));
const managedFields = key('managedFields');
/** Paths to the metadata of an object, and of the object in an event. */
const ofObject: readonly Uint8Array[] = [key('metadata')];
const ofEvent: readonly Uint8Array[] = [key('object'), ...ofObject];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the position after a list that is the value of a member; -1 if the list cannot be removed. */
type FindEnd = (bytes: Buffer, member: Member, end: number) => number;

/** Larger objects are not copied: the bytes on both sides of the removed part are decoded separately. */
const scratchBytes = 64 * 1024;
const scratch: Buffer = Buffer.allocUnsafeSlow(scratchBytes);

/** Number of lines without guesses after a wrong guess. */
const caution = 100;

/**
 * Reads objects as `JSON.parse` does, and drops their `managedFields` unless these are kept. The bytes of
 * `managedFields` are not parsed, which saves most of the time: they need not be valid JSON, as long as the
 * rest is.
 */
export class LeanReader {
  readonly #options: LeanOptions;
  readonly #skim: Skim;
  /** Remaining number of lines without guesses. */
  #doubts = 0;

  constructor(options: LeanOptions) {
    this.#options = options;
    this.#skim = new Skim(options.keepManagedFields);
  }

  /**
   * Reads one object.
   * @throws {SyntaxError} malformed JSON
   */
  readonly readItem = (json: Uint8Array, start: number, end: number): unknown => {
    const bytes = asBuffer(json);
    const projection = this.#options.projection?.();
    const skimmed = projection && this.#skim.object(projection, bytes, start, end);
    const { text, value } = skimmed ?? this.#parse(bytes, { start, end }, ofObject);
    if (!this.#options.keepManagedFields) dropManagedFields(value);
    if (projection === undefined || !isFields(value)) return this.#shared(text, value);
    const isLong = skimmed?.mayHoldLong ?? mayHoldLong(bytes, start, end);
    return projection.pick(isLong ? exact(text, value) : value);
  };

  /**
   * Reads one line of a watch: an event with its object.
   * @throws {SyntaxError} malformed JSON
   */
  readonly parseLine = (line: Uint8Array): unknown => {
    const bytes = asBuffer(line);
    const projection = this.#options.projection?.();
    const skimmed = projection && this.#skim.event(projection, bytes);
    const event = skimmed && this.#event(projection, skimmed, skimmed.mayHoldLong);
    if (event !== undefined) return event;
    const whole = this.#parseLine(bytes);
    if (projection === undefined) return this.#lean(whole);
    return this.#event(projection, whole, mayHoldLong(bytes)) ?? this.#lean(whole);
  };

  #lean({ text, value }: Parsed): unknown {
    if (!this.#options.keepManagedFields && isFields(value)) dropManagedFields(value['object']);
    return this.#shared(text, value);
  }

  /** Returns an event with its object reduced; `undefined` if the object is not a state. */
  #event(projection: Projection, { text, value }: Parsed, isLong: boolean): unknown {
    if (!isState(value)) return undefined;
    if (!this.#options.keepManagedFields) dropManagedFields(value.object);
    const { object } = isLong ? exact(text, value) : value;
    return { ...value, object: projection.pick(object) };
  }

  /** The traversal that shares strings also detects integers beyond 2^53. */
  #shared(text: string, value: unknown): unknown {
    return this.#options.strings.share(value) ? exact(text, value) : value;
  }

  /** The bytes may be a prefix of an object, which has to be rejected. */
  #parse(json: Buffer, range: Range, way: readonly Uint8Array[]): Parsed {
    const cut = this.#options.keepManagedFields ? undefined : superfluous(json, range, way, endOfList);
    return parsed(textWithout(json, range, cut));
  }

  #parseLine(line: Buffer): Parsed {
    const range = { start: 0, end: line.length };
    const guess = this.#doubts === 0 && !this.#options.keepManagedFields;
    const cut = guess ? superfluous(line, range, ofEvent, guessEndOfList) : undefined;
    if (cut !== undefined) {
      try {
        return parsed(textWithout(line, range, cut));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.#doubts = caution;
      }
    } else if (this.#doubts > 0) this.#doubts -= 1;
    return this.#parse(line, range, ofEvent);
  }
}

/** Adds the digits of integers beyond 2^53. */
function exact<V>(text: string, value: V): V {
  keepDigits(text, value);
  return value;
}

/** Returns whether an event contains a state of an object. Others contain a version, or an error. */
function isState(event: unknown): event is { readonly object: Fields } {
  return (
    isFields(event) && event['type'] !== 'BOOKMARK' && event['type'] !== 'ERROR' && isFields(event['object'])
  );
}

/** Handles cases that the byte scan does not: the only member, an unusual encoding, or a duplicate key. */
function dropManagedFields(object: unknown): void {
  if (!isFields(object) || !isFields(object['metadata'])) return;
  if (!Object.hasOwn(object['metadata'], 'managedFields')) return;
  // An object from which a member was deleted takes more memory than one that never had it.
  const { managedFields: _, ...metadata } = object['metadata'];
  Object.assign(object, { metadata });
}

function textWithout(json: Buffer, { start, end }: Range, cut: Range | undefined): string {
  if (cut === undefined) return json.toString('utf8', start, end);
  if (end - start > scratchBytes)
    return json.toString('utf8', start, cut.start) + json.toString('utf8', cut.end, end);
  // Decoding one string is faster than concatenating two.
  scratch.set(start === 0 && end === json.length ? json : json.subarray(start, end));
  scratch.copyWithin(cut.start - start, cut.end - start, end - start);
  return scratch.toString('utf8', 0, end - start - (cut.end - cut.start));
}

/**
 * Returns the bytes that can be removed: a list of `managedFields` with the comma before it, in the encoding
 * of servers.
 */
function superfluous(
  json: Buffer,
  { start, end }: Range,
  way: readonly Uint8Array[],
  findEnd: FindEnd,
): Range | undefined {
  let object = skipSpace(json, start, end);
  for (const name of way) {
    const found = findMember(json, object, end, name);
    if (found === undefined) return undefined;
    object = found.value;
  }
  const member = findMember(json, object, end, managedFields);
  const after = member === undefined ? -1 : findEnd(json, member, end);
  return member === undefined || after === -1 ? undefined : { start: member.start, end: after };
}
