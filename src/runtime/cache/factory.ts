/** Factories of informers, which return the same informer for the same resource and options. */
import type { ClusterResource, FieldOf, NamespacedResource, ResourceFacts } from '../api/resource.ts';
import type { FieldSelection } from '../api/selected.ts';
import { isFields } from '../common/fields.ts';
import type { PartialObjectMetadata } from '../dynamic/metadata/metadata.ts';
import type {
  ClusterResourceName,
  MappedResource,
  NamespacedResourceName,
  ResourceName,
  VersionedResourceName,
} from '../dynamic/target.ts';
import type { Unstructured } from '../dynamic/unstructured.ts';
import { type ClientConnection, openConnection } from '../rest/connection.ts';
import type {
  ClusterSelectedInformer,
  ClusterSelectedOptions,
  SelectedInformer,
  SelectedOptions,
} from './group-informers.ts';
import type {
  ClusterInformerOptions,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerOptions,
  RelistContext,
} from './informer/informer.ts';
import { InformerSet } from './informer/informer-set.ts';
import type { InformerStats } from './informer/informer-stats.ts';
import { type InformerTarget, informerTarget, metadataTarget } from './informer/informer-target.ts';
import type {
  SharedInformers,
  SharedInformersOptions,
  StartOptions,
  WaitForSyncOptions,
} from './informer/shared-informers.ts';
import type { ClusterLister, NamespacedLister } from './lister/lister.ts';

/**
 * Source of a factory's objects: a server, or another factory, whose informers, start and stop it then
 * shares.
 */
export type InformerSource = ClientConnection | { readonly informers: SharedInformers };

type NamespacedFacts = ResourceFacts & { readonly scope: 'Namespaced' };
type ClusterFacts = ResourceFacts & { readonly scope: 'Cluster' };

/**
 * Defaults for all informers of a factory; options of a single informer take precedence. Informers of all
 * namespaces, in addition to those of a default namespace, come from a second factory:
 * `new InformerFactory(factory)`.
 */
export interface InformerFactoryOptions extends InformerOptions, SharedInformersOptions {}

/**
 * Creates and runs informers, with one informer per resource and options. Generated factories extend it. For
 * programs without generated code, `InformerFactory` of `@kgen/runtime` provides the same methods:
 * `new InformerFactory(new DynamicClient(config))`.
 */
