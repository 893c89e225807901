/** Objects and lists in the envelopes of responses. */
import type { RequestOperation } from '../../api/operation.ts';
import type { DecodeObserver } from '../../api/transport.ts';
import type { Projection } from '../../codec/projection/projection.ts';
import { type Envelope, isEnvelope, parseEnvelope } from '../envelope.ts';
import { codecFailure } from '../errors/codec-failure.ts';
import type { DecodeContext } from '../errors/decode-context.ts';
import { ProtobufError, UnknownKindError } from '../errors/decode-error.ts';
import { runtimeCodecs } from '../meta/runtime-codecs.ts';
import { readerFor } from '../readers.ts';
import type { Codecs, KindCodec, Message, MessageCodec, ReadMessage } from '../types.ts';
import { fieldFilter } from '../wire/field-filter.ts';
import type { Reader } from '../wire/reader.ts';
import { envelopeHead, type FastFrame } from './frames-fast-path.ts';
import { ListReader } from './list-reader.ts';
import { delimited, FieldHead } from './response-field.ts';

/** `k8s` and a zero byte. */
const prefixBytes = 4;
/** Fields of an envelope: the type of the object, and the object. */
const typeField = 1;
const objectField = 2;
const noObject: Buffer = Buffer.from([(objectField << 3) | delimited, 0]);

/** Expected content of a response, and options of reading it. */
export interface ResponseOptions {
  /** The apiVersion of the kinds in `codecs`. */
  readonly apiVersion: string;
  /** The requested kind, for errors. */
  readonly kind: string;
  readonly codecs: Codecs;
  /** Drops `metadata.managedFields`: their bytes are skipped. */
  readonly omitManagedFields?: boolean | undefined;
  /**
   * Keeps the bytes of unknown fields, so that encoding writes them again. Default: unknown fields are an
   * error.
   */
  readonly keepUnknown?: boolean | undefined;
  /**
   * Represents malformed items of a list as `UnreadItem` if their names can be read. Default: a malformed
   * item fails the list.
   */
  readonly itemErrors?: boolean | undefined;
  /** Fields to which items of lists, and objects of events, are reduced. Default: all fields. */
  readonly projection?: Projection | undefined;
  /** Called after a body was decoded. */
  readonly decoded?: DecodeObserver | undefined;
}

/** A list whose bytes have not all arrived. */
export interface LongList {
  readonly list: ListReader;
  /** Receives the rest of the body after the list, and returns the whole. */
  finish(rest: Buffer): Message;
}

/** A kind with its codec, and with the first bytes of its envelopes if these are predictable. */
interface Known {
  readonly head: string | undefined;
  readonly read: ReadMessage;
  readonly context: DecodeContext;
  /** Context of objects that are reduced. */
  readonly reduced: DecodeContext;
}

/** Reads the responses to one request. */
export class ResponseReader {
  readonly #options: ResponseOptions;
  readonly #operation: RequestOperation;
  readonly #reader: Reader;
  #last: Known | undefined;

  constructor(operation: RequestOperation, options: ResponseOptions) {
    this.#operation = operation;
    this.#options = options;
    const { omitManagedFields, keepUnknown = false } = options;
    this.#reader = readerFor({ unknown: keepUnknown ? 'keep' : 'refuse', omitManagedFields });
  }

