/** Objects in protobuf, with the codecs of a generated output. */
export type { LoadProtobuf, ProtobufModule } from '../api/resource.ts';
export { type Envelope, parseEnvelope } from '../protobuf/envelope.ts';
export type { TypeNames } from '../protobuf/errors/decode-context.ts';
export { decodeWith, encodeWith } from '../protobuf/objects.ts';
export type { Codecs, KindCodec } from '../protobuf/types.ts';
