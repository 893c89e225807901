/** Declarations of dependents of any kind, checked and with their places. */

import { apiVersionOf, type Informer, type KubernetesObject, type Stored } from '@kgen/runtime';
import { hasMetadata } from '../controller/setup.ts';
import type { ObjectPlace } from '../runs/finalizer.ts';
import type { Dependent } from './dependents.ts';
import type { DependentTracking } from './ownership.ts';

/** A dependent of `OwnedDependents`, of the kind `D`. */
export interface OwnedDependent<P, D extends KubernetesObject = KubernetesObject>
  extends Omit<Dependent<P>, 'desired' | 'isReady'> {
  /** Informer of the kind of this dependent, created by a client of the manager. */
  readonly informer: Informer<D>;
  /**
   * Returns the object to apply; `undefined` if it must not exist. It needs a name and, if the primary object
   * is cluster-scoped and this one is not, a namespace. Otherwise the default is the namespace of the primary
   * object. apiVersion, kind and the record of the primary object are added.
   */
  readonly desired: (primary: P) => D | undefined;
  /** Returns whether dependents of this object may be applied. Default: once the object exists. */
  readonly isReady?: ((live: Stored<D>, primary: P) => boolean) | undefined;
  /**
   * Record of the primary object: a controller reference, or the labels `kgen.dev/owner-uid` and
   * `kgen.dev/owner-name`. Owner references do not cross namespaces: cluster-scoped dependents of a
   * namespaced object, and those in another namespace, need `labels`, and then the `finalize` of the
   * controller, since the garbage collector does not delete them. Default: `ownerReference`.
   */
  readonly trackedBy?: DependentTracking | undefined;
  /**
   * Whether the object is deleted and created again if the server rejects a change of it, but accepts the
   * intent as a new object: fields that cannot change. Default: `false`; the state is then `invalid`.
   */
  readonly recreate?: boolean | undefined;
}

/** Returns a dependent without the type of its kind; the compiler has checked its functions. */
export function dependent<P, D extends KubernetesObject>(options: OwnedDependent<P, D>): OwnedDependent<P> {
  // Its functions are called with objects of its own informer only.
  return options as unknown as OwnedDependent<P>;
}

/** @throws {TypeError} if the kind is unknown, or the metadata that records owners is not selected */
export function checkInformer<P>(each: OwnedDependent<P>): void {
  const { informer, name } = each;
  kindOf(each);
  const fields = ['ownerReferences', 'annotations', ...(trackingOf(each) === 'labels' ? ['labels'] : [])];
  const missing = fields.find((field) => !hasMetadata(informer, field));
  if (missing === undefined) return;
  throw new TypeError(`dependent ${name} needs metadata.${missing} of ${informer.name}: add it to select`);
}

/** @throws {TypeError} if the kind is unknown */
export function kindOf<P>({ informer, name }: OwnedDependent<P>): string {
  const { kind } = informer.resource;
  if (kind !== undefined) return kind;
  throw new TypeError(
    `dependent ${name}: the kind of ${informer.name} is unknown; create the informer from a generated descriptor`,
  );
}

/** Returns the record of the primary object. */
export function trackingOf<P>({ trackedBy = 'ownerReference' }: OwnedDependent<P>): DependentTracking {
  return trackedBy;
}

/** Returns a dependent for a graph, whose desired object is that of the situation. */
export function untypedDependent<P>({ desired: _, isReady, ...options }: OwnedDependent<P>): Dependent<P> {
  return {
    ...options,
    // Those of the situation replace it.
    desired: () => undefined,
    // Live objects come from the informer of the dependent, or from responses of its resource.
    isReady: isReady && ((live, primary) => isReady(live as Stored<KubernetesObject>, primary)),
  };
}

/**
 * Returns an intent with apiVersion, kind, name and namespace.
 * @throws {TypeError} if it has no name or no namespace, or the primary object cannot track it
 */
export function placed<P extends Stored<KubernetesObject>>(
  each: OwnedDependent<P>,
  primary: P,
  object: KubernetesObject,
): KubernetesObject {
  const { scope } = each.informer.resource;
  const { name } = object.metadata ?? {};
  const owner = primary.metadata.namespace;
  const problem = (text: string): TypeError =>
    new TypeError(`dependent ${each.name} of ${primary.metadata.name}: ${text}`);
  if (!name) throw problem('desired returned an object without a name');
  const namespace = scope === 'Cluster' ? undefined : object.metadata?.namespace || owner;
  if (scope === 'Namespaced' && !namespace)
    throw problem('its owner is cluster-scoped, so the object that desired returns needs metadata.namespace');
  if (trackingOf(each) === 'labels') {
    if (primary.metadata.finalizers?.length) return intentOf(each, object, { name, namespace });
    throw problem(
      'it is tracked by labels, which the garbage collector ignores: pass finalize to the controller',
    );
  }
  if (owner !== undefined && owner !== namespace) {
    const place = namespace === undefined ? 'it is cluster-scoped' : `it is in namespace ${namespace}`;
    throw problem(
      `${place}, and its owner in ${owner}: references do not cross namespaces; pass trackedBy: 'labels'`,
    );
  }
  return intentOf(each, object, { name, namespace });
}

function intentOf<P>(
  each: OwnedDependent<P>,
  object: KubernetesObject,
  { name, namespace }: ObjectPlace,
): KubernetesObject {
  const place = namespace === undefined ? { name } : { name, namespace };
  const apiVersion = apiVersionOf(each.informer.resource);
  return { apiVersion, kind: kindOf(each), ...object, metadata: { ...object.metadata, ...place } };
}