  /**
   * Reads the content of an envelope. An object is reduced if it is the state of an object in an event.
   * @throws {DecodeError}
   */
  read(bytes: Buffer, start = 0, end: number = bytes.length, isState = false): Message {
    const envelope = this.#parse(bytes, start, end);
    const { apiVersion, kind } = envelope;
    const codec = this.#codecOf(envelope);
    if (codec.item !== undefined) return this.#readList(envelope, codec.item, bytes);
    const { projection } = this.#options;
    const context = { apiVersion, kind, operation: this.#operation };
    const reduced = projection === undefined ? context : { ...context, filter: fieldFilter(projection) };
    this.#last = { head: envelopeHead(apiVersion, kind), read: codec.read, context, reduced };
    return this.#readObject(this.#last, bytes, envelope, isState);
  }

  #readObject(
    { read, context, reduced }: Known,
    bytes: Buffer,
    { start, end }: { readonly start: number; readonly end: number },
    isState: boolean,
  ): Message {
    try {
      if (!isState) return this.#reader.read(read, bytes, start, end, context);
      const object = this.#reader.read(read, bytes, start, end, reduced);
      return this.#options.projection?.pick(object) ?? object;
    } catch (error) {
      throw codecFailure(error, context.kind, this.#operation);
    }
  }

  /**
   * Reads the object of an event of the same kind as the previous one. Returns `undefined` if the kind or the
   * encoding differs.
   * @throws {DecodeError}
   */
  readFast(bytes: Buffer, frame: FastFrame, isState: boolean): Message | undefined {
    const last = this.#last;
    if (last?.head === undefined || !frame.isObject(bytes, last.head)) return undefined;
    return this.#readObject(last, bytes, frame, isState);
  }

  /** Releases the bytes of the last read. */
  forget(): void {
    this.#reader.forget();
  }

  /**
   * Starts to read a list. Returns `undefined` if the bytes contain something else, or a list in an unusual
   * encoding.
   * @throws {DecodeError}
   */
  begin(head: Buffer): LongList | undefined {
    const object = isEnvelope(head) ? this.#findObject(head) : undefined;
    if (object === undefined) return undefined;
    const { at, start, end } = object;
    const before = Buffer.concat([head.subarray(0, at), noObject]);
    const envelope = this.#parse(before, 0, before.length);
    const { item } = this.#codecOf(envelope);
    if (item === undefined) return undefined;
    const list = this.#listReader({ ...envelope, start, end }, item);
    list.push(head.subarray(start));
    return { list, finish: (rest) => this.#finish(list, Buffer.concat([before, list.rest, rest]), end) };
  }

  #finish(list: ListReader, around: Buffer, end: number): Message {
    const { apiVersion, kind, ...other } = this.#parse(around, 0, around.length);
    if (other.start < other.end) throw this.#fault('another object follows', kind, end);
    return list.finish();
  }

  #readList(envelope: Envelope, item: MessageCodec, bytes: Buffer): Message {
    const list = this.#listReader(envelope, item);
    list.push(bytes.subarray(envelope.start));
    for (let step = list.step(); step !== 'ended'; step = list.step()) {
      if (step === 'incomplete') throw list.cutOff();
    }
    return list.finish();
  }

  #listReader({ apiVersion, kind, start, end }: Envelope, item: MessageCodec): ListReader {
    const { itemErrors, keepUnknown, projection } = this.#options;
    const about = { apiVersion, kind, operation: this.#operation, itemErrors, keepUnknown, projection };
    return new ListReader(
      { ...about, readItem: item.read, offset: start, length: end - start },
      this.#reader,
    );
  }

  /**
   * Returns the position of the object, which may end after the available bytes. Returns `undefined` if its
   * type does not precede it.
   */
  #findObject(
    head: Buffer,
  ): { readonly at: number; readonly start: number; readonly end: number } | undefined {
    const field = new FieldHead((reason, at) => this.#fault(reason, '', at));
    let typed = false;
    for (let at = prefixBytes; at < head.length && field.read(head, at, head.length); at = field.end) {
      const { number, wireType, start, end } = field;
      if (number === objectField && wireType === delimited) return typed ? { at, start, end } : undefined;
      typed ||= number === typeField;
    }
    return undefined;
  }

  #parse(bytes: Buffer, start: number, end: number): Envelope {
    return parseEnvelope(bytes, start, end, { kind: this.#options.kind, operation: this.#operation });
  }

  #codecOf({ apiVersion, kind }: Envelope): KindCodec {
    const { codecs, apiVersion: known } = this.#options;
    const codec = (apiVersion === known ? codecs.get(kind) : undefined) ?? runtimeCodecs.get(kind);
    if (codec !== undefined) return codec;
    if (kind === '')
      throw this.#fault('the envelope does not name the kind of the object', this.#options.kind, 0);
    throw new UnknownKindError(apiVersion, { kind, path: '', offset: 0, operation: this.#operation });
  }

  #fault(reason: string, kind: string, offset: number): ProtobufError {
    return new ProtobufError(reason, { kind, path: '', offset, operation: this.#operation });
  }
}
