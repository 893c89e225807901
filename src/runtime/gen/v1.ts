/**
 * Version 1 of the only module from which generated code imports. Existing output keeps working as long as
 * this module exists; a breaking change results in a module `gen/v2` beside it.
 */
export type {
  GroupInformers,
  InformerFactoryOptions,
  InformerOf,
  InformerSource,
} from '../cache/factory.ts';
export { groupInformers, InformerFactoryBase } from '../cache/factory.ts';
export type { ClusterInformerOptions, Informer, InformerOptions } from '../cache/informer.ts';
export type { ClusterLister, NamespacedLister } from '../cache/lister.ts';
export type {
  Accessor,
  ClusterWatchHelper,
  GroupClient,
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
} from '../client/access.ts';
export { groupClient, watchResource } from '../client/access.ts';
export type { Connection } from '../clientset.ts';
export { ClientsetBase } from '../clientset.ts';
export type { ClusterConfig } from '../config/types.ts';
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
} from '../meta.ts';
export type {
  ApplyOptions,
  Bookmarks,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  FieldSelectorInput,
  GetOptions,
  Impersonation,
  IterateOptions,
  LabelSelectorInput,
  ListOptions,
  PatchOptions,
  PatchTyped,
  Preconditions,
  RequestOptions,
  SelectorOptions,
  SubmitApplyOptions,
  SubmitCustomPatchOptions,
  SubmitOptions,
  SubmitPatchOptions,
  SubmitPatchTyped,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from '../options.ts';
export type { LoadProtobuf } from '../protobuf/types.ts';
export type {
  BodyKind,
  ClusterResource,
  ConnectFacts,
  ConnectResource,
  NamespacedResource,
  ObjectOf,
  Resource,
  ResourceFacts,
  ResourceTypes,
  Scope,
  Verb,
} from '../resource.ts';
export { crud, defineConnect, defineResource } from '../resource.ts';
export type { RESTClient, RESTClientOptions } from '../rest/client.ts';
export type {
  BuiltInGroup,
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
  Named,
  NamedMeta,
  PatchBody,
  Stored,
  StoredMeta,
  StoredObject,
  StrategicDirectives,
  StrategicItem,
  StrategicMap,
  StrategicPatch,
} from '../types.ts';
export type { Bind, CreateToken, Evict } from '../verbs/actions.ts';
export type { AllNamespaces, BaseCrud, Crud, CustomCrud } from '../verbs/crud.ts';
export type { AsBytes, AsLines, ReadLog, SubresourceText } from '../verbs/log.ts';
export type { Finalize, WriteApproval, WriteEphemeralContainers, WriteResize } from '../verbs/parts.ts';
export type {
  Get,
  Iteration,
  List,
  ListIteration,
  ListVirtual,
  ReadVirtual,
  WaitFor,
  Watch,
} from '../verbs/read.ts';
export type { WriteScale } from '../verbs/scale.ts';
export type { CustomWriteStatus, WriteStatus } from '../verbs/status.ts';
export type { SubresourceClient, Subresources } from '../verbs/subresource.ts';
export type {
  Apply,
  Create,
  CreateOnly,
  CustomPatch,
  Delete,
  DeleteCollection,
  Patch,
  Submit,
  Update,
} from '../verbs/write.ts';
export type {
  AddedEvent,
  BookmarkEvent,
  BookmarkMeta,
  DeletedEvent,
  ModifiedEvent,
  WatchEvent,
} from '../watch/events.ts';
