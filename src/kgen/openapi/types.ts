import type { CrdDefinition } from '../input/crd.ts';
import type { JsonObject, JsonPath, SourceId } from '../input/crd-input.ts';
import type { Place } from '../problems.ts';

/** A verb on stored objects, as discovery names it. */
export type ApiVerb =
  | 'create'
  | 'get'
  | 'list'
  | 'watch'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** The three words that name a type of object. */
export interface GroupVersionKind {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** One OpenAPI document as it was read. */
export interface ApiDocument {
  /** `2` for `swagger: '2.0'`, `3` for `openapi: 3.x`. */
  readonly dialect: 2 | 3;
  readonly value: JsonObject;
  /** Where it came from, for messages: a file, or a path of the server such as `/openapi/v3/apis/apps/v1`. */
  readonly file: string;
  /** The same, for headers of generated files; never a path of this machine, never a host. */
  readonly source: SourceId;
  /** The group version that a cluster serves it for, such as `apps/v1` or `v1`, whatever is in it. */
  readonly groupVersion?: string;
}

/** What discovery says of one group version; the same for all forms of discovery. */
export interface DiscoveredGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
}

/** A resource, as discovery has it. */
export interface DiscoveredResource {
  readonly plural: string;
  /** The kind in lower case where discovery names none. */
  readonly singular: string;
  /** Group and version are those of the resource where discovery leaves them out. */
  readonly kind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  /** In the order of discovery; verbs that are not in `ApiVerb` (such as `proxy`) are left out. */
  readonly verbs: readonly ApiVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Sorted by name. */
  readonly subresources: readonly DiscoveredSubresource[];
}

/** A subresource, as discovery has it. */
export interface DiscoveredSubresource {
  /** `status`, `scale`, `exec`, … */
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly ApiVerb[];
}

/**
 * A served API: what OpenAPI documents and discovery say together, in one dialect whatever they were written in.
 * Custom resources are not in it: they are `CrdDefinition`s, wherever they were read from.
 */
export interface ApiDescription {
  /**
   * By full name, such as `io.k8s.api.core.v1.Pod`; sorted by name. Every `$ref` of a schema in it leads to one of
   * them.
   */
  readonly definitions: ReadonlyMap<string, ApiDefinition>;
  /** Sorted by group, then version. Each has at least one resource. */
  readonly groupVersions: readonly ApiGroupVersion[];
  /** Minor version of Kubernetes, such as `1.36`, where server or documents state it: for links to its reference. */
  readonly kubernetesVersion?: string;
}

/**
 * One named schema. Its dialect is that of CRD schemas with two additions:
 * - `{ $ref: '<full name>', … }` refers to a definition; siblings (`description`, `default`, …) stand beside it.
 *   `allOf: [{ $ref }]` around a single reference has been taken apart into this form, in `items` and
 *   `additionalProperties` too.
 * - Nothing else is changed: `x-kubernetes-*` keywords stay, formats stay.
 */
export interface ApiDefinition {
  readonly name: string;
  readonly schema: JsonObject;
  /** `x-kubernetes-group-version-kind`, each once, in the order of the document; empty for parts of objects. */
  readonly kinds: readonly GroupVersionKind[];
  /** The document it was read from. */
  readonly source: SourceId;
  /** Where a node of the schema stands, as far as it is known: the document at least. */
  readonly position: (path: JsonPath) => Place;
}

/** One group version that is served. */
export interface ApiGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Sorted by plural. */
  readonly resources: readonly ApiResource[];
  /** Documents that it was read from, sorted by name. */
  readonly sources: readonly SourceId[];
}

/** A served resource that no CRD defines. */
export interface ApiResource {
  readonly plural: string;
  readonly singular: string;
  readonly kind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  /** In the order of `ApiVerb`. */
  readonly verbs: readonly ApiVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Full name of the definition of the kind; absent where no document has one. */
  readonly definition?: string;
  /** Full name of the definition of the list, where it is listed and a document has one. */
  readonly listDefinition?: string;
  /** Whether strategic merge patches are taken: true for Kubernetes' own kinds. */
  readonly strategicPatch: boolean;
  /** Sorted by name. */
  readonly subresources: readonly ApiSubresource[];
}

/** A served subresource. */
export interface ApiSubresource {
  readonly name: string;
  /** What it takes and gives, as discovery or the operation says: `Pod`, `Scale`, `PodExecOptions`. */
  readonly kind: GroupVersionKind;
  /** In the order of `ApiVerb`; empty where one connects to it. */
  readonly verbs: readonly ApiVerb[];
  /** Full name of the definition of what is sent, else of what is answered. Absent for text and for connections. */
  readonly definition?: string;
  /** Full name of the definition of what is answered, where that is not what is sent. */
  readonly answer?: string;
  /** Whether the answer is text rather than an object (`pods/log`). */
  readonly text: boolean;
  /** Set where one connects to it (`exec`, `attach`, `portforward`, `proxy`). */
  readonly connect?: ApiConnect;
  /**
   * Query parameters of its own, sorted by name: those of `connect` and of text, without what every request has
   * (`pretty`) and without the `path` that stands in the path.
   */
  readonly parameters: readonly ApiParameter[];
}

/** How one connects to a subresource. */
export interface ApiConnect {
  /** HTTP methods in upper case, sorted. */
  readonly methods: readonly string[];
  /** Whether the rest of a path may follow (`proxy/{path}`). */
  readonly path: boolean;
}

/** A query parameter. */
export interface ApiParameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  /** Whether it is repeated, one value each: `command` of exec, `ports` of portforward, whatever the document says. */
  readonly list: boolean;
  readonly description?: string;
}

/** Everything that was read for one output. */
export interface Loaded {
  readonly crds: readonly CrdDefinition[];
  /** Absent where only CRDs were read. */
  readonly api?: ApiDescription;
  /** The documents themselves, for `paths.ts`; sorted by `file`. */
  readonly documents: readonly ApiDocument[];
  /** Files, addresses, documents and streams that were read. */
  readonly sources: number;
  /** Objects in the input that are no CustomResourceDefinition. */
  readonly skipped: number;
  /** Kinds that a cluster serves and that were not read, such as those that patterns leave out. */
  readonly unread?: readonly GroupVersionKind[];
  /** Set where a part of a cluster did not answer: files that earlier runs made of that part stay. */
  readonly partial?: true;
}
