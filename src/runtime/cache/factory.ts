import type { PartialObjectMetadata } from '../dynamic/metadata.ts';
import type {
  ClusterResourceName,
  MappedResource,
  NamespacedResourceName,
  ResourceName,
  StatedResourceName,
} from '../dynamic/target.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import type { ClusterResource, FieldOf, NamespacedResource, ObjectOf, ResourceFacts } from '../resource.ts';
import type { RESTClient } from '../rest/client.ts';
import type {
  ClusterInformerOptions,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerOptions,
  RelistContext,
} from './informer.ts';
import type { InformerStats } from './informer-stats.ts';
import { type InformerTarget, informerTarget, metadataTarget } from './informer-target.ts';
import type { ClusterLister, NamespacedLister } from './lister.ts';
import {
  InformerSet,
  type SharedInformers,
  type SharedInformersOptions,
  type StartOptions,
  type WaitForSyncOptions,
} from './shared-informers.ts';

/**
 * What a factory gets its objects from: a client set, or another factory, whose informers, start and stop it then
 * shares.
 */
export type InformerSource = { readonly rest: RESTClient } | { readonly informers: SharedInformers };

type NamespacedFacts = ResourceFacts & { readonly scope: 'Namespaced' };
type ClusterFacts = ResourceFacts & { readonly scope: 'Cluster' };

/**
 * Defaults for all informers of a factory; what is given for one informer wins. Informers of all namespaces beside those of
 * a default namespace come from a second factory: `new InformerFactory(factory)`.
 */
export interface InformerFactoryOptions extends InformerOptions, SharedInformersOptions {}

/**
 * Makes informers, one for each resource and options however often it is asked, and runs them together. Generated
 * factories extend it; `InformerFactory` of `@kgen/runtime` is the same for programs without generated code:
 * `new InformerFactory(new DynamicClient(config))`.
 */
export interface InformerFactoryBase {
  /** What other factories share. */
  readonly informers: SharedInformers;
  /**
   * The informer for a resource. Once the factory is started, new informers start by themselves.
   * @throws {TypeError} for namespaces or selectors that cannot be
   */
  of<T, L, C, Field extends string>(
    resource: NamespacedResource<T, L, C, Field>,
    options?: InformerOptions<T, NoInfer<Field>>,
  ): Informer<T, NamespacedLister<T>>;
  /** The same for a resource whose objects belong to the whole cluster. */
  of<T, L, C, Field extends string>(
    resource: ClusterResource<T, L, C, Field>,
    options?: ClusterInformerOptions<T, NoInfer<Field>>,
  ): Informer<T, ClusterLister<T>>;
  /** The same for a resource of the whole cluster that is named at run time: `{ group, version, resource, scope: 'Cluster' }`. */
  of(
    resource: ClusterResourceName,
    options?: ClusterInformerOptions<Unstructured>,
  ): Informer<Unstructured, ClusterLister<Unstructured>>;
  /**
   * The same for a resource that is named at run time, as `{ group, version, resource }` or as a `RESTMapper` found it.
   * Where its objects turn out to belong to the whole cluster, the lister has them in the namespace `''`.
   */
  of(
    resource: NamespacedResourceName | MappedResource,
    options?: InformerOptions<Unstructured>,
  ): Informer<Unstructured, NamespacedLister<Unstructured>>;
  /** The same for a resource whose scope is known at run time only. */
  of(
    resource: StatedResourceName | MappedResource,
    options?: InformerOptions<Unstructured>,
  ): Informer<Unstructured, ClusterLister<Unstructured> | NamespacedLister<Unstructured>>;
  /**
   * The informer for the metadata of a resource: a fraction of the bytes and of the memory where labels, owners and
   * versions are enough. It is another copy than that of `of`. Of a server that sends whole objects, only metadata is kept.
   * @throws {TypeError} for namespaces or selectors that cannot be
   */
  metadataOf<R extends ClusterFacts>(
    resource: R,
    options?: ClusterInformerOptions<PartialObjectMetadata, FieldOf<R>>,
  ): Informer<PartialObjectMetadata, ClusterLister<PartialObjectMetadata>>;
  /** The same for objects that live in namespaces. */
  metadataOf<R extends NamespacedFacts>(
    resource: R,
    options?: InformerOptions<PartialObjectMetadata, FieldOf<R>>,
  ): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>>;
  /** The same for a resource of the whole cluster that is named at run time: `{ group, version, resource, scope: 'Cluster' }`. */
  metadataOf(
    resource: ClusterResourceName,
    options?: ClusterInformerOptions<PartialObjectMetadata>,
  ): Informer<PartialObjectMetadata, ClusterLister<PartialObjectMetadata>>;
  /**
   * The same for a resource that is named at run time, as `{ group, version, resource }` or as a `RESTMapper` found it.
   * Where its objects turn out to belong to the whole cluster, the lister has them in the namespace `''`.
   */
  metadataOf(
    resource: NamespacedResourceName | MappedResource,
    options?: InformerOptions<PartialObjectMetadata>,
  ): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>>;
  /** The same for a resource whose scope is known at run time only. */
  metadataOf(
    resource: StatedResourceName | MappedResource,
    options?: InformerOptions<PartialObjectMetadata>,
  ): Informer<
    PartialObjectMetadata,
    ClusterLister<PartialObjectMetadata> | NamespacedLister<PartialObjectMetadata>
  >;
  /** Starts all informers, and later ones when they are asked for. Started ones stay as they are. */
  start(options?: StartOptions): Promise<void>;
  /**
   * Resolves when the copies of all informers asked for, before or meanwhile, are complete. Handlers may still be busy:
   * they have `synced` of their own; `handlers: true` waits for them too.
   * @throws {TimeoutError} that names each informer which is not synced, and why
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /**
   * Resolves when no request is left; no call of a handler begins from now on. One that is going on is not waited for.
   * Copies stay readable; a later `start` goes on from them, and from what handlers have yet to take.
   */
  stop(): Promise<void>;
  /**
   * Counters and gauges of all informers, by names that are those of messages (`deployments.apps in shop with app=web`)
   * and of which no two are equal: fit for the labels of metrics.
   */
  stats(): ReadonlyMap<string, InformerStats>;
  /**
   * Hears of failed requests, failing handlers and objects that cannot be taken in, of all informers. The function that it
   * gives removes the listener.
   */
  on(event: 'error', listener: (error: unknown, context: InformerErrorContext) => void): () => void;
  /** Hears of each time an informer has to read the whole state again. The function that it gives removes the listener. */
  on(event: 'relist', listener: (context: RelistContext) => void): () => void;
}

