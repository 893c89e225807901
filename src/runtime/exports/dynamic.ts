/** Clients for resources that are known at run time only: dynamic, metadata, scale and table clients. */

export type { KindMapper, ObjectPlace } from '../dynamic/client-for.ts';
export type {
  ClusterDynamicResource,
  DynamicFacts,
  NamespacedDynamicResource,
} from '../dynamic/descriptor.ts';
export { dynamicResource } from '../dynamic/descriptor.ts';
export { DynamicClient } from '../dynamic/dynamic-client.ts';
export type {
  MetadataResourceAccess,
  MetadataResourceClient,
  PartialObjectMetadata,
  PartialObjectMetadataList,
} from '../dynamic/metadata/metadata.ts';
export { MetadataClient } from '../dynamic/metadata/metadata-client.ts';
export { nestedField, removeNestedField, setNestedField } from '../dynamic/nested-field.ts';
export type { ObjectIdentity, ObjectsClientOptions } from '../dynamic/objects-client.ts';
export { ObjectsClient } from '../dynamic/objects-client.ts';
export { ScaleClient } from '../dynamic/scale/scale-client.ts';
export type {
  MappedSubresources,
  ObjectName,
  ResourceMapper,
  ScalableResource,
  ScaleVerbs,
} from '../dynamic/scale/scale-types.ts';
export type {
  Table,
  TableColumn,
  TableEvent,
  TableOptions,
  TableRow,
  TableRowCondition,
  TableWatchOptions,
} from '../dynamic/tables/table.ts';
export type { TableTextOptions } from '../dynamic/tables/table-text.ts';
export { tableText } from '../dynamic/tables/table-text.ts';
export type {
  AccessOf,
  ClusterResourceName,
  MappedResource,
  NamespacedResourceName,
  ResourceDescriptor,
  ResourceName,
  VersionedResourceName,
} from '../dynamic/target.ts';
export type { SubresourceBody, Unstructured, UnstructuredList } from '../dynamic/unstructured.ts';
export type {
  ApplyObject,
  DynamicResourceAccess,
  DynamicResourceClient,
  ExplicitPatch,
  ExplicitPatchOptions,
  ExplicitPatchWriteStatus,
  PatchTypeName,
  UnstructuredClient,
  UnstructuredSubresource,
} from '../dynamic/verbs.ts';
export type { JsonPath, JsonPathOptions } from '../values/jsonpath/jsonpath.ts';
export { parseJsonPath } from '../values/jsonpath/jsonpath.ts';
