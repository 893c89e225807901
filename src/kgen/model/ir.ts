/**
 * What kgen knows about an API, in no target language: `model` builds it, `emit` prints it.
 * Everything is plain data, immutable, in a fixed order: groups, versions, resources and types are sorted by name,
 * properties keep the order of their schema.
 */

/** A whole output: every group version that was asked for. */
export interface Model {
  readonly groupVersions: readonly GroupVersion[];
  /** What all of it was read from, sorted by name. */
  readonly sources: readonly Source[];
}

/**
 * One version of one API group: the unit that has a folder, a client and a module of its own. Without resources it only
 * holds types that others refer to: `meta/v1`, which is no API group, or a group version that was left out.
 */
export interface GroupVersion {
  /** Full name of the API group; `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** Both as objects carry them: `apps/v1`, or `v1` in the core group. */
  readonly apiVersion: string;
  /** Name under which a clientset offers it, such as `appsV1`; unique in the model. */
  readonly accessor: string;
  readonly names: GroupVersionNames;
  readonly resources: readonly Resource[];
  /**
   * Every object type of this group version, kinds and lists included. Their names, their aliases and all other
   * names of the group version and its resources are unique here, accessors aside.
   */
  readonly types: readonly NamedType[];
  /** Types of the runtime that belong to this group version and are exported from it as well, sorted. */
  readonly runtimeTypes: readonly RuntimeType[];
  /** What this group version was read from, sorted by name. */
  readonly sources: readonly Source[];
}

/** Which group version. */
export interface GroupVersionName {
  readonly group: string;
  readonly version: string;
}

/** Identifiers of what a group version has as a whole. */
export interface GroupVersionNames {
  /** Of the interface of its clients, such as `AppsV1Client`. */
  readonly clients: string;
  /** Of the interface of its informers, such as `AppsV1Informers`. */
  readonly informers: string;
}

/** A file or URL that was read. */
export interface Source {
  /** As it is shown: a base name, without a path of the machine. */
  readonly name: string;
  /** SHA-256 of its text, in hexadecimal. */
  readonly hash: string;
}

export type Verb = 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A served resource: what has a path, a kind and verbs. */
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
   * Whether its objects are stored, so that what is read has uid and version: false for create-only kinds (reviews)
   * and for virtual ones (computed when they are asked for: listed, but not watched).
   */
  readonly stored: boolean;
  /** Sorted by name. */
  readonly subresources: readonly Subresource[];
  /** Names that generated code gives to the resource's parts; each is unique within its group version. */
  readonly names: ResourceNames;
  /** Paths of the fields that field selectors accept besides `metadata.name` and `metadata.namespace`. */
  readonly selectableFields: readonly string[];
  /**
   * Set when the version is deprecated: the server's warning, or what the description of a kind that no CRD defines
   * says after `Deprecated`; `''` where they say nothing more.
   */
  readonly deprecated?: string;
  /** True for the API's own kinds, which take strategic merge patches; false for custom resources. */
  readonly builtIn: boolean;
  /** Columns that `kubectl get` prints besides the name, in order. */
  readonly printerColumns: readonly PrinterColumn[];
}

/** Identifiers, decided once so that clashes are settled in one place. */
export interface ResourceNames {
  /**
   * Of the constant and the accessor: the plural in lower camel case along the kind's words, such as `networkPolicies`.
   */
  readonly accessor: string;
  /** Of the descriptor constant: the accessor, or a variant of it where that is a reserved word. */
  readonly constant: string;
  /** Of the object's type: a `NamedType` of the group version. */
  readonly type: string;
  /** Of the list's type: a `NamedType` of the group version. Where it is not listed, of the object's type. */
  readonly list: string;
  /** Of the interface of the client, such as `NetworkPolicyClient`. */
  readonly client: string;
  /** Of the type of the lister, such as `NetworkPolicyLister`. */
  readonly lister: string;
  /** Of the type of the informer, such as `NetworkPolicyInformer`. */
  readonly informer: string;
  /** Of the type of its watch events, such as `NetworkPolicyWatchEvent`. */
  readonly event: string;
  /** Of the type of the fields that selectors accept, such as `PodSelectableField`. */
  readonly field: string;
  /** Of the watch helper, such as `watchNetworkPolicies`. */
  readonly watch: string;
}

export interface Subresource {
  /** Last part of the path: `status`, `scale`, … */
  readonly name: string;
  /** In the order of `Verb`; empty where one connects to it. */
  readonly verbs: readonly Verb[];
  readonly body: SubresourceBody;
}

/** What a subresource takes and gives. */
export type SubresourceBody =
  /** The resource's own kind: `status`, `approval`, `finalize`, … `answer` where it gives something else. */
  | { readonly is: 'self'; readonly answer?: Schema }
  /** `autoscaling/v1` Scale, a type of the runtime. */
  | { readonly is: 'scale' }
  /** Another kind: `eviction`, `binding`, `token`; `answer` as above. */
  | { readonly is: 'object'; readonly schema: Schema; readonly answer?: Schema }
  /** Text: `log`. */
  | { readonly is: 'text'; readonly options: ParameterType }
  /** A connection: `exec`, `attach`, `portforward`, `proxy`. */
  | { readonly is: 'connect'; readonly connect: Connect };

