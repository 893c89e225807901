/** What generated codecs are: values that know how one group version's kinds are written in protobuf. */
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

/** An object, or a part of one, as JSON has it. Its members are what the table of fields says they are. */
export type Message = Record<string, unknown>;

/** Reads the message that ends before byte `end`. */
export type ReadMessage = (reader: Reader, end: number) => Message;

/**
 * Writes a message without its tag and length, the last field first: the writer fills its bytes from their end. Gives how
 * many members of the object it took; where there are more, something would be lost.
 */
export type WriteMessage = (writer: Writer, message: Message) => number;

/** Both ways of one message. */
export interface MessageCodec {
  readonly read: ReadMessage;
  readonly write: WriteMessage;
}

/** The codec of a kind. `apiVersion` and `kind` are not in its message but in the envelope around it. */
export interface KindCodec extends MessageCodec {
  /** Of lists: what their items, field 2, are written with. Field 1 is the metadata. */
  readonly item?: MessageCodec;
}

/** Codecs by kind. */
export type Codecs = ReadonlyMap<string, KindCodec>;

/** What the `protobuf.ts` of a group version exports. */
export interface ProtobufModule {
  /** `Codecs`. Descriptors do not say so, for two copies of the runtime stay assignable to each other. */
  readonly codecs: ReadonlyMap<string, object>;
}

/** Loads the codecs of a group version, each time the same ones. */
export type LoadProtobuf = () => Promise<ProtobufModule>;
