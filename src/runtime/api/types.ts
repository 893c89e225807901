/**
 * Type helpers for the object types of an API. Editors show the name of a mapped type,
 * an intersection or a union, but the body of a conditional type: these are used in members only.
 */
import type { ObjectMeta, Time } from './meta.ts';
import type { UnselectedMeta } from './selected.ts';

declare const listMapKeys: unique symbol;

/**
 * A list whose items are identified by some of their fields (`x-kubernetes-list-type: map`). It is used as an
 * array; only `Intent` and the patch types read the keys.
 */
export type ListMap<Item, Keys extends keyof Item> = Item[] | (Item[] & { readonly [listMapKeys]: Keys });

type KeysOf<V> = V extends { readonly [listMapKeys]: infer Keys } ? Keys : never;

type Scalar = string | number | boolean | null | undefined;

/** The named keys of `V`, without those of an index signature. */
type NamedKeys<V> = keyof { [K in keyof V as string extends K ? never : K]: never };

/**
 * True for an object with an index signature and a value type. An object that also has named fields is a
 * struct.
 */
type IsMap<V> = string extends keyof V
  ? unknown extends V[keyof V]
    ? false
    : [NamedKeys<V>] extends [never | number]
      ? true
      : false
  : false;

type Only<P extends K, T, K extends keyof T> = {
  [Q in keyof T]: Q extends Exclude<K, P> ? undefined : T[Q];
};

/** An object of type `T` that has exactly one of the members `K`. */
export type ExactlyOne<T, K extends keyof T> = {
  [P in K]-?: Only<P, T, K> & { [Q in P]-?: Exclude<T[Q], undefined> };
}[K];

/** An object of type `T` that has at most one of the members `K`. */
export type AtMostOne<T, K extends keyof T> = { [P in K]-?: Only<P, T, K> }[K];

/** Metadata fields that every stored object has. */
export interface StoredMeta {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestamp: Time;
}

/** The namespace of an object of a namespaced kind. */
export interface InNamespace {
  namespace: string;
}

/** Fields of every object that was read from a server. */
export interface StoredObject {
  apiVersion: string;
  kind: string;
  metadata: StoredMeta;
}

/**
 * Names of Kubernetes' own API groups besides the core group. In responses, objects of these groups always
 * have `spec` and `status` if their kind has such fields.
 */
export type BuiltInGroup =
  | 'apps'
  | 'autoscaling'
  | 'batch'
  | 'extensions'
  | 'policy'
  | 'admissionregistration.k8s.io'
  | 'apiextensions.k8s.io'
  | 'apiregistration.k8s.io'
  | 'authentication.k8s.io'
  | 'authorization.k8s.io'
  | 'certificates.k8s.io'
  | 'coordination.k8s.io'
  | 'discovery.k8s.io'
  | 'events.k8s.io'
  | 'flowcontrol.apiserver.k8s.io'
  | 'imagepolicy.k8s.io'
  | 'internal.apiserver.k8s.io'
  | 'networking.k8s.io'
  | 'node.k8s.io'
  | 'rbac.authorization.k8s.io'
  | 'resource.k8s.io'
  | 'scheduling.k8s.io'
  | 'storage.k8s.io'
  | 'storagemigration.k8s.io';

type Always<T> = [T] extends [{ apiVersion?: 'v1' | `${BuiltInGroup}/${string}` | undefined }]
  ? { [K in keyof T & Written<T>]: NonNullable<T[K]> }
  : unknown;

/** The only kind so far whose status is absent until a controller has written it. */
type Written<T> = [T] extends [{ kind?: 'ResourcePoolStatusRequest' | undefined }]
  ? 'spec'
  : 'spec' | 'status';

type Scope<T> = [T] extends [{ kind?: infer Kind; metadata?: { namespace?: infer Namespace } | undefined }]
  ? [string] extends [Kind]
    ? unknown
    : [Namespace] extends [undefined]
      ? unknown
      : { metadata: InNamespace }
  : unknown;

/**
 * An object as returned by a server: `T` with apiVersion, kind, name, uid, resourceVersion and
 * creationTimestamp, and with a namespace if the kind is namespaced.
 */
export type Stored<T> = T & StoredObject & Scope<T> & Always<T>;

/** Result of a `transform`: `Stored<T>` which may omit `spec` and `status`. */
export type Transformed<T> = T & StoredObject & Scope<T>;

