/** Joins a graph of dependents to the informers and the client of a controller. */

import {
  apiVersionOf,
  byOwner,
  type Informer,
  type InformerIndex,
  isNotFound,
  type KubernetesObject,
  type RESTClient,
  type Stored,
} from '@kgen/runtime';
import { isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { hasManager } from '../apply/field-tree.ts';
import { currentRun } from '../client/run-scope.ts';
import { objectPath } from '../controller/finalizer.ts';
import { isTerminating } from '../members.ts';
import { groupOf } from '../sources/sources.ts';
import {
  type Dependent,
  type DependentConflicts,
  type DependentGraph,
  type DependentStatus,
  dependentGraph,
  executePlan,
  type LiveDependents,
  planDependents,
} from './dependents.ts';

/** A dependent of `OwnedDependents`, of the kind `D`. */
export interface OwnedDependent<P, D extends KubernetesObject = KubernetesObject>
  extends Omit<Dependent<P>, 'desired' | 'isReady'> {
  /** Informer of its kind, created by a client of the manager. */
  readonly informer: Informer<D>;
  /**
   * Returns the object to apply; `undefined` if it must not exist. It needs a name, and a namespace if the
   * primary object is cluster-scoped. Otherwise its namespace, and apiVersion, kind and the reference to the
   * primary object are added.
   */
  readonly desired: (primary: P) => D | undefined;
  /** Returns whether dependents of this object may be applied. Default: once the object exists. */
  readonly isReady?: ((live: Stored<D>, primary: P) => boolean) | undefined;
}

/** Options of `OwnedDependents`. */
export interface OwnedDependentsOptions {
  /**
   * Whether an object of others in the place of a dependent is taken over: `never`, or `unowned` if it has no
   * managing controller. It is left alone otherwise, with the state `conflict`. An object that the field
   * manager has applied before is one of the dependents, also without its reference. Default: `never`.
   */
  readonly adopt?: 'never' | 'unowned' | undefined;
  /** Owner of the applied fields. Default: the name of the controller whose run applies them. */
  readonly fieldManager?: string | undefined;
}

/** State of all dependents of a primary object. */
export interface DependentsState {
  readonly dependents: readonly DependentStatus[];
  /** Whether each dependent is ready, or absent as desired. */
  readonly isSettled: boolean;
  /** Condition of the type `Ready` for the status of the primary object, for `setCondition`. */
  readonly condition: {
    readonly type: 'Ready';
    readonly status: 'True' | 'False';
    readonly reason: 'DependentsReady' | 'DependentsNotReady';
    readonly message: string;
    readonly observedGeneration?: number;
  };
}

/**
 * Objects that a primary object needs, as declarations: `reconcile` creates, updates and repairs them in the
 * order of their dependencies, and deletes those that are no longer desired; `finalize` deletes all of them
 * in the reverse order. Objects of the same kinds that the primary object does not control are not changed.
 * @example
 * ```ts
 * import { dependent, OwnedDependents } from '@kgen/controller';
 * import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
 * import { InformerFactory, type Stored } from '@kgen/runtime';
 * import type { myV1 } from './generated/index.js';
 *
 * const informers = new InformerFactory(clientset);
 * const desired = ({ metadata: { name } }: Stored<myV1.MyApp>) => ({ metadata: { name } });
 * export const dependents = new OwnedDependents<Stored<myV1.MyApp>>([
 *   dependent({ name: 'key', informer: informers.of(secrets), desired }),
 *   dependent({ name: 'settings', informer: informers.of(configMaps), desired, dependsOn: ['key'] }),
 * ]);
 * ```
 */
export class OwnedDependents<P extends Stored<KubernetesObject>> {
  readonly #graph: DependentGraph<P>;
  readonly #dependents: readonly OwnedDependent<P>[];
  readonly #owned: ReadonlyMap<string, InformerIndex<Stored<KubernetesObject>>>;
  readonly #fieldManager: string | undefined;
  readonly #adopt: 'never' | 'unowned';

  /** @throws {TypeError} if names are not unique, a dependency does not exist, or there is a cycle */
  constructor(
    dependents: readonly OwnedDependent<P>[],
    { adopt = 'never', fieldManager }: OwnedDependentsOptions = {},
  ) {
    this.#adopt = adopt;
    this.#dependents = dependents;
    this.#graph = dependentGraph(dependents.map((each) => untypedDependent(each)));
    this.#owned = new Map(
      dependents.map(({ name, informer }) => [name, informer.addIndex('kgen.dependents', byOwner)]),
    );
    this.#fieldManager = fieldManager;
  }

  /** Informers of the dependents, for `owns` of the controller. */
  get informers(): readonly Informer<KubernetesObject>[] {
    return [...new Set(this.#dependents.map(({ informer }) => informer))];
  }

  /**
   * Applies and deletes what is due, and returns the state, in which changed objects are not ready. Without
   * changes it sends no request through the client of a manager.
   * @throws {TypeError} if the object to apply has no name, or a namespace that its owner cannot have
   * @throws the error of a failed request, or an `AggregateError` of several
   */
  async reconcile(primary: P): Promise<DependentsState> {
    // The garbage collector removes the references: the dependents outlive the primary object.
    if (isTerminating(primary) && primary.metadata.finalizers?.includes('orphan')) {
      return stateOf(primary, [], true);
    }
    const { live, conflicts } = await this.#found(primary);
    const plan = planDependents(this.#graph, primary, live, conflicts);
    const changed = await executePlan(plan, live, {
      apply: (intent, name) => this.#apply(primary, intent, live.get(name)),
      delete: (object) => this.#delete(object),
    });
    const status = plan.status.map((each) =>
      each.state === 'ready' && changed.has(each.name) ? ({ ...each, state: 'progressing' } as const) : each,
    );
    return stateOf(primary, status, plan.isSettled && changed.size === 0);
  }

  /**
   * Deletes the dependents of an object that is being deleted. Returns nothing once all are gone, as
   * `finalize` of a controller needs, otherwise a delay; each deletion causes a run before.
   * @throws the error of a failed request, or an `AggregateError` of several
   */
  async finalize(primary: P): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const { dependents } = await this.reconcile(primary);
    const isDone = dependents.every(({ state }) => state === 'absent');
    return isDone ? undefined : { requeueAfterMs: 60_000 };
  }

  /**
   * Objects by the name of their dependent: the desired one or, if it does not exist, an object of the kind
   * that is not desired any more. It is deleted, and the next one follows.
   */
  async #found(primary: P): Promise<{
    readonly live: LiveDependents;
    readonly conflicts: DependentConflicts;
  }> {
    const live = new Map<string, KubernetesObject>();
    const conflicts = new Map<string, string>();
    const isDeleted = isTerminating(primary);
    const desiredNames = new Set<string>();
    for (const each of this.#dependents) {
      // Also if the primary object is being deleted: the order of deletions follows from the names.
      const desired = each.desired(primary);
      const name = desired?.metadata?.name;
      if (desired === undefined || name === undefined) continue;
      const place = { namespace: namespaceFor(each, primary, desired), name };
      desiredNames.add(nameKey(each.informer, place));
      const object =
        each.informer.find(place) ?? (isDeleted ? undefined : await stored(each.informer, place));
      if (object === undefined) continue;
      // An object of another owner is neither changed nor deleted.
      if (isControlledBy(object, primary)) live.set(each.name, object);
      else if (!isDeleted && (await this.#mayAdopt(each.informer, object))) live.set(each.name, object);
      else conflicts.set(each.name, conflictText(object));
    }
    const left = this.#leftovers(primary, desiredNames);
    for (const { name, informer } of this.#dependents) {
      const rest = left.get(informer);
      const object = live.has(name) ? undefined : rest?.shift();
      if (object !== undefined && !conflicts.has(name)) live.set(name, object);
    }
    return { live, conflicts };
  }

  /** An object that this manager has applied has lost its reference, which is restored. */
  async #mayAdopt(informer: Informer<KubernetesObject>, object: Stored<KubernetesObject>): Promise<boolean> {
    const { metadata } = object;
    if (metadata.ownerReferences?.some(({ controller }) => controller === true)) return false;
    if (this.#adopt === 'unowned') return true;
    // Caches mostly have no managedFields.
    const whole = await stored(informer, metadata);
    return whole?.metadata.uid === metadata.uid && hasManager({ ...whole }, { manager: this.#manager() });
  }

  /** Controlled objects that no dependent desires, by informer. */
  #leftovers(
    primary: P,
    desiredNames: ReadonlySet<string>,
  ): ReadonlyMap<Informer<KubernetesObject>, Stored<KubernetesObject>[]> {
    return new Map(
      this.#dependents.map(({ name, informer }) => {
        const owned = this.#owned.get(name)?.get(primary.metadata.uid) ?? [];
        const left = owned.filter(
          (object) =>
            isControlledBy(object, primary) && !desiredNames.has(nameKey(informer, object.metadata)),
        );
        return [informer, left];
      }),
    );
  }

  async #apply(
    primary: P,
    { metadata, ...intent }: KubernetesObject,
    live: KubernetesObject | undefined,
  ): Promise<unknown> {
    const dependent = this.#dependents.find(({ informer }) => isOfKind(informer, intent));
    const name = metadata?.name;
    if (dependent === undefined || name === undefined) {
      throw new TypeError(`a dependent of ${primary.metadata.name} has no name`);
    }
    const { informer } = dependent;
    const namespace = namespaceFor(dependent, primary, { metadata });
    const place = namespace === undefined ? { name } : { name, namespace };
    // With the uid, an object that has replaced the cached one is not taken over.
    const uid = live?.metadata?.uid;
    const identity = { ...metadata, ...place, ...(uid !== undefined && { uid }) };
    const body = setControllerReference({ ...intent, metadata: identity }, primary);
    return restOf(informer).patch(objectPath(informer.resource, { metadata: place }), {
      body,
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: this.#manager(), force: true },
    });
  }

  async #delete(live: KubernetesObject): Promise<void> {
    const dependent = this.#dependents.find(({ informer }) => isOfKind(informer, live));
    const { name, namespace, uid, resourceVersion } = live.metadata ?? {};
    if (dependent === undefined || name === undefined) return;
    try {
      await restOf(dependent.informer).delete(
        objectPath(dependent.informer.resource, { metadata: { name, namespace } }),
        {
          body: {
            apiVersion: 'v1',
            kind: 'DeleteOptions',
            // Another version may have lost its reference, and is not ours to delete.
            preconditions: { uid, resourceVersion },
            propagationPolicy: 'Background',
          },
        },
      );
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #manager(): string {
    const manager = this.#fieldManager ?? currentRun()?.controller;
    if (manager !== undefined) return manager;
    throw new TypeError(
      'dependents need a fieldManager: pass one, or call reconcile in a run of a controller',
    );
  }
}

/**
 * Returns the namespace of a dependent: that of the object to apply, else that of its owner.
 * @throws {TypeError} if there is none, or another one than that of the owner: references do not cross
 * namespaces
 */
function namespaceFor<P extends Stored<KubernetesObject>>(
  { name, informer }: OwnedDependent<P>,
  { metadata }: P,
  desired: KubernetesObject,
): string | undefined {
  const owner = metadata.namespace;
  const problem = (text: string): TypeError =>
    new TypeError(`dependent ${name} of ${metadata.name}: ${text}`);
  if (informer.resource.scope === 'Cluster') {
    if (owner === undefined) return undefined;
    throw problem(
      `an object of namespace ${owner} cannot own a cluster-scoped one; label it, and delete it in finalize`,
    );
  }
  const own = desired.metadata?.namespace ?? owner;
  if (own === undefined) {
    if (informer.resource.scope === undefined) return undefined;
    throw problem('its owner is cluster-scoped, so the object to apply needs metadata.namespace');
  }
  if (owner !== undefined && own !== owner)
    throw problem(`it is in namespace ${own}, and its owner in ${owner}: references do not cross namespaces`);
  return own;
}

/** Returns an object that is not cached from the server: an apply would change it without a look at it. */
async function stored(
  informer: Informer<KubernetesObject>,
  place: { readonly namespace?: string | undefined; readonly name: string },
): Promise<Stored<KubernetesObject> | undefined> {
  try {
    // seam: the response to a GET of the kind of the informer.
    return (await restOf(informer).get(
      objectPath(informer.resource, { metadata: place }),
    )) as Stored<KubernetesObject>;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function conflictText({ kind, metadata }: Stored<KubernetesObject>): string {
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
  const place = [metadata.namespace, metadata.name].filter((part) => part !== undefined).join('/');
  const owner =
    controller === undefined ? 'has no controller' : `is controlled by ${controller.kind} ${controller.name}`;
  return `${kind ?? 'object'} ${place} ${owner}`;
}

/** Returns a dependent without the type of its kind; the compiler has checked its functions. */
export function dependent<P, D extends KubernetesObject>(options: OwnedDependent<P, D>): OwnedDependent<P> {
  // Its functions are called with objects of its own informer only.
  return options as unknown as OwnedDependent<P>;
}

function untypedDependent<P>(options: OwnedDependent<P>): Dependent<P> {
  const { informer, desired, isReady } = options;
  const { kind } = informer.resource;
  if (kind === undefined) {
    throw new TypeError(
      `dependent ${options.name}: the kind of ${informer.name} is unknown; create the informer from a generated descriptor`,
    );
  }
  const apiVersion = apiVersionOf(informer.resource);
  return {
    ...options,
    desired: (primary) => {
      const object = desired(primary);
      return object && { apiVersion, kind, ...object };
    },
    // Live objects come from the informer of the dependent.
    isReady: isReady && ((live, primary) => isReady(live as Stored<KubernetesObject>, primary)),
  };
}

function restOf(informer: Informer<KubernetesObject>): RESTClient {
  return informer.informers.rest;
}

function nameKey(
  informer: Informer<KubernetesObject>,
  { namespace = '', name }: { readonly namespace?: string | undefined; readonly name: string },
): string {
  return `${informer.name} ${namespace}/${name}`;
}

function isOfKind({ resource }: Informer<KubernetesObject>, { apiVersion, kind }: KubernetesObject): boolean {
  return resource.kind === kind && resource.group === groupOf(apiVersion);
}

function stateOf(
  { metadata }: Stored<KubernetesObject>,
  dependents: readonly DependentStatus[],
  isSettled: boolean,
): DependentsState {
  const open = dependents.filter(({ state }) => state !== 'ready' && state !== 'absent').map(statusText);
  const { generation } = metadata;
  return {
    dependents,
    isSettled,
    condition: {
      type: 'Ready',
      status: isSettled ? 'True' : 'False',
      reason: isSettled ? 'DependentsReady' : 'DependentsNotReady',
      message: open.join('; '),
      ...(generation !== undefined && { observedGeneration: generation }),
    },
  };
}

function statusText({ name, state, waitsFor, message }: DependentStatus): string {
  if (message !== undefined) return `${name} is in conflict: ${message}`;
  return waitsFor.length === 0 ? `${name} is ${state}` : `${name} is ${state}, after ${waitsFor.join(', ')}`;
}
