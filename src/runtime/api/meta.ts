/**
 * Types that all Kubernetes objects share, declared once for all generated outputs. They describe JSON: times
 * and quantities are strings, bytes are base64.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/
 */

/** A time in RFC 3339 format with whole seconds, such as `2024-01-31T12:00:00Z`. */
export type Time = string;

/**
 * A time in RFC 3339 format with exactly six fraction digits. Servers reject the result of
 * `Date.toISOString`; use `microTime`.
 */
export type MicroTime = string;

/**
 * A quantity such as `500m`, `1Gi` or `2`: a decimal number with a suffix for a power of ten or two.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export type Quantity = string;

/**
 * Reference to the owner of an object. The garbage collector deletes dependents when their owner is deleted.
 */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** Whether foreground deletion of the owner waits for this object. Default: false. */
  blockOwnerDeletion?: boolean | undefined;
  /** Whether this owner is the managing controller. At most one owner is. */
  controller?: boolean | undefined;
}

/** Fields that one manager has set in an object, as recorded by server-side apply. */
export interface ManagedFieldsEntry {
  apiVersion?: string | undefined;
  fieldsType?: string | undefined;
  fieldsV1?: { [key: string]: unknown } | undefined;
  manager?: string | undefined;
  operation?: string | undefined;
  subresource?: string | undefined;
  time?: Time | undefined;
}

/** The metadata of an object. The server sets the fields that are marked as read-only. */
export interface ObjectMeta {
  /** Arbitrary data for tools, at most 256 KiB in total. */
  annotations?: { [key: string]: string } | undefined;
  /** Time at which the server first stored the object; `null` in some manifests. Read-only. */
  creationTimestamp?: Time | null | undefined;
  /** Seconds for graceful termination of the object. Read-only. */
  deletionGracePeriodSeconds?: number | undefined;
  /** Time at which deletion was requested. Finalizers may still hold the object. Read-only. */
  deletionTimestamp?: Time | undefined;
  /** The object is not removed until this list is empty. */
  finalizers?: string[] | undefined;
  /** Prefix from which the server generates a unique name if `name` is absent. */
  generateName?: string | undefined;
  /** Incremented with each change of the desired state. Read-only. */
  generation?: number | undefined;
  /** Keys and values that selectors match. */
  labels?: { [key: string]: string } | undefined;
  managedFields?: ManagedFieldsEntry[] | undefined;
  /** Unique among the objects of one resource in one namespace. */
  name?: string | undefined;
  namespace?: string | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  /** Opaque version for optimistic concurrency and for watches. Read-only. */
  resourceVersion?: string | undefined;
  selfLink?: string | undefined;
  /** Unique identifier. An object that is deleted and created again has a different one. Read-only. */
  uid?: string | undefined;
}

/** The metadata of a cluster-scoped object, which has no namespace. */
export interface ClusterMeta extends ObjectMeta {
  namespace?: never;
}

/** Part of a list that was requested with a shard selector (Kubernetes 1.36 and later). */
export interface ShardInfo {
  /** Shard selector of the request. */
  selector: string;
}

/** The metadata of a list. */
export interface ListMeta {
  /** Token for the next page. Absent or empty at the end. */
  continue?: string | undefined;
  /** Minimum number of remaining objects. Absent if selectors are used. */
  remainingItemCount?: number | undefined;
  /** The version of the list, from which a watch may start. */
  resourceVersion?: string | undefined;
  selfLink?: string | undefined;
  /** Shard of the objects; set if the request had a shard selector. */
  shardInfo?: ShardInfo | undefined;
}

/** The members that objects of all kinds have in common. */
export interface KubernetesObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: ObjectMeta | undefined;
}

/** A list of objects, as returned by the server. */
export interface KubernetesList<Item> {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata: ListMeta;
  items: Item[];
}

/** A complete object inside another one, of a kind that the schema does not restrict. */
export interface EmbeddedObject {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta | undefined;
  [field: string]: unknown;
}

/** One of several causes of a failed request. */
export interface StatusCause {
  /** Path of the invalid field, such as `spec.replicas` or `items[0].name`. */
  field?: string | undefined;
  message?: string | undefined;
  /** Machine-readable reason, such as `FieldValueInvalid` or `FieldManagerConflict`. */
  reason?: string | undefined;
}

/** Details of a failed request: object, causes and delay before a retry. */
export interface StatusDetails {
  causes?: StatusCause[] | undefined;
  group?: string | undefined;
  /** Plural name of the resource, or the kind; servers send either. */
  kind?: string | undefined;
  name?: string | undefined;
  /** Seconds to wait before a retry. */
  retryAfterSeconds?: number | undefined;
  uid?: string | undefined;
}

/**
 * The response of the server if it returns no object: failures, and some deletions.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export interface Status {
  apiVersion: 'v1';
  kind: 'Status';
  metadata?: ListMeta | undefined;
  /** HTTP status code. */
  code?: number | undefined;
  details?: StatusDetails | undefined;
  message?: string | undefined;
  /** Machine-readable reason of the failure, such as `NotFound`. */
  reason?: string | undefined;
  status?: 'Success' | 'Failure' | (string & {}) | undefined;
}

/** Desired and observed number of replicas: the body of every `scale` subresource. */
export interface Scale {
  apiVersion?: 'autoscaling/v1' | undefined;
  kind?: 'Scale' | undefined;
  metadata?: ObjectMeta | undefined;
  spec?: ScaleSpec | undefined;
  status?: ScaleStatus | undefined;
}

/** Desired state of a scale. */
export interface ScaleSpec {
  /** Desired number of replicas. */
  replicas?: number | undefined;
}

/** Observed state of a scale. */
export interface ScaleStatus {
  /** Observed number of replicas. */
  replicas: number;
  /** Label selector of the counted objects, in string form. */
  selector?: string | undefined;
}

/** A query over labels, in which all requirements must match. An empty selector matches every object. */
export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[] | undefined;
  matchLabels?: { [key: string]: string } | undefined;
}

/** One requirement of a label selector, for one key. */
export interface LabelSelectorRequirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | (string & {});
  /** Not empty for In and NotIn, empty for the other operators. */
  values?: string[] | undefined;
}

/** One observed condition of an object, as in most status fields. */
export interface Condition {
  lastTransitionTime: Time;
  message: string;
  observedGeneration?: number | undefined;
  reason: string;
  status: 'True' | 'False' | 'Unknown' | (string & {});
  type: string;
}
