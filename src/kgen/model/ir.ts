/**
 * The intermediate representation of an API, independent of the target language: `model` builds it, `emit`
 * prints it. It is plain immutable data in a fixed order: groups, versions, resources and types are sorted by
 * name, as are properties behind the common members of objects.
 */

import type { ExclusiveMembers } from '@kgen/schema/exclusive/exclusive';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import type { LogicKeyword } from './schema/facts.ts';

export type { ExclusiveMembers, JsonObject, JsonValue };

/** A whole output: every selected group version. */
export interface Model {
  readonly groupVersions: readonly GroupVersion[];
  /** Schemas of all kinds and of the definitions that they refer to, sorted by group and version. */
  readonly schemas: readonly GroupVersionSchemas[];
}

/** Schemas of one group version as API servers publish them, without descriptions. */
export interface GroupVersionSchemas {
  /** May be a group version without types of its own. */
  readonly home: GroupVersionName;
  /** By full name, such as `io.k8s.api.core.v1.Pod`; sorted. Equal parts of them are one object. */
  readonly definitions: ReadonlyMap<string, JsonObject>;
  /** Names of long parts that occur more than once. A part stands behind those that it contains. */
  readonly parts: ReadonlyMap<JsonObject, string>;
  /** Full name of the definition of each kind, sorted by kind. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Other group versions whose definitions these refer to, sorted. */
  readonly imports: readonly GroupVersionName[];
}

/**
 * One version of one API group: it has a folder, a client and a module. Without resources it only contains
 * types that others refer to: `meta/v1`, which is not an API group, or a group version that is not selected.
 */
export interface GroupVersion {
  /** Full name of the API group. `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** Group and version as in objects: `apps/v1`, or `v1` in the core group. */
  readonly apiVersion: string;
  /** Name of its member in a clientset, such as `appsV1`. Unique in the model. */
  readonly accessor: string;
  readonly names: GroupVersionNames;
  readonly resources: readonly Resource[];
  /**
   * Every object type of this group version, kinds and lists included. Their names, their aliases and all
   * other names of the group version and its resources are unique, except accessors.
   */
  readonly types: readonly NamedType[];
  /** Types of the runtime that belong to this group version and are re-exported from it, sorted. */
  readonly runtimeTypes: readonly RuntimeType[];
  /** Names of the CustomResourceDefinitions of its resources, sorted. */
  readonly crds: readonly string[];
  /**
   * Minor version of Kubernetes that it is part of, such as `1.36`. Absent if it is unknown, and for CRDs.
   */
  readonly kubernetesVersion?: string;
}

/** Identifies a group version. */
export interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** Identifiers for a group version as a whole. */
export interface GroupVersionNames {
  /** Interface of its clients, such as `AppsV1Client`. */
  readonly clients: string;
  /** Interface of its informers, such as `AppsV1Informers`. */
  readonly informers: string;
}

export type Verb = 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A served resource with its path, kind and verbs. */
export interface Resource {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** In the order of `Verb`. */
  readonly verbs: readonly Verb[];
  /**
   * Whether its objects are stored, so that they have uid and version. False for create-only kinds (reviews)
   * and for virtual ones (computed on request: listed, but not watched).
   */
  readonly stored: boolean;
  /** Sorted by name. */
  readonly subresources: readonly Subresource[];
  /** Names of the resource's parts in generated code. Each is unique within its group version. */
  readonly names: ResourceNames;
  /** Paths of the fields that field selectors accept besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
  /**
   * Set if the version is deprecated: the server's warning, or the deprecation note of a kind that is not
   * defined by a CRD; `''` if there is no text.
   */
  readonly deprecated?: string;
  /** Whether the kind is built-in and accepts strategic merge patches. False for custom resources. */
  readonly builtIn: boolean;
  /** Columns that `kubectl get` prints besides the name, in order. */
  readonly printerColumns: readonly PrinterColumn[];
}

