/**
 * The types that every Kubernetes object shares, once for all generated outputs.
 * They describe the wire: times and quantities are strings, bytes are base64 text.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/
 */

/** A moment as RFC 3339 text with whole seconds, such as `2024-01-31T12:00:00Z`. */
export type Time = string;

/**
 * A moment as RFC 3339 text with six fraction digits, no more and no fewer: servers refuse what `Date.toISOString` gives.
 * `microTime` writes it.
 */
export type MicroTime = string;

/**
 * An amount as text, such as `500m`, `1Gi` or `2`: a decimal number, and a suffix for its power of ten or of two.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export type Quantity = string;

/** Names the object that owns another one: when the owner goes, the garbage collector removes what it owns. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** Foreground deletion of the owner waits for this object. Default false. */
  blockOwnerDeletion?: boolean;
  /** This owner is the one that manages the object; at most one owner says so. */
  controller?: boolean;
}

/** What one manager has set in an object: the bookkeeping of server-side apply. */
export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: { [key: string]: unknown };
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: Time;
}

/** The metadata of an object. The server sets the fields that are marked as read-only. */
export interface ObjectMeta {
  /** Free text for tools, up to 256 KiB in all. */
  annotations?: { [key: string]: string };
  /** When the server stored the object first. Read-only. */
  creationTimestamp?: Time;
  /** Seconds that the object is given to end in peace. Read-only. */
  deletionGracePeriodSeconds?: number;
  /** When deletion was asked for; finalizers may still hold the object. Read-only. */
  deletionTimestamp?: Time;
  /** The object stays until this list is empty. */
  finalizers?: string[];
  /** Prefix from which the server makes a unique name when `name` is absent. */
  generateName?: string;
  /** Counts the changes of the desired state. Read-only. */
  generation?: number;
  /** What selectors select by. */
  labels?: { [key: string]: string };
  managedFields?: ManagedFieldsEntry[];
  /** Unique among the objects of one resource in one namespace. */
  name?: string;
  namespace?: string;
  ownerReferences?: OwnerReference[];
  /** Opaque version for optimistic concurrency and for watches. Read-only. */
  resourceVersion?: string;
  selfLink?: string;
  /** Unique in time and space: a deleted and recreated object has another one. Read-only. */
  uid?: string;
}

/** The metadata of a cluster-scoped object: it has no namespace. */
export interface ClusterMeta extends ObjectMeta {
  namespace?: never;
}

/** Which part of a list was asked for, where servers split lists (Kubernetes 1.36 and later). */
export interface ShardInfo {
  /** The selector of the request, as it was sent. */
  selector: string;
}

/** The metadata of a list. */
export interface ListMeta {
  /** Token for the next page; absent or empty at the end. */
  continue?: string;
  /** How many objects are left at least; absent when selectors are used. */
  remainingItemCount?: number;
  /** The version of the whole list: a watch may start from here. */
  resourceVersion?: string;
  selfLink?: string;
  /** Set where only a part was asked for. */
  shardInfo?: ShardInfo;
}

/** Anything with a kind: the least that all objects have in common. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** A list of objects as the server sends it. */
export interface KubernetesList<Item> {
  apiVersion?: string;
  kind?: string;
  metadata: ListMeta;
  items: Item[];
}

/** A whole object inside another one, of a kind that the schema leaves open. */
export interface EmbeddedObject {
  apiVersion: string;
  kind: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/** One reason among several why a request failed. */
export interface StatusCause {
  /** Path of the field at fault, such as `spec.replicas` or `items[0].name`. */
  field?: string;
  message?: string;
  /** Machine-readable, such as `FieldValueInvalid` or `FieldManagerConflict`. */
  reason?: string;
}

/** What a failure was about. */
export interface StatusDetails {
  causes?: StatusCause[];
  group?: string;
  /** In details this is the resource (plural) as often as the kind. */
  kind?: string;
  name?: string;
  /** Seconds to wait before asking again. */
  retryAfterSeconds?: number;
  uid?: string;
}

/**
 * The server's answer where no object is given back: failures, and some deletions.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/
 */
export interface Status {
  apiVersion: 'v1';
  kind: 'Status';
  metadata?: ListMeta;
  /** HTTP status code. */
  code?: number;
  details?: StatusDetails;
  message?: string;
  /** One word for the failure, such as `NotFound`. */
  reason?: string;
  status?: 'Success' | 'Failure' | (string & {});
}

/** How many copies run, and how many should: the body of every `scale` subresource. */
export interface Scale {
  apiVersion?: 'autoscaling/v1';
  kind?: 'Scale';
  metadata?: ObjectMeta;
  spec?: ScaleSpec;
  status?: ScaleStatus;
}

/** What is wanted of a scale. */
export interface ScaleSpec {
  /** Wanted number of copies. */
  replicas?: number;
}

/** What is observed of a scale. */
export interface ScaleStatus {
  /** Observed number of copies. */
  replicas: number;
  /** Label selector, as text, of what is counted. */
  selector?: string;
}

/** A query over labels: all parts must hold. An empty selector selects everything. */
export interface LabelSelector {
  matchExpressions?: LabelSelectorRequirement[];
  matchLabels?: { [key: string]: string };
}

/** One part of a label selector: what must hold for one key. */
export interface LabelSelectorRequirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | (string & {});
  /** Not empty for In and NotIn, empty for the others. */
  values?: string[];
}

/** One observed aspect of an object, as most status fields list them. */
export interface Condition {
  lastTransitionTime: Time;
  message: string;
  observedGeneration?: number;
  reason: string;
  status: 'True' | 'False' | 'Unknown' | (string & {});
  type: string;
}
