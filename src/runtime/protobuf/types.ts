/** Types of generated codecs, which encode the kinds of one group version in protobuf. */
import type { Reader } from './wire/reader.ts';
import type { Writer } from './wire/writer.ts';

/** An object, or a part of one, as in JSON. The table of fields determines its members. */
export type Message = Record<string, unknown>;

/** Reads the message that ends before byte `end`. */
export type ReadMessage = (reader: Reader, end: number) => Message;

/**
 * Writes a message without its tag and length, the last field first, because the writer fills its buffer from
 * the end. Returns the number of members that it consumed; if the object has more, they would be lost.
 */
export type WriteMessage = (writer: Writer, message: Message) => number;

/** Both directions of one message. */
export interface MessageCodec {
  readonly read: ReadMessage;
  readonly write: WriteMessage;
}

/** The codec of a kind. `apiVersion` and `kind` are part of the envelope rather than the message. */
export interface KindCodec extends MessageCodec {
  /** For lists: codec of their items, field 2. Field 1 is the metadata. */
  readonly item?: MessageCodec;
}

/** Codecs by kind. */
export type Codecs = ReadonlyMap<string, KindCodec>;