/** Identifiers of a resource, assigned once so that clashes are resolved in one place. */
export interface ResourceNames {
  /** Accessor: the plural in lower camel case along the words of the kind, such as `networkPolicies`. */
  readonly accessor: string;
  /** Descriptor constant: the accessor, or a variant of it if that is a reserved word. */
  readonly constant: string;
  /** Type of the object: a `NamedType` of the group version. */
  readonly type: string;
  /**
   * Type of the list: a `NamedType` of the group version. If there is no list verb, the type of the object.
   */
  readonly list: string;
  /** Interface of the client, such as `NetworkPolicyClient`. */
  readonly client: string;
  /** Type of the lister, such as `NetworkPolicyLister`. */
  readonly lister: string;
  /** Type of the informer, such as `NetworkPolicyInformer`. */
  readonly informer: string;
  /** Type of its watch events, such as `NetworkPolicyWatchEvent`. */
  readonly event: string;
  /** Type of the fields that field selectors accept, such as `PodSelectableField`. */
  readonly field: string;
  /** Watch helper, such as `watchNetworkPolicies`. */
  readonly watch: string;
}

export interface Subresource {
  /** Last part of the path: `status`, `scale`, … */
  readonly name: string;
  /** In the order of `Verb`. Empty for connect subresources. */
  readonly verbs: readonly Verb[];
  readonly body: SubresourceBody;
}

/** Request and response bodies of a subresource. */
export type SubresourceBody =
  /** The resource's own kind: `status`, `approval`, `finalize`, … `answer` is the response if it differs. */
  | { readonly is: 'self'; readonly response?: Schema }
  /** `autoscaling/v1` Scale, a type of the runtime. */
  | { readonly is: 'scale' }
  /** Another kind: `eviction`, `binding`, `token`. `answer` is the response if it differs. */
  | { readonly is: 'object'; readonly schema: Schema; readonly response?: Schema }
  /** A string: `log`. */
  | { readonly is: 'text'; readonly options: ParameterType }
  /** A connection: `exec`, `attach`, `portforward`, `proxy`. */
  | { readonly is: 'connect'; readonly connect: Connect };

/** The query parameters of a request as a type: a `NamedType` of the group version. */
export interface ParameterType {
  readonly type: string;
}

/** A connect subresource. */
export interface Connect {
  /** Name of the descriptor constant, such as `podExec`. */
  readonly constant: string;
  /** Its query parameters. */
  readonly options: ParameterType;
  /** HTTP methods in upper case, sorted. */
  readonly methods: readonly string[];
  /** Whether the path may have further segments (`proxy/{path}`). */
  readonly path: boolean;
}

export interface PrinterColumn {
  readonly name: string;
  /** A type of OpenAPI, or `date`. */
  readonly type: string;
  readonly description?: string;
}

/** An object type with a name. Each shape has exactly one, and the names of other paths are its aliases. */
export interface NamedType {
  readonly name: string;
  readonly role: TypeRole;
  /**
   * Path of the schema: kind, then properties; items and map values as `[]` and `{}`. For docs and errors.
   * The path of a definition is its full name.
   */
  readonly path: string;
  readonly properties: readonly Property[];
  /** Type of the values of additional keys. Absent if there are none. */
  readonly rest?: Schema;
  /** Members that exclude each other, if the type states them. */
  readonly exclusive?: readonly ExclusiveMembers[];
  readonly facts: Facts;
  /** Names of other paths with an equal shape, sorted. Each is exported. */
  readonly aliases: readonly string[];
  /** Address of its page in the Kubernetes API reference. Only for built-in types. */
  readonly reference?: string;
}

/**
 * Role of a type: an object kind, the list of a stored kind, the list of a kind that is not stored, a named
 * definition of an OpenAPI document, the query parameters of a request, or a nested object.
 */
export type TypeRole = 'kind' | 'list' | 'virtual-list' | 'definition' | 'parameters' | 'nested';

