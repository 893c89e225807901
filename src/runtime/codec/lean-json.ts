/** Reads objects of a server from JSON without the parts that take most memory. */
import { type Fields, isFields } from '../common/fields.ts';
import { asBuffer } from './as-buffer.ts';
import { keepDigits } from './integers/keep-digits.ts';
import { mayHoldLong } from './integers/long-digits.ts';
import { PartialParser } from './managed-fields.ts';
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

/**
 * Reads objects as `JSON.parse` does, and drops their `managedFields` unless these are kept. The bytes of
 * `managedFields` are not parsed, which saves most of the time: they need not be valid JSON, as long as the
 * rest is.
 */
export class LeanReader {
  readonly #options: LeanOptions;
  readonly #parser: PartialParser | undefined;
  readonly #skim: Skim;

  constructor(options: LeanOptions) {
    this.#options = options;
    this.#parser = options.keepManagedFields ? undefined : new PartialParser();
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
    const { text, value } = skimmed ?? this.#parser?.object(bytes, start, end) ?? whole(bytes, start, end);
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
    const read = this.#parser?.event(bytes) ?? whole(bytes, 0, bytes.length);
    if (projection === undefined) return this.#lean(read);
    return this.#event(projection, read, mayHoldLong(bytes)) ?? this.#lean(read);
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
}

function whole(json: Buffer, start: number, end: number): Parsed {
  return parsed(json.toString('utf8', start, end));
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
