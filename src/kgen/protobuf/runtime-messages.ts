/**
 * Messages that every group needs, by their keys in the table. Their codecs are part of the runtime, so that
 * it can read responses, lists and errors without generated code. The messages that they refer to are
 * included.
 */
export const runtimeMessages: ReadonlySet<string> = new Set(
  [
    'DeleteOptions',
    'ListMeta',
    'ManagedFieldsEntry',
    'ObjectMeta',
    'OwnerReference',
    'PartialObjectMetadata',
    'PartialObjectMetadataList',
    'Preconditions',
    'ShardInfo',
    'Status',
    'StatusCause',
    'StatusDetails',
  ].map((name) => `meta/v1.${name}`),
);