/** The query parameters of a request as a type: a `NamedType` of the group version. */
export interface ParameterType {
  readonly type: string;
}

/** A subresource that one connects to. */
export interface Connect {
  /** Name of the descriptor constant, such as `podExec`. */
  readonly constant: string;
  /** Its query parameters. */
  readonly options: ParameterType;
  /** HTTP methods in upper case, sorted. */
  readonly methods: readonly string[];
  /** Whether the rest of a path may follow (`proxy/{path}`). */
  readonly path: boolean;
}

export interface PrinterColumn {
  readonly name: string;
  /** A type of OpenAPI, or `date`. */
  readonly type: string;
  readonly description?: string;
}

/** An object type with a name. Exactly one of them is printed for each shape; other paths' names are its aliases. */
export interface NamedType {
  readonly name: string;
  readonly role: TypeRole;
  /**
   * Where the schema stands: kind, then properties; items and map values as `[]` and `{}`. For docs and errors.
   * Of a definition its full name.
   */
  readonly path: string;
  readonly properties: readonly Property[];
  /** Type of the values of keys that are not in `properties`. Absent: there are no others. */
  readonly rest?: Schema;
  readonly facts: Facts;
  /** Names of other paths with an equal shape, sorted; each stays exported. */
  readonly aliases: readonly string[];
  /** Address of its page in the Kubernetes reference; only for Kubernetes' own types. */
  readonly reference?: string;
}

/**
 * What a type is for: an object kind, the list of a stored kind, the list of a kind that is not stored, a named
 * definition of an OpenAPI document, the query parameters of a request, or an object inside another one.
 */
export type TypeRole = 'kind' | 'list' | 'virtual-list' | 'definition' | 'parameters' | 'nested';

export interface Property {
  /** As on the wire, never changed. May be any string, `__proto__` and `''` included. */
  readonly name: string;
  readonly schema: Schema;
  /** True when it may be left out on write: not in `required`, or required with a default. */
  readonly optional: boolean;
  /** True when every object that was read has it although it is optional on write. */
  readonly defaulted: boolean;
}

/** A type with its facts. `null` is part of the value set when `nullable` says so. */
export type Schema = Shape & { readonly nullable: boolean; readonly facts: Facts };

export type Shape =
  | UnknownShape
  | { readonly shape: 'string' }
  | { readonly shape: 'integer' }
  | { readonly shape: 'number' }
  | { readonly shape: 'boolean' }
  /** A whole number or a string, as `intstr.IntOrString`. */
  | { readonly shape: 'int-or-string' }
  /** A closed (or open, for APIs whose servers add values) set of literals. */
  | { readonly shape: 'enum'; readonly values: readonly Literal[]; readonly open: boolean }
  | ArrayShape
  /** An object whose keys are free and whose values share one type. */
  | { readonly shape: 'map'; readonly values: Schema }
  /** An object type, by its name (never by an alias): of the same group version, or of the one in `from`. */
  | { readonly shape: 'ref'; readonly name: string; readonly from?: GroupVersionName }
  /** A type that the runtime owns. */
  | { readonly shape: 'runtime'; readonly name: RuntimeType }
  /** A literal string, such as a kind's own `apiVersion`. */
  | { readonly shape: 'constant'; readonly value: string }
  /** Any one of the members. */
  | { readonly shape: 'union'; readonly members: readonly Schema[] };

/** Nothing is known of the value. */
export interface UnknownShape {
  readonly shape: 'unknown';
  /** Why: the schema states no type, allows anything below an object or an array, or says preserve-unknown-fields. */
  readonly reason: 'untyped' | 'free-form' | 'preserve-unknown';
}

export interface ArrayShape {
  readonly shape: 'array';
  readonly items: Schema;
  /** `x-kubernetes-list-type`; `atomic` where the schema says nothing. */
  readonly list: 'atomic' | 'set' | 'map';
  /**
   * `x-kubernetes-list-map-keys`, in the schema's order; empty unless `list` is `map` and each key is a property of the
   * items.
   */
  readonly mapKeys: readonly string[];
}

/** Types that exist once, in the runtime, whatever the input. */
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

/** What documentation says of a schema besides its type. Nothing here changes a type. */
export interface Facts {
  /** Text of the author; untrusted. */
  readonly description?: string;
  /** The default as JSON text. */
  readonly default?: string;
  readonly format?: string;
  /** Validation the server does, in the schema's own words: `minimum` -> `1`, `pattern` -> `^a`. In a fixed order. */
  readonly rules: readonly Rule[];
  /** Set when the description or the schema says so; the text after `Deprecated:`, possibly empty. */
  readonly deprecated?: string;
  /** Set when the description or a rule says that the value may not change once it is set. */
  readonly immutable?: true;
}

export interface Rule {
  readonly name: RuleName;
  /** JSON text of the value; for `cel`, the expression, with `message` beside it. */
  readonly value: string;
  readonly message?: string;
}

export type RuleName =
  | 'minimum'
  | 'exclusiveMinimum'
  | 'maximum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'maxProperties'
  | 'listType'
  | 'listMapKeys'
  | 'mapType'
  | 'patchMergeKey'
  | 'patchStrategy'
  | 'constraint'
  | 'cel';
