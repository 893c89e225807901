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
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
  WatchNamespace,
} from './client/access.ts';
export { groupClient, resource, watchResource } from './client/access.ts';
export type { ListWatchOptions } from './client/list-watch.ts';
export { listWatch } from './client/list-watch.ts';
export type { Target } from './client/requests.ts';
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
  Scale,
  ScaleSpec,
  ScaleStatus,
  Status,
  StatusCause,
  StatusDetails,
  Time,
} from './meta.ts';
export type {
  ApplyOptions,
  Bookmarks,
  CustomPatchOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  DryRun,
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
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts';
export type {
  ClusterResource,
  FieldOf,
  NamespacedResource,
  ObjectOf,
  Resource,
  ResourceFacts,
  ResourceTypes,
  Scope,
  Verb,
} from './resource.ts';
export { defineResource } from './resource.ts';
export type { BodyOptions, CallOptions, RESTClientOptions } from './rest/client.ts';
export { RESTClient } from './rest/client.ts';
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
export type {
  AllNamespaces,
  Apply,
  BaseCrud,
  Create,
  Crud,
  CustomCrud,
  CustomPatch,
  CustomWriteStatus,
  Delete,
  DeleteCollection,
  Get,
  List,
  ListIteration,
  Patch,
  Update,
  WaitFor,
  Watch,
  WriteScale,
  WriteStatus,
} from './verbs.ts';
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
