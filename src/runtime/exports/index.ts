/**
 * Configuration, REST client, errors, watches and informers: the parts of the runtime that most programs use.
 */

export {
  ApiError,
  ConfigError,
  DecodeError,
  isApiError,
  isConfigError,
  isDecodeError,
  isTimeoutError,
  isTransportError,
  TimeoutError,
  TransportError,
} from '../api/errors.ts';
export type { CauseReason, MatchedError } from '../api/failure-reasons.ts';
export {
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotAllowed,
  isNamespaceTerminating,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  statusCauses,
} from '../api/failure-reasons.ts';
export type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
export { apiVersionOf, parseApiVersion } from '../api/group-version.ts';
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
} from '../api/meta.ts';
export { microTime } from '../api/micro-time.ts';
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  Impersonation,
  IterateOptions,
  ListOptions,
  OnRetry,
  PatchOptions,
  Preconditions,
  RequestOptions,
  WaitOptions,
  WatchOptions,
  WriteOptions,
} from '../api/options.ts';
export type { AnySelection, FieldSelection, Selected, SelectFields } from '../api/selected.ts';
export type {
  InNamespace,
  Intent,
  JsonPatchOperation,
  MergePatch,
  PatchBody,
  Stored,
  StoredObject,
  StrategicPatch,
  Transformed,
} from '../api/types.ts';
export type { LogOptions } from '../api/verbs/log.ts';
export type {
  AddedEvent,
  BookmarkEvent,
  BookmarkMeta,
  DeletedEvent,
  ModifiedEvent,
  WatchEvent,
} from '../api/watch-events.ts';
export type { InformerFactoryOptions } from '../cache/factory.ts';
export { InformerFactory } from '../cache/factory.ts';
export type {
  ClusterSelectedInformer,
  ClusterSelectedOptions,
  SelectedInformer,
  SelectedOptions,
} from '../cache/group-informers.ts';
export type {
  AddInfo,
  ClusterInformerOptions,
  DeleteInfo,
  HandlerRegistration,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerHandlers,
  InformerObject,
  InformerOptions,
  SelectOptions,
} from '../cache/informer/informer.ts';
export type { SharedInformers } from '../cache/informer/shared-informers.ts';
export type { ClusterLister, NamespacedLister } from '../cache/lister/lister.ts';
export type { InformerIndex } from '../cache/store/indexer.ts';
export { byLabel, byNamespace, byOwner } from '../cache/store/indices.ts';
export { resource, watchResource } from '../client/access.ts';
export type { RetryOnConflictOptions } from '../client/retry-on-conflict.ts';
export { retryOnConflict } from '../client/retry-on-conflict.ts';
export type { UseInstead } from '../common/use-instead.ts';
export { anonymous, withImpersonation, withToken } from '../config/identities.ts';
export type { InClusterOptions } from '../config/in-cluster.ts';
export { inClusterConfig } from '../config/in-cluster.ts';
export type { LoadConfigOptions } from '../config/load.ts';
export { loadConfig } from '../config/load.ts';
export type { AuthConfig, ClusterConfig, ExecConfig, OidcConfig, TlsConfig } from '../config/types.ts';
export { RESTClient } from '../rest/client.ts';
export type { RESTClientOptions } from '../rest/client-options.ts';
export type { ClientConnection } from '../rest/connection.ts';
export type { RateLimit } from '../rest/layers/limit.ts';
export type { ServerWarning, WarningHandler } from '../rest/layers/warnings.ts';
export type { FieldSelectorInput } from '../selectors/fields.ts';
export type { LabelSelectorInput } from '../selectors/labels.ts';
export type { SelectorOptions } from '../selectors/selection.ts';
export { condition } from '../watch/wait/condition.ts';
export type { UntilOptions, Watched } from '../watch/wait/until.ts';
export { until, untilObjects } from '../watch/wait/until.ts';