/** The result of a write: `Stored<T>`, or `T` if it was a dry run, which stores nothing. */
export type WriteResult<T, DryRun> = 'All' extends DryRun ? T : Stored<T>;

/** Object metadata in which `name` is required. */
export interface NamedMeta extends UnselectedMeta {
  name: string;
}

/** `T` whose `metadata.name` is required, as in the argument of an update. */
export type WithName<T> = T & { metadata: NamedMeta };

/** The metadata of an intent: a name and optional further fields. */
export interface IntentMeta extends Omit<IntentOf<ObjectMeta>, 'name' | 'managedFields'> {
  name: string;
  /** An object that was read cannot be applied as it is: include only fields that the applier should own. */
  managedFields?: never;
}

/**
 * The body of server-side apply: the desired state of the fields that one manager owns. Every field is
 * optional, except the name and the keys of list items.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/
 */
export type Intent<T> = { [K in keyof T as Exclude<K, 'metadata'>]?: IntentField<T[K]> } & {
  metadata: IntentMeta;
};

/** An object inside an intent, with optional fields. */
export type IntentOf<T> = { [K in keyof T]?: IntentField<T[K]> };

/** An item of a keyed list inside an intent, with required keys. */
export type IntentItem<T, Keys extends keyof T> = IntentOf<T> & Pick<T, Keys>;

/** Map from strings to values inside the intent of a server-side apply. */
export type IntentMap<T> = { [K in keyof T]: IntentField<T[K]> };

type IntentField<V, Whole = V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? [KeysOf<Whole>] extends [never]
      ? V
      : IntentItem<Item, KeysOf<Whole> & keyof Item>[]
    : V extends object
      ? IsMap<V> extends true
        ? V[keyof V] extends Scalar
          ? V
          : IntentMap<V>
        : IntentOf<V>
      : V;

/** A JSON merge patch (RFC 7386) for `T`: `null` removes a field, lists are replaced as a whole. */
export type MergePatch<T> = { [K in keyof T]?: MergeField<T[K]> | null };

/** A map inside a JSON merge patch, whose values may not be `undefined`. */
export type MergeMap<T> = { [K in keyof T]: MergeField<T[K]> | null };

type MergeField<V> = V extends Scalar | readonly unknown[]
  ? V
  : V extends object
    ? IsMap<V> extends true
      ? MergeMap<V>
      : MergePatch<V>
    : V;

/** Directives of a strategic merge patch besides the fields of an object. */
export interface StrategicDirectives {
  $patch?: 'merge' | 'replace' | 'delete' | undefined;
  $retainKeys?: string[] | undefined;
}

interface StrategicOrder {
  [order: `$setElementOrder/${string}` | `$deleteFromPrimitiveList/${string}`]: unknown[];
}

type StrategicFields<T> = { [K in keyof T]?: StrategicField<T[K]> | null } & StrategicDirectives;

/**
 * A strategic merge patch for `T`: keyed lists are merged by item. For built-in kinds only.
 * @see https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
 */
export type StrategicPatch<T> = StrategicFields<T> | (StrategicFields<T> & StrategicOrder);

/**
 * An item of a keyed list inside a strategic merge patch: identified by its keys, or a directive to replace
 * the list.
 */
export type StrategicItem<T, Keys extends keyof T> =
  | (StrategicPatch<T> & Pick<T, Keys>)
  | { $patch: 'replace' };

/** A map inside a strategic merge patch: `null` removes an entry. */
export type StrategicMap<T> = { [K in keyof T]: StrategicField<T[K]> | null };

type StrategicField<V, Whole = V> = V extends Scalar
  ? V
  : V extends readonly (infer Item)[]
    ? [KeysOf<Whole>] extends [never]
      ? V
      : StrategicItem<Item, KeysOf<Whole> & keyof Item>[]
    : V extends object
      ? IsMap<V> extends true
        ? StrategicMap<V>
        : StrategicPatch<V>
      : V;

/**
 * One operation of a JSON patch (RFC 6902). Paths are JSON pointers: `/` in a key is written as `~1`, `~` as
 * `~0`.
 */
export type JsonPatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move' | 'copy'; from: string; path: string };

/** Type of the body of a patch, by the type of the patch. */
export interface PatchBody<T> {
  strategic: StrategicPatch<T>;
  merge: MergePatch<T>;
  json: JsonPatchOperation[];
}
