/** Objects of a server, read from their JSON without what takes much memory. */
import { isFields } from '../fields.ts';
import { skipSpace } from './json-scan.ts';
import { endOfList, findMember } from './member-scan.ts';
import type { StringPool } from './string-pool.ts';

/** What of the objects is kept, and how. */
export interface LeanOptions {
  /** Whether `metadata.managedFields` stays, which is a third to a half of an object. */
  readonly keepManagedFields: boolean;
  /** Shares texts that recur. */
  readonly strings: StringPool;
}

const key = (name: string): Uint8Array => Buffer.from(JSON.stringify(name));
const managedFields = key('managedFields');
/** The way to the metadata of an object, and of the object in an event. */
const ofObject: readonly Uint8Array[] = [key('metadata')];
const ofEvent: readonly Uint8Array[] = [key('object'), ...ofObject];

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The bytes that can be left out: a list of `managedFields` with the comma before it, where servers write it. */
function superfluous(json: Uint8Array, { start, end }: Range, way: readonly Uint8Array[]): Range | undefined {
  let object = skipSpace(json, start, end);
  for (const name of way) {
    const found = findMember(json, object, end, name);
    if (found === undefined) return undefined;
    object = found.value;
  }
  const member = findMember(json, object, end, managedFields);
  const after = member === undefined ? -1 : endOfList(json, member, end);
  return member === undefined || after === -1 ? undefined : { start: member.start, end: after };
}

/** The same bytes, with what Node.js can do to them. */
function bufferOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function parseWithout(json: Buffer, { start, end }: Range, way: readonly Uint8Array[]): unknown {
  const cut = superfluous(json, { start, end }, way);
  if (cut === undefined) return JSON.parse(json.toString('utf8', start, end));
  // A text of two is cheaper than bytes that are put together first.
  return JSON.parse(json.toString('utf8', start, cut.start) + json.toString('utf8', cut.end, end));
}

/** For what the bytes were not cut for: it is the only member, written in an unusual way, or there twice. */
function dropManagedFields(object: unknown): void {
  if (!isFields(object) || !isFields(object['metadata'])) return;
  if (!Object.hasOwn(object['metadata'], 'managedFields')) return;
  // An object that a member was deleted from takes more memory than one that never had it.
  const { managedFields: _, ...metadata } = object['metadata'];
  Object.assign(object, { metadata });
}

/**
 * Reads objects as `JSON.parse` does, and drops their `managedFields` unless they are to be kept. The bytes of these are
 * not parsed, which takes most of the time otherwise: what is dropped may be something else than JSON, as long as its end
 * is clear.
 */
export class LeanReader {
  readonly #options: LeanOptions;

  constructor(options: LeanOptions) {
    this.#options = options;
  }

  /**
   * Reads one object.
   * @throws {SyntaxError} it is no JSON
   */
  readonly readItem = (json: Uint8Array, start: number, end: number): unknown => {
    const { keepManagedFields, strings } = this.#options;
    const item = this.#parse(bufferOf(json), { start, end }, ofObject);
    if (!keepManagedFields) dropManagedFields(item);
    strings.share(item);
    return item;
  };

  /**
   * Reads one line of a watch: an event with its object.
   * @throws {SyntaxError} it is no JSON
   */
  readonly parseLine = (line: Uint8Array): unknown => {
    const { keepManagedFields, strings } = this.#options;
    const event = this.#parse(bufferOf(line), { start: 0, end: line.length }, ofEvent);
    if (!keepManagedFields && isFields(event)) dropManagedFields(event['object']);
    strings.share(event);
    return event;
  };

  #parse(json: Buffer, range: Range, way: readonly Uint8Array[]): unknown {
    if (!this.#options.keepManagedFields) return parseWithout(json, range, way);
    return JSON.parse(json.toString('utf8', range.start, range.end));
  }
}
