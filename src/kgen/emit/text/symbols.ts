/** The complete table of names that generated code may import from the runtime. */

/** Names of values. */
export type RuntimeValue =
  | 'ClientsetBase'
  | 'InformerFactoryBase'
  | 'crud'
  | 'defineConnect'
  | 'defineResource'
  | 'groupClient'
  | 'groupInformers'
  | 'watchResource';

/** Names of types. */
export type RuntimeTypeName =
  | 'AllNamespaces'
  | 'Apply'
  | 'AtMostOne'
  | 'Bind'
  | 'ClusterInformerOptions'
  | 'ClusterLister'
  | 'ClusterMeta'
  | 'ClusterResource'
  | 'ClusterSelectedInformer'
  | 'ClusterSelectedOptions'
  | 'ClusterWatchHelper'
  | 'Condition'
  | 'ConnectResource'
  | 'ClientConnection'
  | 'ClusterConfig'
  | 'Create'
  | 'CreateOnly'
  | 'CreateToken'
  | 'Crud'
  | 'CustomCrud'
  | 'CustomPatch'
  | 'CustomResourceDefinition'
  | 'CustomWriteStatus'
  | 'Delete'
  | 'DeleteCollection'
  | 'EmbeddedObject'
  | 'Evict'
  | 'ExactlyOne'
  | 'FieldSelection'
  | 'Finalize'
  | 'Get'
  | 'Informer'
  | 'InformerFactoryOptions'
  | 'InformerOptions'
  | 'InformerSource'
  | 'KubernetesObject'
  | 'LabelSelector'
  | 'LabelSelectorRequirement'
  | 'List'
  | 'ListMap'
  | 'ListMeta'
  | 'ListVirtual'
  | 'LoadProtobuf'
  | 'LoadSchemas'
  | 'ManagedFieldsEntry'
  | 'MicroTime'
  | 'NamespacedLister'
  | 'NamespacedResource'
  | 'NamespacedWatchHelper'
  | 'ObjectMeta'
  | 'OwnerReference'
  | 'Patch'
  | 'Quantity'
  | 'RESTClientOptions'
  | 'ReadLog'
  | 'ReadVirtual'
  | 'Scale'
  | 'ScaleSpec'
  | 'ScaleStatus'
  | 'SchemaDocument'
  | 'SchemaModule'
  | 'SelectedInformer'
  | 'SelectedOptions'
  | 'Status'
  | 'StatusCause'
  | 'StatusDetails'
  | 'Stored'
  | 'CreateAction'
  | 'SubresourceClient'
  | 'SubresourceText'
  | 'Subresources'
  | 'Time'
  | 'Update'
  | 'WaitFor'
  | 'Watch'
  | 'WatchEvent'
  | 'WriteApproval'
  | 'WriteEphemeralContainers'
  | 'WriteResize'
  | 'WriteScale'
  | 'WriteStatus';

/** Names of types that generated clients import from `@kgen/runtime/gen/v1/streams`. */
export type StreamTypeName = 'Attach' | 'Exec' | 'PortForward';

/**
 * Names of values that generated codecs and the root's `protobuf.ts` always import from
 * `@kgen/runtime/gen/v1/protobuf`.
 */
export type ProtobufValue = 'decodeObject' | 'encodeObject' | 'listCodec';

/**
 * Names of types that generated codecs and the root's `protobuf.ts` import from
 * `@kgen/runtime/gen/v1/protobuf`.
 */
export type ProtobufTypeName = 'Codecs' | 'KindCodec' | 'Message' | 'Reader' | 'Writer';
