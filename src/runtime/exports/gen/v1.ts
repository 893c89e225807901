/**
 * Version 1 of the only module from which generated code imports. Existing output keeps working as long as
 * this module exists; a breaking change results in a module `gen/v2` beside it.
 */

export type {
  CustomResourceDefinition,
  DefinitionConversion,
  DefinitionSchema,
  DefinitionVersion,
} from '../../api/definition.ts';
export type {
  ClusterMeta,
  Condition,
  EmbeddedObject,
  KubernetesList,
  KubernetesObject,
  LabelSelector,
  LabelSelectorRequirement,
  ListMeta,
  ManagedFieldsEntry,
  MicroTime,
  ObjectMeta,
  OwnerReference,
  Quantity,
  Scale,
  ScaleSpec,
  ScaleStatus,
  ShardInfo,
  Status,
  StatusCause,
  StatusDetails,
  Time,
} from '../../api/meta.ts';
export type {
  ApplyOptions,
  BookmarkOptions,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  Impersonation,
  IterateOptions,
  ListOptions,
  PatchOptions,
  PatchTyped,
  Preconditions,
  RequestOptions,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from '../../api/options.ts';
export type {
  BodyKind,
  ClusterResource,
  ConnectFacts,
  ConnectResource,
  LoadProtobuf,
  NamespacedResource,
  ObjectOf,
  Resource,
  ResourceFacts,
  ResourceScope,
  ResourceTypes,
  ResourceVerb,
} from '../../api/resource.ts';
export { crud, defineConnect, defineResource } from '../../api/resource.ts';
export type { LoadSchemas, SchemaDocument, SchemaModule, SchemaValue } from '../../api/schemas.ts';
export type { FieldSelection } from '../../api/selected.ts';
export type {
  AtMostOne,
  BuiltInGroup,
  ExactlyOne,
  InNamespace,
  Intent,
  IntentItem,
  IntentMap,
  IntentMeta,
  IntentOf,
  JsonPatchOperation,
  ListMap,
  MergeMap,
  MergePatch,
  NamedMeta,
  PatchBody,
  Stored,
  StoredMeta,
  StoredObject,
  StrategicDirectives,
  StrategicItem,
  StrategicMap,
  StrategicPatch,
  WithName,
  WriteResult,
} from '../../api/types.ts';
export type { Bind, CreateToken, Evict } from '../../api/verbs/actions.ts';
export type { AllNamespaces, BaseCrud, Crud, CustomCrud } from '../../api/verbs/crud.ts';
export type { AsBytes, AsLines, ReadLog, SubresourceText } from '../../api/verbs/log.ts';
export type {
  Finalize,
  WriteApproval,
  WriteEphemeralContainers,
  WriteResize,
} from '../../api/verbs/object-subresources.ts';
export type {
  Get,
  List,
  ListIteration,
  ListVirtual,
  PagedIteration,
  ReadVirtual,
  WaitFor,
  Watch,
} from '../../api/verbs/read.ts';
export type { WriteScale } from '../../api/verbs/scale.ts';
export type { CustomWriteStatus, WriteStatus } from '../../api/verbs/status.ts';
export type { SubresourceClient, Subresources } from '../../api/verbs/subresource.ts';
export type {
  Apply,
  Create,
  CreateAction,
  CreateOnly,
  CustomPatch,
  Delete,
  DeleteCollection,
  Patch,
  Update,
} from '../../api/verbs/write.ts';
export type {
  AddedEvent,
  BookmarkEvent,
  BookmarkMeta,
  DeletedEvent,
  ModifiedEvent,
  WatchEvent,
} from '../../api/watch-events.ts';
export type { InformerFactoryOptions, InformerSource } from '../../cache/factory.ts';
export { InformerFactoryBase } from '../../cache/factory.ts';
export type {
  ClusterSelectedInformer,
  ClusterSelectedOptions,
  GroupInformers,
  InformerOf,
  SelectedInformer,
  SelectedOptions,
} from '../../cache/group-informers.ts';
export { groupInformers } from '../../cache/group-informers.ts';
export type { ClusterInformerOptions, Informer, InformerOptions } from '../../cache/informer/informer.ts';
export type { ClusterLister, NamespacedLister } from '../../cache/lister/lister.ts';
export type {
  ClusterWatchHelper,
  GroupClient,
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
  ResourceAccessor,
} from '../../client/access.ts';
export { groupClient, watchResource } from '../../client/access.ts';
export { ClientsetBase } from '../../client/clientset.ts';
export type { ClusterConfig } from '../../config/types.ts';
export type { RESTClient } from '../../rest/client.ts';
export type { RESTClientOptions } from '../../rest/client-options.ts';
export type { ClientConnection } from '../../rest/connection.ts';
export type { FieldSelectorInput } from '../../selectors/fields.ts';
export type { LabelSelectorInput } from '../../selectors/labels.ts';
export type { SelectorOptions } from '../../selectors/selection.ts';
