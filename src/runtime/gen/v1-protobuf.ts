/** Version 1 of the module from which generated codecs import. Loaded with the first codec. */
export {
  readDeleteOptions,
  readListMeta,
  readPartialObjectMetadata,
  readPreconditions,
  readShardInfo,
  readStatus,
  readStatusCause,
  readStatusDetails,
  writeDeleteOptions,
  writeListMeta,
  writePartialObjectMetadata,
  writePreconditions,
  writeShardInfo,
  writeStatus,
  writeStatusCause,
  writeStatusDetails,
} from '../protobuf/around.ts';
export { listOf } from '../protobuf/list.ts';
export { readManagedFieldsEntry, writeManagedFieldsEntry } from '../protobuf/managed-fields.ts';
export {
  readObjectMeta,
  readOwnerReference,
  writeObjectMeta,
  writeOwnerReference,
} from '../protobuf/object-meta.ts';
export { decodeObject, encodeObject } from '../protobuf/objects.ts';
export { readJSON, readRawExtension, writeJSON, writeRawExtension } from '../protobuf/raw.ts';
export type { Reader } from '../protobuf/reader.ts';
export {
  readJSONSchemaPropsOrArray,
  readJSONSchemaPropsOrBool,
  readJSONSchemaPropsOrStringArray,
  writeJSONSchemaPropsOrArray,
  writeJSONSchemaPropsOrBool,
  writeJSONSchemaPropsOrStringArray,
} from '../protobuf/schema.ts';
export { add, exact, shape } from '../protobuf/shape.ts';
export {
  readBytes,
  readDuration,
  readIntOrString,
  readMicroTime,
  readQuantity,
  readTime,
  writeBytes,
  writeDuration,
  writeIntOrString,
  writeMicroTime,
  writeQuantity,
  writeTime,
} from '../protobuf/special.ts';
export type { Codecs, KindCodec, LoadProtobuf, Message, ProtobufModule } from '../protobuf/types.ts';
export type { Writer } from '../protobuf/writer.ts';
