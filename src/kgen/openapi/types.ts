/** Description of an API: input of the model, independent of the version of OpenAPI. */
import type { SourcePlace } from '../common/problems.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { JsonObject, JsonPath } from '../input/crd/crd-input.ts';

/** A verb on stored objects, as named by discovery. */
export type ApiVerb =
  | 'create'
  | 'get'
  | 'list'
  | 'watch'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** Identifies a type of object. */
export interface GroupVersionKind {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One OpenAPI document. */
export interface ApiDocument {
  /** `2` for `swagger: '2.0'`, `3` for `openapi: 3.x`. */
  readonly dialect: 2 | 3;
  readonly value: JsonObject;
  /**
   * Origin of the document for messages: a file, or a path of the server such as `/openapi/v3/apis/apps/v1`.
   */
  readonly file: string;
  /**
   * The group version that a cluster serves it for, such as `apps/v1` or `v1`, independent of its content.
   */
  readonly groupVersion?: string;
}

/** A group version from discovery, equal for all forms of discovery. */
export interface DiscoveredGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

/** A resource from discovery. */
export interface DiscoveredResource {
  readonly plural: string;
  /** The kind in lower case if discovery has no singular. */
  readonly singular: string;
  /** If discovery omits group and version, those of the resource. */
  readonly kind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  /** In the order of discovery. Verbs that are not in `ApiVerb` (such as `proxy`) are dropped. */
  readonly verbs: readonly ApiVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Sorted by name. */
  readonly subresources: readonly DiscoveredSubresource[];
}

/** A subresource from discovery. */
export interface DiscoveredSubresource {
  /** `status`, `scale`, `exec`, … */
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly ApiVerb[];
}

/**
 * A served API: OpenAPI documents and discovery, combined in one dialect. Does not contain custom resources,
 * which are always described by `CrdDefinition`.
 */
export interface ApiDescription {
  /**
   * By full name, such as `io.k8s.api.core.v1.Pod`, sorted by name. Every `$ref` of a schema resolves to one
   * of them.
   */
  readonly definitions: ReadonlyMap<string, ApiDefinition>;
  /** Sorted by group, then version. Each has at least one resource. */
  readonly groupVersions: readonly ApiGroupVersion[];
  /**
   * Minor version of Kubernetes, such as `1.36`, if known from the server or the documents. Used for links to
   * the API reference.
   */
  readonly kubernetesVersion?: string;
}

/**
 * One named schema. Its dialect is that of CRD schemas with one addition:
 * - `{ $ref: '<full name>', … }` refers to a definition and may have siblings (`description`, `default`, …).
 *   `allOf: [{ $ref }]` with a single reference is normalised to this form, in `items` and
 *   `additionalProperties` too.
 * - `x-kubernetes-*` keywords and formats are unchanged.
 */
export interface ApiDefinition {
  readonly name: string;
  readonly schema: JsonObject;
  /**
   * `x-kubernetes-group-version-kind` without duplicates, in the order of the document. Empty for parts of
   * objects.
   */
  readonly kinds: readonly GroupVersionKind[];
  /** Returns the position of a node of the schema: at least its document. */
  readonly position: (path: JsonPath) => SourcePlace;
}

/** One served group version. */
export interface ApiGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Sorted by plural. */
  readonly resources: readonly ApiResource[];
}

/** A served resource that is not defined by a CRD. */
export interface ApiResource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  /** In the order of `ApiVerb`. */
  readonly verbs: readonly ApiVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Full name of the definition of the kind. Absent if no document has one. */
  readonly definition?: string;
  /**
   * Full name of the definition of the list. Absent if the resource cannot be listed or no document has one.
   */
  readonly listDefinition?: string;
  /** Whether strategic merge patches are supported: true for built-in kinds. */
  readonly strategicPatch: boolean;
  /** Sorted by name. */
  readonly subresources: readonly ApiSubresource[];
}

/** A served subresource. */
export interface ApiSubresource {
  readonly name: string;
  /** Kind of request and response, from discovery or the operation: `Pod`, `Scale`, `PodExecOptions`. */
  readonly kind: GroupVersionKind;
  /** In the order of `ApiVerb`. Empty for connect subresources. */
  readonly verbs: readonly ApiVerb[];
  /**
   * Full name of the definition of the request body, otherwise of the response. Absent for strings and
   * connect subresources.
   */
  readonly definition?: string;
  /** Full name of the definition of the response if it differs from that of the request. */
  readonly response?: string;
  /** Whether the response is a string rather than an object (`pods/log`). */
  readonly text: boolean;
  /** Set for connect subresources (`exec`, `attach`, `portforward`, `proxy`). */
  readonly connect?: ApiConnect;
  /**
   * Query parameters of connect and string subresources, sorted by name. Excludes parameters of every request
   * (`pretty`) and `path`, which is part of the path.
   */
  readonly parameters: readonly ApiParameter[];
}

/** Connection of a subresource. */
export interface ApiConnect {
  /** HTTP methods in upper case, sorted. */
  readonly methods: readonly string[];
  /** Whether the path may have further segments (`proxy/{path}`). */
  readonly path: boolean;
}

/** A query parameter. */
export interface ApiParameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  /**
   * Whether it is repeated, once per value: `command` of exec, `ports` of portforward, even if the document
   * declares a single value.
   */
  readonly list: boolean;
  readonly description?: string;
}

/** All input of one output. */
export interface Loaded {
  readonly crds: readonly CrdDefinition[];
  /** Absent if only CRDs were read. */
  readonly api?: ApiDescription;
  /** The documents themselves, for `paths.ts`, sorted by `file`. */
  readonly documents: readonly ApiDocument[];
  /** Number of files, addresses, documents and streams that were read. */
  readonly sources: number;
  /** Number of objects in the input that are not CustomResourceDefinitions. */
  readonly skipped: number;
  /** Kinds that a cluster serves and that were not read, for example because a pattern excludes them. */
  readonly unread?: readonly GroupVersionKind[];
  /** Set if a part of a cluster was unavailable. Files that earlier runs wrote for that part are kept. */
  readonly partial?: true;
}
