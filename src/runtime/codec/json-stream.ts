/** Large bodies, decoded as they arrive. Loaded with the first of them. */

import type { RequestOperation } from '../api/operation.ts';
import type { APIResponse, DecodeObserver, ReadItem } from '../api/transport.ts';
import { cancel } from '../common/callbacks.ts';
import { TimeSlice } from '../common/time-slice.ts';
import { parseText } from './integers/keep-digits.ts';
import { ItemsReader } from './items-reader.ts';
import { decodeJson, decodeText, undecodable } from './json.ts';
import { type FoundItems, findItems, type ItemsName } from './json-scan.ts';
import { readItemLazily } from './lazy/lazy-json.ts';

/** Maximum size of a chunk in bytes. */
const longest = 256 * 1024;

/** A body whose first bytes have been read. */
export interface LongBody {
  /**
   * A list or table whose items start within these bytes is read item by item; other bodies are decoded as a
   * whole.
   */
  readonly head: Uint8Array;
  /** The bytes after the head. */
  readonly rest: AsyncIterator<Uint8Array>;
  readonly operation: RequestOperation;
  readonly contentType: string | undefined;
  /**
   * Reads each item of a list or table. Default: `JSON.parse`, and `managedFields` of the items of a list are
   * parsed on first access.
   */
  readonly readItem?: ReadItem | undefined;
  /** Called after the items were decoded. */
  readonly decoded?: DecodeObserver | undefined;
}

/** Decodes the long body of a response. Cancels the response if it cannot be decoded. */
export async function decodeResponse(
  response: Pick<APIResponse, 'headers' | 'cancel'>,
  body: Omit<LongBody, 'contentType'>,
): Promise<unknown> {
  try {
    return await decodeLong({ ...body, contentType: response.headers['content-type'] });
  } catch (error) {
    cancel(response);
    throw error;
  }
}

/** How much of the head is searched for items: servers write little before them. */
const searched = 256 * 1024;

/**
 * Returns the result of `JSON.parse` for the whole body; `managedFields` of items may be accessors of their
 * values. A list (an object with a list as its member `items`) or a table (with `rows`) may be larger than
 * the maximum string length. It is parsed in slices of a few milliseconds, so that it does not block the
 * event loop.
 * @throws {DecodeError} truncated or malformed JSON, or a body that is not a list and exceeds the maximum
 * string length
 */
export async function decodeLong(body: LongBody): Promise<unknown> {
  const { head, rest, operation, contentType } = body;
  const found = findItems(head.subarray(0, searched));
  if (found !== undefined) return decodeItems(body, found);
  const after = await new Pieces([], rest).readAll();
  return decodeJson(Buffer.concat([head, ...after]), operation, contentType);
}

/** The items start in the head. */
async function decodeItems(
  { head, rest, operation, contentType, readItem, decoded }: LongBody,
  { name, start }: FoundItems,
): Promise<unknown> {
  const pieces = new Pieces([head.subarray(start)], rest);
  const reader = new ItemsReader(readItem ?? (name === 'items' ? readItemLazily : undefined));
  try {
    const ms = await readItems(reader, pieces);
    decoded?.('json', ms);
    const after = Buffer.concat([reader.rest, ...(await pieces.readAll())]);
    return around({ name, before: head.subarray(0, start - 1), after }, reader.items);
  } catch (cause) {
    // Errors of the connection are rethrown unchanged.
    if (cause === pieces.failure) throw cause;
    throw undecodable(cause, start + pieces.bytes, operation, contentType);
  }
}

/** Returns the time of the work in milliseconds. */
async function readItems(reader: ItemsReader, pieces: Pieces): Promise<number> {
  const slice = new TimeSlice();
  for (let step = reader.step(); step !== 'ended'; step = reader.step()) {
    if (step === 'incomplete') {
      const piece = await slice.input(pieces.next());
      if (piece === undefined) reader.complete();
      else reader.push(piece);
    }
    if (slice.over) await slice.next();
  }
  return slice.workedMs;
}

interface Around {
  readonly name: ItemsName;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Creates the object around the items from the bytes before and after them. A string replaces the items
 * meanwhile: as in `JSON.parse`, a later member of the same name takes precedence, and then the string is
 * absent.
 */
function around({ name, before, after }: Around, items: readonly unknown[]): unknown {
  const withText = (text: string): { [Name in ItemsName]?: unknown } =>
    // The prefix ensures that the result is an object with this member.
    parseText(decodeText(Buffer.concat([before, Buffer.from(JSON.stringify(text)), after]))) as {
      [Name in ItemsName]?: unknown;
    };
  const whole = withText('a');
  if (whole[name] === 'a' && withText('b')[name] === 'b') whole[name] = items;
  return whole;
}

/** The bytes of a body in chunks of limited size. */
export class Pieces {
  readonly #rest: AsyncIterator<Uint8Array>;
  /** Chunks that have not been returned completely. */
  #chunks: Uint8Array[];
  #bytes = 0;
  #failure: unknown;

  constructor(chunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    this.#chunks = [...chunks];
    this.#rest = rest;
  }

  /** Number of returned bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The error that interrupted the body. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Returns the next chunk; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift() ?? (await this.#read());
    if (chunk === undefined) return undefined;
    if (chunk.length > longest) this.#chunks.unshift(chunk.subarray(longest));
    const piece = chunk.subarray(0, longest);
    this.#bytes += piece.length;
    return piece;
  }

  /** Returns all remaining chunks. */
  async readAll(): Promise<Uint8Array[]> {
    const all: Uint8Array[] = [];
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) all.push(piece);
    return all;
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      const next = await this.#rest.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