export interface Property {
  /** Unmodified name in JSON. May be any string, `__proto__` and `''` included. */
  readonly name: string;
  readonly schema: Schema;
  /** Whether the schema requires it. */
  readonly required: boolean;
  /** Whether writers may omit it: it is not in `required`, or is required with a default. */
  readonly optional: boolean;
  /** Whether every object in a response has it although writers may omit it. */
  readonly defaulted: boolean;
}

/** A type with its facts. `nullable` adds `null` to its values. */
export type Schema = Shape & { readonly nullable: boolean; readonly facts: Facts };

export type Shape =
  | UnknownShape
  | { readonly shape: 'string' }
  | { readonly shape: 'integer' }
  | { readonly shape: 'number' }
  | { readonly shape: 'boolean' }
  /** An integer or a string, as `intstr.IntOrString`. */
  | { readonly shape: 'int-or-string' }
  /** A set of literals: closed, or open for APIs whose servers add values. */
  | { readonly shape: 'enum'; readonly values: readonly Literal[]; readonly open: boolean }
  | ArrayShape
  /** An object with free keys, whose values share one type. */
  | { readonly shape: 'map'; readonly values: Schema }
  /** An object type by name (never by alias): of the same group version, or of the one in `from`. */
  | RefShape
  /** A type of the runtime. */
  | { readonly shape: 'runtime'; readonly name: RuntimeType }
  /** A string literal, such as the `apiVersion` of a kind. */
  | { readonly shape: 'constant'; readonly value: string }
  /** Any one of the members. */
  | { readonly shape: 'union'; readonly members: readonly Schema[] };

/** A value of unknown type. */
export interface UnknownShape {
  readonly shape: 'unknown';
  /**
   * Reason: the schema has no type, allows anything below an object or an array, or preserves unknown fields.
   */
  readonly reason: 'untyped' | 'free-form' | 'preserve-unknown';
}

export interface RefShape {
  readonly shape: 'ref';
  readonly name: string;
  readonly from?: GroupVersionName;
  /**
   * Set if the schema of the object differs from that of the type in keywords that do not influence types,
   * such as titles of its properties.
   */
  readonly variant?: string;
}

export interface ArrayShape {
  readonly shape: 'array';
  readonly items: Schema;
  /** `x-kubernetes-list-type`. Default: `atomic`. */
  readonly list: 'atomic' | 'set' | 'map';
  /**
   * `x-kubernetes-list-map-keys` in the schema's order. Empty unless `list` is `map` and each key is a
   * property of the items.
   */
  readonly mapKeys: readonly string[];
}

/** Types of the runtime, which exist once for all outputs. */
export type RuntimeType =
  | 'ClusterMeta'
  | 'Condition'
  | 'EmbeddedObject'
  | 'LabelSelector'
  | 'LabelSelectorRequirement'
  | 'ListMeta'
  | 'ManagedFieldsEntry'
  | 'MicroTime'
  | 'ObjectMeta'
  | 'OwnerReference'
  | 'Quantity'
  | 'Scale'
  | 'ScaleSpec'
  | 'ScaleStatus'
  | 'Status'
  | 'StatusCause'
  | 'StatusDetails'
  | 'Time';

export type Literal = string | number | boolean | null;

/** Documentation of a schema besides its type. It does not influence types. */
export interface Facts {
  /** Keywords of the schema, from which its tags are derived. */
  readonly keywords: JsonObject;
  /** Whether these are all keywords, so that types and tags state the schema completely. */
  readonly isWhole?: true;
  /** Logical keywords that the type does not express. */
  readonly logic?: readonly LogicKeyword[];
  /** Untrusted text of the schema's author. */
  readonly description?: string;
  /**
   * Set if the description or the schema declares a deprecation: the text after `Deprecated:`, possibly
   * empty.
   */
  readonly deprecated?: string;
  /** Set if the description or a rule declares that the value cannot change once it is set. */
  readonly immutable?: true;
}
