/** Decoders of watch streams, in JSON or protobuf. */

import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse, ReadFrame } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { parseText } from '../../codec/integers/keep-digits.ts';
import { mayHoldLong } from '../../codec/integers/long-digits.ts';
import type { StreamEvent } from '../machine/machine-types.ts';
import type { ListWatch } from '../source.ts';
import { eventOf, unreadable } from './decode-event.ts';
import { FrameCutter, frameLimit } from './frames.ts';
import { LineCutter, linesOf } from './lines.ts';

/** Decoder of one stream. Chunk boundaries are irrelevant. */
export interface EventDecoder<O> {
  readonly encoding: 'json' | 'protobuf';
  /**
   * Returns the events that a chunk completes. Malformed data results in an `ERROR`, which is the last event
   * of the stream.
   */
  push(chunk: Uint8Array): StreamEvent<O>[];
  /**
   * Whether the rest of the stream cannot be decoded in this format. The response to the next request will be
   * in another one.
   */
  readonly unsupportedFormat: boolean;
  /**
   * Ends the stream. Returns a description of the incomplete part, or `undefined` if the stream is complete.
   */
  end(): string | undefined;
}

const html = 'text/html';
const protobuf = 'application/vnd.kubernetes.protobuf';

/**
 * Returns the decoder of a response: of frames for `application/vnd.kubernetes.protobuf;stream=watch`, else
 * of lines of JSON.
 * @throws {DecodeError} if the response has frames that were not requested, or is an HTML page
 */
export function decoderFor<T>(
  { headers, readFrame, maxEventBytes = frameLimit }: APIResponse,
  source: ListWatch<T>,
  operation: RequestOperation,
): EventDecoder<Stored<T>> {
  const type = headers['content-type'] ?? '';
  const [mediaType = ''] = type.split(';');
  const form = mediaType.trim().toLowerCase();
  const limit = Math.min(maxEventBytes, frameLimit);
  if (form === html) {
    const reason = `the response is ${html}, not a stream of JSON; is a proxy or a login page in between?`;
    throw new DecodeError(reason, operation);
  }
  if (form !== protobuf) return new LineDecoder(source.parseLine, operation, limit);
  if (readFrame !== undefined) return new FrameDecoder(readFrame, operation, limit);
  throw new DecodeError(
    `the server responded with ${JSON.stringify(type)}, although JSON was requested: its frames cannot be decoded`,
    operation,
  );
}

const openingBrace = 0x7b;
const carriageReturn = 0x0d;

/** Decoder of lines of JSON. */
class LineDecoder<O extends Stored<unknown>> implements EventDecoder<O> {
  readonly encoding = 'json';
  readonly unsupportedFormat = false;
  readonly #cutter: LineCutter;
  readonly #parse: ((line: Uint8Array) => unknown) | undefined;
  readonly #operation: RequestOperation;

  constructor(
    parse: ((line: Uint8Array) => unknown) | undefined,
    operation: RequestOperation,
    limit: number,
  ) {
    this.#cutter = new LineCutter(limit);
    this.#parse = parse;
    this.#operation = operation;
  }

  end(): string | undefined {
    const rest = this.#cutter.end();
    return rest === undefined || rest.toString().trim() === '' ? undefined : 'a line';
  }

  push(chunk: Uint8Array): StreamEvent<O>[] {
    const events: StreamEvent<O>[] = [];
    try {
      const { first, lines } = this.#cutter.push(chunk);
      if (first !== undefined && !this.#read(events, first)) return events;
      if (lines.length > 0) this.#read(events, lines.subarray(0, -1));
    } catch (cause) {
      events.push({ type: 'ERROR', error: unreadable(cause, 'a line', undefined, this.#operation) });
    }
    return events;
  }

  /** Decodes lines that are separated by newlines. Returns whether more events may follow. */
  #read(events: StreamEvent<O>[], lines: Buffer): boolean {
    const parse = this.#parse;
    if (parse !== undefined)
      return this.#readEach(events, linesOf(lines), (line) => parse(withoutReturn(line)));
    // Converts all lines at once: the strings that JSON.parse creates are copies.
    const parseLine = mayHoldLong(lines) ? parseText : JSON.parse;
    return this.#readEach(events, lines.toString().split('\n'), parseLine);
  }

  #readEach<L extends string | Buffer>(
    events: StreamEvent<O>[],
    lines: Iterable<L>,
    parse: (line: L) => unknown,
  ): boolean {
    let read: L | undefined;
    try {
      for (const line of lines) {
        read = line;
        if (isBlank(line)) continue;
        const event = eventOf<O>(parse(line), line, this.#operation);
        events.push(event);
        if (event.type === 'ERROR') return false;
      }
      return true;
    } catch (cause) {
      events.push({ type: 'ERROR', error: unreadable(cause, 'a line', read, this.#operation) });
      return false;
    }
  }
}

function isBlank(line: string | Buffer): boolean {
  const start = typeof line === 'string' ? line.charCodeAt(0) : line[0];
  return start !== openingBrace && line.toString().trim() === '';
}

function withoutReturn(line: Buffer): Buffer {
  return line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line;
}

/** Decoder of frames. The response has the function that decodes each frame. */
class FrameDecoder<O extends Stored<unknown>> implements EventDecoder<O> {
  readonly encoding = 'protobuf';
  readonly #cutter: FrameCutter;
  readonly #read: ReadFrame;
  readonly #operation: RequestOperation;
  #unsupportedFormat = false;

  constructor(read: ReadFrame, operation: RequestOperation, limit: number) {
    this.#cutter = new FrameCutter(limit);
    this.#read = read;
    this.#operation = operation;
  }

  get unsupportedFormat(): boolean {
    return this.#unsupportedFormat;
  }

  end(): string | undefined {
    return this.#cutter.open ? 'a frame' : undefined;
  }

  push(chunk: Uint8Array): StreamEvent<O>[] {
    const events: StreamEvent<O>[] = [];
    try {
      for (const frame of this.#cutter.push(chunk)) {
        const read = this.#read(frame);
        this.#unsupportedFormat = read === undefined;
        if (this.#unsupportedFormat) break;
        const event = eventOf<O>(read, undefined, this.#operation);
        events.push(event);
        if (event.type === 'ERROR') break;
      }
    } catch (cause) {
      events.push({ type: 'ERROR', error: unreadable(cause, 'a frame', undefined, this.#operation) });
    }
    return events;
  }
}
