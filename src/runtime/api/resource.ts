/**
 * Resource descriptors: the facts that generated code has about a resource at run time, as values with
 * phantom types. Clients and informers are functions over descriptors.
 */

import type { LoadSchemas } from './schemas.ts';

/** Standard verbs of a resource, as discovery names them. */
export type ResourceVerb =
  | 'create'
  | 'get'
  | 'list'
  | 'watch'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** The eight standard verbs, which most resources support. */
export const crud: readonly ResourceVerb[] = Object.freeze<ResourceVerb[]>([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

/** Whether objects are namespaced or cluster-scoped. */
export type ResourceScope = 'Namespaced' | 'Cluster';

/** The facts of a resource, as plain data in generated code. */
export interface ResourceFacts {
  /** API group of the resource, such as `apps`; `''` for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** Plural name of the resource, as in paths: `deployments`. */
  readonly plural: string;
  readonly singular: string;
  readonly scope: ResourceScope;
  readonly verbs: readonly ResourceVerb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Supported verbs by subresource: `{ status: ['get', 'patch', 'update'] }`. */
  readonly subresources?: Readonly<Record<string, readonly ResourceVerb[]>>;
  /** Fields that field selectors accept besides name and namespace. */
  readonly selectableFields?: readonly string[];
  /** Kinds of subresource bodies that are neither the resource's own kind nor known to the runtime. */
  readonly bodies?: Readonly<Record<string, BodyKind>>;
  /** Whether the kind is built-in, so that its patches default to strategic merge. */
  readonly builtIn?: boolean;
  /**
   * Loads the codecs of the group version. Without it, as for custom resources, all requests and responses
   * are JSON.
   */
  readonly protobuf?: LoadProtobuf;
  /** Loads the schemas of the group version. Absent if the output was generated without schemas. */
  readonly schema?: LoadSchemas;
}

/** Kind of a request body. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The types of a resource, for the compiler only. */
export interface ResourceTypes {
  readonly object: unknown;
  readonly list: unknown;
  readonly client: unknown;
  readonly field: string;
}

declare const types: unique symbol;

/**
 * Descriptor of a resource of any scope: its group, version, names and verbs. `Types` contains, for the
 * compiler only, the types of its objects, lists and client, and its selectable fields.
 */
export interface Resource<Types extends ResourceTypes = ResourceTypes> extends ResourceFacts {
  readonly [types]?: Types;
}

/** Descriptor of a namespaced resource with objects `T`, lists `L`, client `C` and selectable fields. */
export interface NamespacedResource<T, L, C, Field extends string = never>
  extends Resource<{ readonly object: T; readonly list: L; readonly client: C; readonly field: Field }> {
  readonly scope: 'Namespaced';
}

/** Descriptor of a cluster-scoped resource with objects `T`, lists `L`, client `C` and selectable fields. */
export interface ClusterResource<T, L, C, Field extends string = never>
  extends Resource<{ readonly object: T; readonly list: L; readonly client: C; readonly field: Field }> {
  readonly scope: 'Cluster';
}

/** The object type of a resource. */
export type ObjectOf<R> = R extends { readonly [types]?: { readonly object: infer T } } ? T : never;

/** The fields that field selectors of a resource accept, besides name and namespace. */
export type FieldOf<R> = R extends { readonly [types]?: { readonly field: infer Field extends string } }
  ? Field
  : string;

/** Creates a descriptor. Generated code declares its type; the facts are frozen and otherwise unchanged. */
export function defineResource<R extends ResourceFacts>(
  facts: ResourceFacts & { readonly scope: R['scope'] },
): R {
  // The only cast: the phantom types exist only for the compiler.
  return Object.freeze(facts) as R;
}

/** The facts of a connect subresource, as plain data in generated code. */
export interface ConnectFacts {
  /** API group of the resource, such as `apps`; `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name of the resource, as in paths: `pods`. */
  readonly plural: string;
  readonly scope: ResourceScope;
  /** Last part of the path: `exec`, `attach`, `portforward`, `proxy`. */
  readonly subresource: string;
  /** HTTP methods in upper case. */
  readonly methods: readonly string[];
  /** Whether the path may have further segments, as in `proxy/{path}`. */
  readonly path: boolean;
}

declare const connectOptions: unique symbol;

/** A connect subresource. `Options` are its query parameters. */
export interface ConnectResource<Options> extends ConnectFacts {
  readonly [connectOptions]?: Options;
}

/** Creates the descriptor of a connect subresource. Generated code declares its type. */
export function defineConnect<Options>(facts: ConnectFacts): ConnectResource<Options> {
  return Object.freeze(facts);
}

/** Exports of the `protobuf.ts` of a group version. */
export interface ProtobufModule {
  /**
   * Codecs of messages by name, of type `Codecs`. Declared as objects, so that the descriptors of two copies
   * of the runtime are assignable to each other.
   */
  readonly codecs: ReadonlyMap<string, object>;
}

/** Loads the codecs of a group version, the same ones each time. */
export type LoadProtobuf = () => Promise<ProtobufModule>;
