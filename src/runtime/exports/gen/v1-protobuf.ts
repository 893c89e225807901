/** Version 1 of the module from which generated codecs import. Loaded with the first codec. */

export type { LoadProtobuf, ProtobufModule } from '../../api/resource.ts';
export { append, objectClass, trimCapacity } from '../../codec/object-class.ts';
export { readManagedFieldsEntry, writeManagedFieldsEntry } from '../../protobuf/meta/managed-fields.ts';
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
} from '../../protobuf/meta/meta-codecs.ts';
export {
  readObjectMeta,
  readOwnerReference,
  writeObjectMeta,
  writeOwnerReference,
} from '../../protobuf/meta/object-meta.ts';
export { decodeObject, encodeObject } from '../../protobuf/objects.ts';
export { listCodec } from '../../protobuf/response/list.ts';
export type { Codecs, KindCodec, Message } from '../../protobuf/types.ts';
export {
  readJSONSchemaPropsOrArray,
  readJSONSchemaPropsOrBool,
  readJSONSchemaPropsOrStringArray,
  writeJSONSchemaPropsOrArray,
  writeJSONSchemaPropsOrBool,
  writeJSONSchemaPropsOrStringArray,
} from '../../protobuf/values/json-schema-props.ts';
export { readJSON, readRawExtension, writeJSON, writeRawExtension } from '../../protobuf/values/raw-json.ts';
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
} from '../../protobuf/values/well-known.ts';
export type { Reader } from '../../protobuf/wire/reader.ts';
export type { Writer } from '../../protobuf/wire/writer.ts';
