/** Objects and lists in their envelopes, as servers send them. */
import type { Operation } from '../rest/types.ts';
import { DELIMITED, FieldHead } from './answer-field.ts';
import { codecFailure } from './codec-failure.ts';
import { ProtobufError, UnknownKindError } from './decode-error.ts';
import { type Envelope, isEnvelope, parseEnvelope } from './envelope.ts';
import { envelopeHead, type UsualFrame } from './frames-usual.ts';
import { ListReader } from './list-reader.ts';
import { runtimeCodecs } from './own.ts';
import type { Reader } from './reader.ts';
import { readerFor } from './readers.ts';
import type { Subject } from './subject.ts';
import type { Codecs, KindCodec, Message, MessageCodec, ReadMessage } from './types.ts';

/** `k8s` and a zero. */
const PREFIX_BYTES = 4;
/** The fields of an envelope that say what the object is, and that have it. */
const TYPE = 1;
const OBJECT = 2;
const noObject: Buffer = Buffer.from([(OBJECT << 3) | DELIMITED, 0]);

/** What is to be expected, and how it is read. */
export interface AnswerOptions {
  /** Of the kinds in `codecs`. */
  readonly apiVersion: string;
  /** What was asked for, for errors. */
  readonly kind: string;
  readonly codecs: Codecs;
  /** Leaves `metadata.managedFields` out of objects: their bytes are passed over. */
  readonly omitManagedFields?: boolean | undefined;
  /** Keeps the bytes of fields that are not known, so that encoding writes them again. Default: they are an error. */
  readonly keepUnknown?: boolean | undefined;
  /** Items of a list that make no sense stand as `UnreadItem` in it, where they say their names. Default: the list makes none. */
  readonly itemErrors?: boolean | undefined;
}

/** A list of which not all is there. */
export interface LongList {
  readonly list: ListReader;
  /** Takes what follows the list in the body, and gives the whole. */
  finish(rest: Buffer): Message;
}

/** A kind of object: what its envelopes begin with where that can be told, and how it is read. */
interface Known {
  readonly head: string | undefined;
  readonly read: ReadMessage;
  readonly subject: Subject;
}

/** Reads the answers to one request. */
export class AnswerReader {
  readonly #options: AnswerOptions;
  readonly #operation: Operation;
  readonly #reader: Reader;
  #last: Known | undefined;

  constructor(operation: Operation, options: AnswerOptions) {
    this.#operation = operation;
    this.#options = options;
    const { omitManagedFields, keepUnknown = false } = options;
    this.#reader = readerFor({ unknown: keepUnknown ? 'keep' : 'refuse', omitManagedFields });
  }

  /**
   * Reads what is in the envelope in these bytes.
   * @throws {DecodeError}
   */
  read(bytes: Buffer, start = 0, end: number = bytes.length): Message {
    const envelope = this.#parse(bytes, start, end);
    const { apiVersion, kind } = envelope;
    const codec = this.#codecOf(envelope);
    if (codec.item !== undefined) return this.#readList(envelope, codec.item, bytes);
    const subject = { apiVersion, kind, operation: this.#operation };
    this.#last = { head: envelopeHead(apiVersion, kind), read: codec.read, subject };
    return this.#readObject(this.#last, bytes, envelope.start, envelope.end);
  }

  #readObject({ read, subject }: Known, bytes: Buffer, start: number, end: number): Message {
    try {
      return this.#reader.read(read, bytes, start, end, subject);
    } catch (error) {
      throw codecFailure(error, subject.kind, this.#operation);
    }
  }

  /**
   * Reads the object of an event that is of the same kind as the last one; `undefined` where it is not, or not written as
   * usual.
   * @throws {DecodeError}
   */
  readAlike(bytes: Buffer, frame: UsualFrame): Message | undefined {
    const last = this.#last;
    if (last?.head === undefined || !frame.isObject(bytes, last.head)) return undefined;
    return this.#readObject(last, bytes, frame.start, frame.end);
  }

  /** Lets go of what was read last. */
  forget(): void {
    this.#reader.forget();
  }

  /**
   * Begins to read the list that begins with these bytes; `undefined` where they begin something else, or a list in an
   * unusual way.
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
      if (step === 'hungry') throw list.cutOff();
    }
    return list.finish();
  }

  #listReader({ apiVersion, kind, start, end }: Envelope, item: MessageCodec): ListReader {
    const { itemErrors, keepUnknown } = this.#options;
    const about = { apiVersion, kind, operation: this.#operation, itemErrors, keepUnknown };
    return new ListReader(
      { ...about, readItem: item.read, offset: start, length: end - start },
      this.#reader,
    );
  }

  /** Where the object is, which may end behind the bytes that are there; `undefined` where nothing before it says what it is. */
  #findObject(
    head: Buffer,
  ): { readonly at: number; readonly start: number; readonly end: number } | undefined {
    const field = new FieldHead((reason, at) => this.#fault(reason, '', at));
    let typed = false;
    for (let at = PREFIX_BYTES; at < head.length && field.read(head, at, head.length); at = field.end) {
      const { number, wireType, start, end } = field;
      if (number === OBJECT && wireType === DELIMITED) return typed ? { at, start, end } : undefined;
      typed ||= number === TYPE;
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
      throw this.#fault('the envelope does not say of which kind the object is', this.#options.kind, 0);
    throw new UnknownKindError(apiVersion, { kind, path: '', offset: 0, operation: this.#operation });
  }

  #fault(reason: string, kind: string, offset: number): ProtobufError {
    return new ProtobufError(reason, { kind, path: '', offset, operation: this.#operation });
  }
}