export interface InformerFactoryBase {
  /** Informers that other factories can share. */
  readonly informers: SharedInformers;
  /**
   * Returns the informer of a namespaced resource whose objects have the fields of `select` only, and creates
   * it if necessary. Informers with other selections and the same selectors share its requests.
   * @throws {TypeError} if the selection, namespaces or selectors are invalid
   */
  of<T, L, C, Field extends string, const S extends FieldSelection<T>>(
    resource: NamespacedResource<T, L, C, Field>,
    options: SelectedOptions<T, S, NoInfer<Field>>,
  ): SelectedInformer<T, S>;
  /** Returns the informer of a cluster-scoped resource whose objects have the fields of `select` only. */
  of<T, L, C, Field extends string, const S extends FieldSelection<T>>(
    resource: ClusterResource<T, L, C, Field>,
    options: ClusterSelectedOptions<T, S, NoInfer<Field>>,
  ): ClusterSelectedInformer<T, S>;
  /**
   * Returns the informer of a namespaced resource, and creates it if necessary. Once the factory is started,
   * new informers start automatically.
   * @throws {TypeError} if namespaces or selectors are invalid
   */
  of<T, L, C, Field extends string>(
    resource: NamespacedResource<T, L, C, Field>,
    options?: InformerOptions<T, NoInfer<Field>>,
  ): Informer<T, NamespacedLister<T>>;
  /**
   * Returns the informer of a cluster-scoped resource, and creates it if necessary. Once the factory is
   * started, new informers start automatically.
   * @throws {TypeError} if selectors are invalid
   */
  of<T, L, C, Field extends string>(
    resource: ClusterResource<T, L, C, Field>,
    options?: ClusterInformerOptions<T, NoInfer<Field>>,
  ): Informer<T, ClusterLister<T>>;
  /** Returns the informer of a cluster-scoped resource that is named at run time, with selected fields. */
  of<const S extends FieldSelection<Unstructured>>(
    resource: ClusterResourceName,
    options: ClusterSelectedOptions<Unstructured, S>,
  ): ClusterSelectedInformer<Unstructured, S>;
  /** Returns the informer of a resource that is named at run time, with selected fields. */
  of<const S extends FieldSelection<Unstructured>>(
    resource: NamespacedResourceName | MappedResource,
    options: SelectedOptions<Unstructured, S>,
  ): SelectedInformer<Unstructured, S>;
  /**
   * Returns the informer of a cluster-scoped resource that is named at run time:
   * `{ group, version, resource, scope: 'Cluster' }`.
   */
  of(
    resource: ClusterResourceName,
    options?: ClusterInformerOptions<Unstructured>,
  ): Informer<Unstructured, ClusterLister<Unstructured>>;
  /**
   * Returns the informer of a resource that is named at run time, as `{ group, version, resource }` or by a
   * mapping of a `RESTMapper`. If the resource is cluster-scoped, its lister has the objects in the namespace
   * `''`.
   */
  of(
    resource: NamespacedResourceName | MappedResource,
    options?: InformerOptions<Unstructured>,
  ): Informer<Unstructured, NamespacedLister<Unstructured>>;
  /** Returns the informer of a resource whose scope is known at run time only. */
  of(
    resource: VersionedResourceName | MappedResource,
    options?: InformerOptions<Unstructured>,
  ): Informer<Unstructured, ClusterLister<Unstructured> | NamespacedLister<Unstructured>>;
  /**
   * Returns the informer for selected fields of the metadata of a cluster-scoped resource:
   * `{ select: { metadata: { labels: true } } }`.
   * @throws {TypeError} if the selection or selectors are invalid
   */
  metadataOf<R extends ClusterFacts, const S extends FieldSelection<PartialObjectMetadata>>(
    resource: R,
    options: ClusterSelectedOptions<PartialObjectMetadata, S, FieldOf<R>>,
  ): ClusterSelectedInformer<PartialObjectMetadata, S>;
  /**
   * Returns the informer for selected fields of the metadata of a namespaced resource.
   * @throws {TypeError} if the selection, namespaces or selectors are invalid
   */
  metadataOf<R extends NamespacedFacts, const S extends FieldSelection<PartialObjectMetadata>>(
    resource: R,
    options: SelectedOptions<PartialObjectMetadata, S, FieldOf<R>>,
  ): SelectedInformer<PartialObjectMetadata, S>;
  /**
   * Returns the informer for the metadata of a cluster-scoped resource, and creates it if necessary. It takes
   * a fraction of the bytes and of the memory, for uses that need labels, owners and versions only. Its cache
   * is separate from that of `of`. If a server sends whole objects, only their metadata is kept.
   * @throws {TypeError} if selectors are invalid
   */
  metadataOf<R extends ClusterFacts>(
    resource: R,
    options?: ClusterInformerOptions<PartialObjectMetadata, FieldOf<R>>,
  ): Informer<PartialObjectMetadata, ClusterLister<PartialObjectMetadata>>;
  /**
   * Returns the informer for the metadata of a namespaced resource, and creates it if necessary.
   * @throws {TypeError} if namespaces or selectors are invalid
   */
  metadataOf<R extends NamespacedFacts>(
    resource: R,
    options?: InformerOptions<PartialObjectMetadata, FieldOf<R>>,
  ): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>>;
  /** Returns the informer for selected metadata of a cluster-scoped resource that is named at run time. */
  metadataOf<const S extends FieldSelection<PartialObjectMetadata>>(
    resource: ClusterResourceName,
    options: ClusterSelectedOptions<PartialObjectMetadata, S>,
  ): ClusterSelectedInformer<PartialObjectMetadata, S>;
  /** Returns the informer for selected metadata of a resource that is named at run time. */
  metadataOf<const S extends FieldSelection<PartialObjectMetadata>>(
    resource: NamespacedResourceName | MappedResource,
    options: SelectedOptions<PartialObjectMetadata, S>,
  ): SelectedInformer<PartialObjectMetadata, S>;
  /**
   * Returns the informer for the metadata of a cluster-scoped resource that is named at run time:
   * `{ group, version, resource, scope: 'Cluster' }`.
   */
  metadataOf(
    resource: ClusterResourceName,
    options?: ClusterInformerOptions<PartialObjectMetadata>,
  ): Informer<PartialObjectMetadata, ClusterLister<PartialObjectMetadata>>;
  /**
   * Returns the informer for the metadata of a resource that is named at run time, as
   * `{ group, version, resource }` or by a mapping of a `RESTMapper`. If the resource is cluster-scoped, its
   * lister has the objects in the namespace `''`.
   */
  metadataOf(
    resource: NamespacedResourceName | MappedResource,
    options?: InformerOptions<PartialObjectMetadata>,
  ): Informer<PartialObjectMetadata, NamespacedLister<PartialObjectMetadata>>;
  /** Returns the informer for the metadata of a resource whose scope is known at run time only. */
  metadataOf(
    resource: VersionedResourceName | MappedResource,
    options?: InformerOptions<PartialObjectMetadata>,
  ): Informer<
    PartialObjectMetadata,
    ClusterLister<PartialObjectMetadata> | NamespacedLister<PartialObjectMetadata>
  >;
  /** Starts all informers, and from then on each new one. Has no effect on started informers. */
  start(options?: StartOptions): Promise<void>;
  /**
   * Resolves when the caches of all informers, including those created meanwhile, are complete. Handlers may
   * still be busy: their registrations have a `synced` of their own. With `handlers: true`, it waits for them
   * too.
   * @throws {TimeoutError} with the name of each informer that is not synced, and the reason
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /**
   * Resolves when no request remains; no handler call begins after this. A pending call is not awaited.
   * Caches remain readable. A later `start` resumes from them, and from the queued handler calls. May be
   * called without its object, as in `process.once('SIGINT', informers.stop)`.
   */
  stop(): Promise<void>;
  /**
   * Stops the informers, and closes the connections if this factory was created from a configuration. It
   * cannot be started again after that. May be called without its object.
   */
  close(): Promise<void>;
  /**
   * Returns counters and gauges of all informers by their names, which are those in messages
   * (`deployments.apps in namespace shop with app=web`). The names are unique, and so suitable as labels of
   * metrics.
   */
  stats(): ReadonlyMap<string, InformerStats>;
  /**
   * Adds a listener for errors of all informers: failed requests, failed handlers and rejected objects.
   * Returns a function that removes the listener.
   */
  on(event: 'error', listener: (error: unknown, context: InformerErrorContext) => void): () => void;
  /**
   * Adds a listener that is called each time an informer has to relist. Returns a function that removes the
   * listener.
   */
  on(event: 'relist', listener: (context: RelistContext) => void): () => void;
}

