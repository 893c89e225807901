/**
 * Descriptors: what generated code knows of a resource at run time, as a value with phantom types. Clients, informers
 * and controllers are functions over descriptors.
 */
import type { LoadProtobuf } from './protobuf/types.ts';

/** The verbs of the API, as discovery names them. */
export type Verb = 'create' | 'get' | 'list' | 'watch' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** The verbs that most resources have: all of them. */
export const crud: readonly Verb[] = Object.freeze<Verb[]>([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]);

/** Whether objects live in namespaces. */
export type Scope = 'Namespaced' | 'Cluster';

/** The facts of a resource. Generated; plain data. */
export interface ResourceFacts {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  /** The resource's name in paths. */
  readonly plural: string;
  readonly singular: string;
  readonly scope: Scope;
  readonly verbs: readonly Verb[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Verbs by subresource. */
  readonly subresources?: Readonly<Record<string, readonly Verb[]>>;
  /** Fields that field selectors accept besides name and namespace. */
  readonly selectableFields?: readonly string[];
  /** What the bodies of subresources are, where that is neither the resource's own kind nor Kubernetes' own. */
  readonly bodies?: Readonly<Record<string, BodyKind>>;
  /** True for the API's own kinds: their patches default to strategic merge. */
  readonly builtIn?: boolean;
  /** Loads the codecs of the group version. Without it, as for custom resources, all that is sent and answered is JSON. */
  readonly protobuf?: LoadProtobuf;
}

/** Of which kind a body is. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The types of a resource. Never read at run time. */
export interface ResourceTypes {
  object: unknown;
  list: unknown;
  client: unknown;
  field: string;
}

declare const types: unique symbol;

/** A resource, whatever its scope. `Types` joins the object, its list, its client and its selectable fields. */
export interface Resource<Types extends ResourceTypes = ResourceTypes> extends ResourceFacts {
  readonly [types]?: Types;
}

/** A resource whose objects live in namespaces: `T`, its list `L`, its client `C`, its selectable fields. */
export interface NamespacedResource<T, L, C, Field extends string = never>
  extends Resource<{ object: T; list: L; client: C; field: Field }> {
  readonly scope: 'Namespaced';
}

/** A resource whose objects belong to the whole cluster: `T`, its list `L`, its client `C`, its selectable fields. */
export interface ClusterResource<T, L, C, Field extends string = never>
  extends Resource<{ object: T; list: L; client: C; field: Field }> {
  readonly scope: 'Cluster';
}

/** The object type of a resource. */
export type ObjectOf<R> = R extends { readonly [types]?: { object: infer T } } ? T : never;

/** The fields that field selectors of a resource accept, besides name and namespace. */
export type FieldOf<R> = R extends { readonly [types]?: { field: infer Field extends string } }
  ? Field
  : string;

/**
 * Makes a descriptor. Generated code states its type; nothing else is done to the facts.
 */
export function defineResource<R extends ResourceFacts>(
  facts: ResourceFacts & { readonly scope: R['scope'] },
): R {
  // The only cast: the phantom types exist for the compiler alone.
  return Object.freeze(facts) as R;
}

/** The facts of a subresource that one connects to. Generated; plain data. */
export interface ConnectFacts {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The resource's name in paths. */
  readonly plural: string;
  readonly scope: Scope;
  /** Last part of the path: `exec`, `attach`, `portforward`, `proxy`. */
  readonly subresource: string;
  /** HTTP methods in upper case. */
  readonly methods: readonly string[];
  /** Whether the rest of a path may follow, as in `proxy/{path}`. */
  readonly path: boolean;
}

declare const connectOptions: unique symbol;

/** A subresource that one connects to. `Options` are its query parameters. */
export interface ConnectResource<Options> extends ConnectFacts {
  readonly [connectOptions]?: Options;
}

/** Makes the descriptor of a subresource that one connects to. Generated code states its type. */
export function defineConnect<Options>(facts: ConnectFacts): ConnectResource<Options> {
  return Object.freeze(facts);
}