export const InformerFactoryBase: new (
  source: InformerSource,
  options?: InformerFactoryOptions,
) => InformerFactoryBase = class implements InformerFactoryBase {
  readonly informers: SharedInformers;
  readonly #defaults: InformerOptions;

  constructor(source: InformerSource, options: InformerFactoryOptions = {}) {
    const { streaming, environment, ...defaults } = options;
    this.#defaults = defaults;
    this.informers = sharedBy(source, { streaming, environment });
  }

  of<T, L>(resource: ResourceName, options?: InformerOptions<T>): Informer<T, L> {
    return this.#informer(informerTarget(resource), options);
  }

  metadataOf<L>(
    resource: ResourceName,
    options?: InformerOptions<PartialObjectMetadata>,
  ): Informer<PartialObjectMetadata, L> {
    return this.#informer(metadataTarget(informerTarget(resource)), options);
  }

  #informer<T, L>(target: InformerTarget, options: InformerOptions<T> = {}): Informer<T, L> {
    const isCluster = target.resource.scope === 'Cluster';
    const defaults = isCluster ? withoutNamespaces(this.#defaults) : this.#defaults;
    const own = options.namespace !== undefined || options.namespaces !== undefined;
    const base = own ? withoutNamespaces(defaults) : defaults;
    // What is given as undefined is not given.
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    // The types say what the server sends for the target; the shared informers do not know them.
    const merged = { ...base, ...Object.fromEntries(given) } as InformerOptions;
    // The same holds for the informer.
    return this.informers.of(target, merged) as Informer<T, L>;
  }

  async start(options?: StartOptions): Promise<void> {
    this.informers.start(options);
  }

  waitForSync(options?: WaitForSyncOptions): Promise<void> {
    return this.informers.waitForSync(options);
  }

  stop(): Promise<void> {
    return this.informers.stop();
  }

  stats(): ReadonlyMap<string, InformerStats> {
    return this.informers.stats();
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.informers.on(event, listener);
  }
};

function sharedBy(source: InformerSource, options: SharedInformersOptions): SharedInformers {
  if (typeof source !== 'object' || source === null || !('rest' in source || 'informers' in source)) {
    throw new TypeError('an informer factory is made from a clientset, or from another factory');
  }
  if (!('informers' in source)) return new InformerSet(source.rest, options);
  if (options.streaming === undefined && options.environment === undefined) return source.informers;
  throw new TypeError(
    'streaming and environment belong to the first factory; one made from it takes neither',
  );
}

function withoutNamespaces({ namespace: _, namespaces: __, ...rest }: InformerOptions): InformerOptions {
  return rest;
}

/** The type of a descriptor's informer. */
export type InformerOf<R> = Informer<
  ObjectOf<R>,
  R extends { readonly scope: 'Namespaced' } ? NamespacedLister<ObjectOf<R>> : ClusterLister<ObjectOf<R>>
>;

/** Accessors for the informers of some descriptors, under the same names. */
export type GroupInformers<Resources> = {
  readonly [Name in keyof Resources]: (
    options?: InformerOptionsOf<Resources[Name]>,
  ) => InformerOf<Resources[Name]>;
};

/** The options of a descriptor's informer. */
export type InformerOptionsOf<R> = R extends { readonly scope: 'Namespaced' }
  ? InformerOptions<ObjectOf<R>, FieldOf<R>>
  : ClusterInformerOptions<ObjectOf<R>, FieldOf<R>>;

/** Makes the accessors of one group version. */
export function groupInformers<Resources extends Readonly<Record<string, ResourceFacts>>>(
  factory: Pick<InformerFactoryBase, 'of'>,
  resources: Resources,
): GroupInformers<Resources> {
  const accessors = Object.entries(resources).map(([name, resource]) => [
    name,
    (options?: InformerOptions) => informerOf(factory, resource, options),
  ]);
  // The only cast: the names are those of `resources`, the types those of its descriptors.
  return Object.freeze(Object.fromEntries(accessors)) as GroupInformers<Resources>;
}

function informerOf(
  factory: Pick<InformerFactoryBase, 'of'>,
  resource: ResourceFacts,
  options: InformerOptions | undefined,
): unknown {
  // The scope decides the type of the lister; here neither type is known.
  return factory.of(resource as NamespacedResource<unknown, unknown, unknown>, options);
}
