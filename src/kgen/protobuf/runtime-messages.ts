/**
 * Messages that every group needs, by their keys in the table: the runtime has them written by hand, so that its answers,
 * lists and errors are read without any generated code. What they refer to is among them.
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
