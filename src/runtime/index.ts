/** The run-time half of kgen: REST, configuration, watch and cache for generated Kubernetes clients. */
export type {
  GroupInformers,
  InformerFactoryOptions,
  InformerOf,
  InformerSource,
} from './cache/factory.ts';
export { groupInformers, InformerFactoryBase } from './cache/factory.ts';
export type { Index, IndexFunction } from './cache/indexer.ts';
export { byLabel, byNamespace, byOwner } from './cache/indices.ts';
export type {
  HandleOptions,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerHandlers,
  InformerOptions,
  InformerStats,
  Registration,
  RelistContext,
} from './cache/informer.ts';
export type {
  ClusterLister,
  ListerOptions,
  NamespacedLister,
  NamespacedListerOptions,
} from './cache/lister.ts';
export type { RelistReason } from './cache/reflector-state.ts';
export type {
  SharedInformers,
  SharedInformersOptions,
  StartOptions,
  WaitForSyncOptions,
} from './cache/shared-informers.ts';
export type {
  Accessor,
  ClusterWatchHelper,
  GroupClient,
  NamespaceAccess,
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
  VirtualAccess,
  WatchNamespace,
} from './client/access.ts';
export { groupClient, resource, watchResource } from './client/access.ts';
export type { ConnectTarget } from './client/connect.ts';
export { connectRequest } from './client/connect.ts';
export type { ListWatchOptions } from './client/list-watch.ts';
export { listWatch } from './client/list-watch.ts';
export type { Target } from './client/request.ts';
export type { Connection } from './clientset.ts';
export { ClientsetBase } from './clientset.ts';
export type { InClusterOptions } from './config/in-cluster.ts';
export { inClusterConfig } from './config/in-cluster.ts';
export type { LoadConfigOptions } from './config/load.ts';
export { loadConfig, parseKubeconfig } from './config/load.ts';
export type { Selection } from './config/select.ts';
export type { AuthConfig, ClusterConfig, TlsConfig } from './config/types.ts';
export {
  ApiError,
  ConfigError,
  DecodeError,
  describeOperation,
  hasStatusCause,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConfigError,
  isConflict,
  isDecodeError,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTimeoutError,
  isTooManyRequests,
  isTransportError,
  isUnauthorized,
  isUnsupportedMediaType,
  statusCauses,
  TimeoutError,
  TransportError,
} from './errors.ts';
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
} from './meta.ts';
export { microTime } from './micro-time.ts';
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
} from './options.ts';
export type {
  BodyKind,
  ClusterResource,
  ConnectFacts,
  ConnectResource,
  FieldOf,
  NamespacedResource,
  ObjectOf,
  Resource,
  ResourceFacts,
  ResourceTypes,
  Scope,
  Verb,
} from './resource.ts';
export { defineConnect, defineResource } from './resource.ts';
export type { AnyCalls, BodyOptions, CallOptions } from './rest/calls.ts';
export type { RESTClientOptions } from './rest/client.ts';
export { RESTClient } from './rest/client.ts';
export type {
  Calls,
  PathAnswer,
  PathArguments,
  PathCallOptions,
  PathCalls,
  PathMethod,
  PathOf,
} from './rest/operations.ts';
export type { QueryValue } from './rest/query.ts';
export type { Method, Operation, Request, Response, Transport } from './rest/types.ts';
export type { Warning, WarningHandler } from './rest/warnings.ts';
export type { RetryOnConflictOptions } from './retry-on-conflict.ts';
export { retryOnConflict } from './retry-on-conflict.ts';
export { fieldSelectorText } from './selectors/fields.ts';
export { labelSelectorText } from './selectors/labels.ts';
export type { Labels } from './selectors/match-labels.ts';
export { labelRequirements, matchLabels } from './selectors/match-labels.ts';
export type { LabelRequirement } from './selectors/parse-labels.ts';
export { parseLabelSelector } from './selectors/parse-labels.ts';
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
} from './types.ts';
export type { Bind, CreateToken, Evict } from './verbs/actions.ts';
export type { AllNamespaces, BaseCrud, Crud, CustomCrud } from './verbs/crud.ts';
export type { AsBytes, AsLines, ReadLog, SubresourceText } from './verbs/log.ts';
export type { Finalize, WriteApproval, WriteEphemeralContainers, WriteResize } from './verbs/parts.ts';
export type {
  Get,
  Iteration,
  List,
  ListIteration,
  ListVirtual,
  ReadVirtual,
  WaitFor,
  Watch,
} from './verbs/read.ts';
export type { WriteScale } from './verbs/scale.ts';
export type { CustomWriteStatus, WriteStatus } from './verbs/status.ts';
export type { SubresourceClient, Subresources } from './verbs/subresource.ts';
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
} from './verbs/write.ts';
export type { Clock, Environment, Random } from './watch/clock.ts';
export { condition } from './watch/condition.ts';
export type {
  AddedEvent,
  BookmarkEvent,
  BookmarkMeta,
  DeletedEvent,
  ModifiedEvent,
  WatchEvent,
} from './watch/events.ts';
export type { ListParams, ListWatch, WatchParams } from './watch/source.ts';
