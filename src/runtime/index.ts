/** The run-time package of kgen: REST, configuration, watch and cache for generated Kubernetes clients. */

export type { CauseReason, MatchedError } from './api/errors.ts';
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
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTimeoutError,
  isTooManyRequests,
  isTransportError,
  isUnauthorized,
  isUnsupportedMediaType,
  statusCauses,
  TimeoutError,
  TransportError,
} from './api/errors.ts';
export type { GroupVersionKind, GroupVersionResource } from './api/group-version.ts';
export { apiVersionOf, parseApiVersion } from './api/group-version.ts';
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
} from './api/meta.ts';
export { microTime } from './api/micro-time.ts';
export type { RequestOperation } from './api/operation.ts';
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
  OnRetry,
  PatchOptions,
  PatchTyped,
  Preconditions,
  RequestOptions,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from './api/options.ts';
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
  ResourceScope,
  ResourceTypes,
  ResourceVerb,
} from './api/resource.ts';
export { defineConnect, defineResource } from './api/resource.ts';
export type {
  APIRequest,
  APIResponse,
  HTTPMethod,
  RESTRequest,
  ReadFrame,
  Transport,
} from './api/transport.ts';
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
} from './api/types.ts';
export type { Bind, CreateToken, Evict } from './api/verbs/actions.ts';
export type { AllNamespaces, BaseCrud, Crud, CustomCrud } from './api/verbs/crud.ts';
export type { AsBytes, AsLines, LogOptions, ReadLog, SubresourceText } from './api/verbs/log.ts';
export type {
  Finalize,
  WriteApproval,
  WriteEphemeralContainers,
  WriteResize,
} from './api/verbs/object-subresources.ts';
export type {
  Get,
  List,
  ListIteration,
  ListVirtual,
  PagedIteration,
  ReadVirtual,
  WaitFor,
  Watch,
} from './api/verbs/read.ts';
export type { WriteScale } from './api/verbs/scale.ts';
export type { CustomWriteStatus, WriteStatus } from './api/verbs/status.ts';
export type { SubresourceClient, Subresources } from './api/verbs/subresource.ts';
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
} from './api/verbs/write.ts';
export type {
  AddedEvent,
  BookmarkEvent,
  BookmarkMeta,
  DeletedEvent,
  ModifiedEvent,
  WatchEvent,
} from './api/watch-events.ts';
export type { GroupInformers, InformerFactoryOptions, InformerOf, InformerSource } from './cache/factory.ts';
export { groupInformers, InformerFactoryBase as InformerFactory } from './cache/factory.ts';
export type {
  AddInfo,
  ClusterInformerOptions,
  DeleteInfo,
  HandleOptions,
  HandlerRegistration,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerHandlers,
  InformerOptions,
  RelistContext,
} from './cache/informer/informer.ts';
export type { InformerStats } from './cache/informer/informer-stats.ts';
export type {
  SharedInformers,
  SharedInformersOptions,
  StartOptions,
  WaitForSyncOptions,
} from './cache/informer/shared-informers.ts';
export type {
  ClusterLister,
  ListerOptions,
  NamespacedLister,
  NamespacedListerOptions,
} from './cache/lister/lister.ts';
export type { RelistReason } from './cache/reflector/reflector-state.ts';
export type { IndexFunction, InformerIndex } from './cache/store/indexer.ts';
export { byLabel, byNamespace, byOwner } from './cache/store/indices.ts';
export type {
  ClusterWatchHelper,
  GroupClient,
  NamespaceAccess,
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
  ResourceAccessor,
  VirtualAccess,
  WatchNamespace,
} from './client/access.ts';
export { groupClient, resource, watchResource } from './client/access.ts';
export type { ClientConnection } from './client/clientset.ts';
export { ClientsetBase } from './client/clientset.ts';
export type { ListWatchOptions } from './client/reading/list-watch.ts';
export { listWatch } from './client/reading/list-watch.ts';
export type { RequestTarget } from './client/requests/build-request.ts';
export type { ConnectTarget } from './client/requests/connect.ts';
export { connectRequest } from './client/requests/connect.ts';
export type { ResourceIdentity } from './client/requests/paths.ts';
export type { Representation } from './client/requests/representation.ts';
export type { RetryOnConflictOptions } from './client/retry-on-conflict.ts';
export { retryOnConflict } from './client/retry-on-conflict.ts';
export { type FieldPath, int64, setInt64 } from './codec/integers/int64.ts';
export type { Timing } from './common/timing.ts';
export { anonymous, withImpersonation, withToken } from './config/identities.ts';
export type { InClusterOptions } from './config/in-cluster.ts';
export { inClusterConfig } from './config/in-cluster.ts';
export type {
  Kubeconfig,
  KubeconfigChanges,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from './config/kubeconfig/kubeconfig.ts';
export type { KubeconfigSelection } from './config/kubeconfig/select.ts';
export type { KubeconfigOptions, LoadConfigOptions, ParseKubeconfigOptions } from './config/load.ts';
export { loadConfig, loadKubeconfig, parseKubeconfig } from './config/load.ts';
export type { AuthConfig, ClusterConfig, ExecConfig, OidcConfig, TlsConfig } from './config/types.ts';
export type { DiscoveryClientOptions } from './discovery/client.ts';
export { DiscoveryClient } from './discovery/client.ts';
export {
  AmbiguousMatchError,
  isAmbiguousMatch,
  isNoMatch,
  NoMatchError,
} from './discovery/mapping/errors.ts';
export type { RESTMapperOptions } from './discovery/mapping/rest-mapper.ts';
export { RESTMapper } from './discovery/mapping/rest-mapper.ts';
export type {
  APIGroup,
  APIResource,
  APIResourceList,
  DiscoveryCallOptions,
  DiscoveryResponse,
  DiscoverySource,
  GroupVersionForDiscovery,
  KindQuery,
  OpenAPIV3Path,
  RESTMapping,
  RESTSubresource,
  ResourceQuery,
  ServerGroups,
  ServerGroupsAndResources,
  ServerResources,
  VersionInfo,
} from './discovery/types.ts';
export type { KindMapper, ObjectPlace } from './dynamic/client-for.ts';
export type {
  ClusterDynamicResource,
  DynamicFacts,
  NamespacedDynamicResource,
} from './dynamic/descriptor.ts';
export { dynamicResource } from './dynamic/descriptor.ts';
export { DynamicClient } from './dynamic/dynamic-client.ts';
export type {
  MetadataResourceAccess,
  MetadataResourceClient,
  PartialObjectMetadata,
  PartialObjectMetadataList,
} from './dynamic/metadata/metadata.ts';
export { MetadataClient } from './dynamic/metadata/metadata-client.ts';
export { nestedField, removeNestedField, setNestedField } from './dynamic/nested-field.ts';
export type {
  ObjectApplyOptions,
  ObjectIdentity,
  ObjectsClientOptions,
} from './dynamic/objects-client.ts';
export { ObjectsClient } from './dynamic/objects-client.ts';
export { ScaleClient } from './dynamic/scale/scale-client.ts';
export type {
  MappedSubresources,
  ObjectName,
  ResourceMapper,
  ScalableResource,
  ScaleVerbs,
} from './dynamic/scale/scale-types.ts';
export type {
  Table,
  TableColumn,
  TableEvent,
  TableOptions,
  TableRow,
  TableRowCondition,
  TableWatchOptions,
} from './dynamic/tables/table.ts';
export { type TableTextOptions, tableText } from './dynamic/tables/table-text.ts';
export type {
  AccessOf,
  ClusterResourceName,
  MappedResource,
  NamespacedResourceName,
  ResourceDescriptor,
  ResourceName,
  VersionedResourceName,
} from './dynamic/target.ts';
export type { SubresourceBody, Unstructured, UnstructuredList } from './dynamic/unstructured.ts';
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
} from './dynamic/verbs.ts';
export { applyManifests, deleteManifests } from './manifests/manifests.ts';
export type {
  ApplyManifestsOptions,
  DeleteManifestsOptions,
  ManifestAction,
  ManifestFiles,
  ManifestInput,
  ManifestObject,
  ManifestOptions,
  ManifestResult,
  ManifestTarget,
  PrunedKind,
  PruneOptions,
} from './manifests/types.ts';
export { isManifestsError, ManifestsError } from './manifests/types.ts';
export type { AnyCondition, ConditionToSet, SetConditionOptions } from './objects/conditions.ts';
export {
  findCondition,
  isConditionFalse,
  isConditionTrue,
  removeCondition,
  setCondition,
} from './objects/conditions.ts';
export { addFinalizer, hasFinalizer, removeFinalizer } from './objects/finalizers.ts';
export type { OwnerObject, OwnerReferenceOptions } from './objects/owners.ts';
export {
  controllerOf,
  isControlledBy,
  isOwnedBy,
  ownerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './objects/owners.ts';
export { createJsonPatch } from './patch/create-json-patch.ts';
export { applyJsonPatch, isJsonPatchError, JsonPatchError } from './patch/json-patch.ts';
export { applyMergePatch, createMergePatch } from './patch/merge-patch.ts';
export type { AnyPathMethods, BodyOptions, CallOptions } from './rest/calls.ts';
export { RESTClient, type RESTClientOptions } from './rest/client.ts';
export type { RateLimit } from './rest/layers/limit.ts';
export type { ServerWarning, WarningHandler } from './rest/layers/warnings.ts';
export type { AttemptTrace, RequestTrace, TracedRequest } from './rest/observe/observe.ts';
export { attemptChannel, requestChannel } from './rest/observe/observe.ts';
export type {
  PathArguments,
  PathCallOptions,
  PathMethod,
  PathMethods,
  PathOf,
  PathResponse,
  TypedPathMethods,
} from './rest/operations.ts';
export type { QueryValue } from './rest/request/query.ts';
export type { ProtobufStats, RESTClientStats } from './rest/stats.ts';
export type { FieldSelectorInput, NotEqual } from './selectors/fields.ts';
export { fieldRequirementsText, fieldSelectorText } from './selectors/fields.ts';
export type { LabelSelectorInput } from './selectors/labels.ts';
export { labelRequirementsText, labelSelectorText } from './selectors/labels.ts';
export { fieldRequirements, matchFields } from './selectors/match-fields.ts';
export type { LabelSet } from './selectors/match-labels.ts';
export { labelRequirements, matchLabels } from './selectors/match-labels.ts';
export type { FieldRequirement } from './selectors/parse-fields.ts';
export { parseFieldSelector } from './selectors/parse-fields.ts';
export type { LabelRequirement } from './selectors/parse-labels.ts';
export { parseLabelSelector } from './selectors/parse-labels.ts';
export type { SelectorOptions } from './selectors/selection.ts';
export {
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  parseDuration,
} from './values/duration.ts';
export type { JsonPath, JsonPathOptions } from './values/jsonpath/jsonpath.ts';
export { parseJsonPath } from './values/jsonpath/jsonpath.ts';
export type { QuantityFormat, QuantityInput, QuantityValue } from './values/quantity.ts';
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityToNumber,
  quantityValue,
  subtractQuantities,
} from './values/quantity.ts';
export type { Clock, RandomSource, RuntimeEnvironment } from './watch/clock.ts';
export type { ListParams, ListWatch, ObjectList, UnreadableItem, WatchParams } from './watch/source.ts';
export { condition } from './watch/wait/condition.ts';
export { type UntilOptions, until, untilObjects } from './watch/wait/until.ts';
export { dumpAllYaml, dumpYaml } from './yaml/dump.ts';
export { type LoadYamlOptions, loadAllYaml, loadYaml } from './yaml/load.ts';