/** The base class of generated factories. */
export const InformerFactoryBase: new (
  source: InformerSource,
  options?: InformerFactoryOptions,
) => InformerFactoryBase = class implements InformerFactoryBase {
  readonly informers: SharedInformers;
  readonly #defaults: InformerOptions;

  readonly #close: () => Promise<void>;

  constructor(source: InformerSource, options: InformerFactoryOptions = {}) {
    const { streaming, environment, ...defaults } = options;
    this.#defaults = defaults;
    const { informers, close } = sharedBy(source, { streaming, environment });
    this.informers = informers;
    this.#close = close;
    // Also callable without their object: `const { stop } = informers`.
    this.stop = this.stop.bind(this);
    this.close = this.close.bind(this);
  }

  of<T, L>(resource: ResourceName, options?: InformerOptions<T>): Informer<T, L> {
    return this.#informer(informerTarget(resource), options);
  }

  metadataOf<T, L>(resource: ResourceName, options?: InformerOptions<T>): Informer<T, L> {
    return this.#informer(metadataTarget(informerTarget(resource)), options);
  }

  #informer<T, L>(target: InformerTarget, options: InformerOptions<T> = {}): Informer<T, L> {
    const isCluster = target.resource.scope === 'Cluster';
    const defaults = isCluster ? withoutNamespaces(this.#defaults) : this.#defaults;
    const own = options.namespace !== undefined || options.namespaces !== undefined;
    const base = own ? withoutNamespaces(defaults) : defaults;
    // An option with the value `undefined` counts as omitted.
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    // The types describe the objects of the target; the shared informers do not know them.
    const merged = { ...base, ...Object.fromEntries(given) } as InformerOptions;
    // The types of the informer follow from the target as well.
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

  async close(): Promise<void> {
    await this.informers.stop();
    await this.#close();
  }

  stats(): ReadonlyMap<string, InformerStats> {
    return this.informers.stats();
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.informers.on(event, listener);
  }
};

/** Informers of a factory, and the function that closes the connections of its own. */
interface OpenedInformers {
  readonly informers: SharedInformers;
  readonly close: () => Promise<void>;
}

function sharedBy(source: InformerSource, options: SharedInformersOptions): OpenedInformers {
  if (!isFields(source) || !('informers' in source)) {
    const { rest, close } = openConnection(source);
    return { informers: new InformerSet(rest, options), close };
  }
  const { informers } = source;
  const { streaming, environment } = options;
  if (streaming === undefined && environment === undefined)
    return { informers, close: async () => undefined };
  throw new TypeError(
    'streaming and environment are options of the first factory; a factory created from it must omit them',
  );
}

function withoutNamespaces({ namespace: _, namespaces: __, ...rest }: InformerOptions): InformerOptions {
  return rest;
}

/** Factory of informers without generated code: `InformerFactoryBase` with the signatures of programs. */
export type InformerFactory = InformerFactoryBase;

/**
 * Creates a factory. Sends no request before `start`.
 * @throws {TypeError} for `streaming` or `environment` of a factory that shares the informers of another one
 * @example
 * ```ts
 * import { InformerFactory } from '@kgen/runtime';
 * import { pods } from '@kgen/kubernetes/core/v1';
 *
 * const informers = new InformerFactory(clientset, { namespace: 'shop' });
 * const { lister } = informers.of(pods);
 * await informers.start({ signal: AbortSignal.timeout(60_000) });
 * await informers.waitForSync();
 * console.log(lister.list({ labelSelector: { app: 'web' } }).length);
 * ```
 */
export const InformerFactory: {
  /** Creates informers of a server. */
  new (connection: ClientConnection, options?: InformerFactoryOptions): InformerFactory;
  /** Creates a factory that shares the informers of another one. */
  new (source: InformerSource, options?: InformerOptions): InformerFactory;
} = InformerFactoryBase;
