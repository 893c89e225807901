/** Contracts between generated clients and clusters: resources, their schemas, and drifts. */
import type { SchemaDocument } from '@kgen/runtime/gen/v1';

/** Kind of a drift. */
export type DriftKind =
  /** Discovery or the schema of the group version fails, so that nothing can be compared. */
  | 'unavailable'
  | 'resource-missing'
  /** The server has the kind in other versions only. */
  | 'version-missing'
  /** The resource has objects of another kind. */
  | 'kind-changed'
  /** The kind has another resource name. */
  | 'resource-renamed'
  | 'scope-changed'
  | 'verb-missing'
  | 'subresource-missing'
  | 'selectable-field-missing'
  /** The server marks the version as deprecated. */
  | 'deprecated'
  | 'field-missing'
  | 'type-changed'
  /** The schema of the server no longer describes the field. */
  | 'type-removed'
  | 'format-changed'
  /** A field is required that was optional or unknown. */
  | 'required-added'
  /** A field is optional that was required. */
  | 'required-removed'
  | 'enum-narrowed'
  | 'enum-widened'
  /** A limit of numbers, lengths or sizes is tighter. */
  | 'limit-tightened'
  | 'pattern-changed'
  | 'nullable-added'
  | 'nullable-removed'
  | 'default-changed'
  | 'list-type-changed'
  /** Unknown fields are dropped that were kept. */
  | 'unknown-fields-dropped'
  /** A CEL rule is new or has changed. */
  | 'rule-added'
  /** `allOf`, `anyOf`, `oneOf` or `not` has changed. */
  | 'alternatives-changed'
  /** The server refuses a valid sample of the client's schema. */
  | 'sample-refused'
  /** The server stored a sample that was created in a dry run. */
  | 'sample-stored';

/** A difference between the resource that a client describes and the one that a cluster serves. */
export interface Drift {
  /** Group version and plural: `apps/v1 deployments`. */
  readonly resource: string;
  /** Path of the field: `spec.users[].name`, `spec.labels{}` for values of a map; `''` for the resource. */
  readonly path: string;
  readonly kind: DriftKind;
  /**
   * Whether programs may fail: the server refuses or drops data that they send, or responses lack data that
   * the types of the client contain. Differences that cannot be decided, such as those of CEL rules, are not
   * breaking.
   */
  readonly breaking: boolean;
  /** The change, as a sentence without the resource: `the field does not exist`. */
  readonly message: string;
  /** Release in which it happened, if the server states it: `v1.33`. */
  readonly since?: string;
}

/** Facts of a resource, as descriptors of clients and discovery state them. */
export interface ContractResource {
  /** API group of the resource, such as `apps`; `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly verbs: readonly string[];
  /** Supported verbs by subresource: `{ status: ['get', 'patch', 'update'] }`. */
  readonly subresources?: Readonly<Record<string, readonly string[]>>;
  /** Fields that field selectors accept, besides name and namespace. Absent if unknown. */
  readonly selectableFields?: readonly string[];
  /** Whether the kind is built-in: others have the metadata of the server. */
  readonly builtIn?: boolean;
}

/** The schema of a kind, and access to the definitions that it refers to. */
export interface ContractSchema {
  readonly root: SchemaDocument;
  /** Returns the definition with this full name: `io.k8s.api.core.v1.PodSpec`. */
  readonly definition: (name: string) => SchemaDocument | undefined;
}

/** A resource that a generated client names, with its schema. */
export interface KnownResource {
  readonly resource: ContractResource;
  /** Schema of the kind. Absent if the client was generated without schemas. */
  readonly schema?: ContractSchema;
}

/** Deprecation of an API version, as the server states it. */
export interface Deprecation {
  /** Warning that the server sends with responses of the version. */
  readonly message: string;
  /** Release of the deprecation: `v1.33`. */
  readonly since?: string;
}

/** A resource that a server supports, with its schema and its deprecation. */
export interface ServedResource {
  readonly resource: ContractResource;
  /** Schema of the kind. Absent if the server does not publish one. */
  readonly schema?: ContractSchema;
  readonly deprecation?: Deprecation;
}

/** Resources that a server supports, and the group versions that cannot be read. */
export interface ServedApi {
  readonly resources: readonly ServedResource[];
  /** Reasons why group versions cannot be read: by `v1`, `apps/v1`. */
  readonly unavailable: ReadonlyMap<string, string>;
}
