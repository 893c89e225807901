/** Informers of descriptors: their types, and the accessors of a group version. */
import type { FieldOf, NamespacedResource, ObjectOf, ResourceFacts } from '../api/resource.ts';
import type { FieldSelection, Selected } from '../api/selected.ts';
import type { InformerFactoryBase } from './factory.ts';
import type {
  ClusterInformerOptions,
  Informer,
  InformerOptions,
  SelectOptions,
} from './informer/informer.ts';
import type { ClusterLister, NamespacedLister } from './lister/lister.ts';

/** Type of a descriptor's informer. */
export type InformerOf<R> = Informer<
  ObjectOf<R>,
  R extends { readonly scope: 'Namespaced' } ? NamespacedLister<ObjectOf<R>> : ClusterLister<ObjectOf<R>>
>;

/** Accessors for the informers of descriptors, under the same names. */
export type GroupInformers<Resources> = {
  readonly [Name in keyof Resources]: InformerAccessor<Resources[Name]>;
};

/**
 * Accessor for the informers of one descriptor. The signature with a selection comes first: a compiler fixes
 * the parameters of a transform by the first signature to which all other options apply.
 */
export interface InformerAccessor<R> {
  /**
   * Returns the informer whose objects have the fields of `select` only, and creates it if necessary.
   * Informers with other selections and the same selectors share its requests.
   * @throws {TypeError} if the selection, namespaces or selectors are invalid
   */
  <const S extends FieldSelection<ObjectOf<R>>>(
    options: R extends { readonly scope: 'Namespaced' }
      ? SelectedOptions<ObjectOf<R>, S, FieldOf<R>>
      : ClusterSelectedOptions<ObjectOf<R>, S, FieldOf<R>>,
  ): R extends { readonly scope: 'Namespaced' }
    ? SelectedInformer<ObjectOf<R>, S>
    : ClusterSelectedInformer<ObjectOf<R>, S>;
  /**
   * Returns the informer with these options, and creates it if necessary.
   * @throws {TypeError} if namespaces or selectors are invalid
   */
  (options?: InformerOptionsOf<R>): InformerOf<R>;
}

/** Options of an informer of a namespaced resource whose objects have the fields of a selection `S`. */
export interface SelectedOptions<T, S, Field extends string = string>
  extends InformerOptions<Selected<T, S>, Field>,
    SelectOptions<S> {}

/** Options of an informer of a cluster-scoped resource whose objects have the fields of a selection `S`. */
export interface ClusterSelectedOptions<T, S, Field extends string = string>
  extends ClusterInformerOptions<Selected<T, S>, Field>,
    SelectOptions<S> {}

/** Informer of a namespaced resource whose objects have the fields of a selection `S`. */
export type SelectedInformer<T, S> = Informer<Selected<T, S>, NamespacedLister<Selected<T, S>>>;

/** Informer of a cluster-scoped resource whose objects have the fields of a selection `S`. */
export type ClusterSelectedInformer<T, S> = Informer<Selected<T, S>, ClusterLister<Selected<T, S>>>;

/** Options of a descriptor's informer. */
export type InformerOptionsOf<R> = R extends { readonly scope: 'Namespaced' }
  ? InformerOptions<ObjectOf<R>, FieldOf<R>>
  : ClusterInformerOptions<ObjectOf<R>, FieldOf<R>>;

/** Creates the informer accessors of one group version. */
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
  // The scope determines the type of the lister; here neither type is known.
  return factory.of(resource as NamespacedResource<unknown, unknown, unknown>, options);
}
