/** Joins a graph of dependents to the informers and the client of a controller. */

import {
  byOwner,
  type Informer,
  type InformerIndex,
  type KubernetesObject,
  type Stored,
} from '@kgen/runtime';
import { hasFinalizer } from '@kgen/runtime/objects';
import { labelSelectorText } from '@kgen/runtime/selectors';
import { liveObjects } from '../client/live-object.ts';
import { currentRun } from '../client/run-scope.ts';
import type { WatchedSource } from '../controller/options.ts';
import { isTerminating } from '../members.ts';
import type { ReconcileKey } from '../runs/key.ts';
import { ownKey } from '../sources/sources.ts';
import {
  checkInformer,
  kindOf,
  type OwnedDependent,
  placed,
  trackingOf,
  untypedDependent,
} from './declarations.ts';
import { DependentWrites, placeOf, type WrittenDependent } from './dependent-writes.ts';
import {
  type Dependent,
  type DependentGraph,
  type DependentPlan,
  type DependentStatus,
  dependentGraph,
  type LiveDependents,
  planDependents,
} from './dependents.ts';
import { reconcileDependents } from './execution.ts';
import { isTracked, objectText, ownerUidLabel, trackerKeys } from './ownership.ts';

/** Options of `OwnedDependents`. */
export interface OwnedDependentsOptions {
  /**
   * Whether the primary object takes over an existing object with the name of a dependent, and applies all
   * desired fields to it: never, or if the object has no controller. Other existing objects stay unchanged,
   * and their dependent has the state `conflict`. Default: `never`.
   */
  readonly adopt?: 'never' | 'unowned' | undefined;
  /** Owner of the applied fields. Default: the name of the controller whose run applies them. */
  readonly fieldManager?: string | undefined;
}

/** Primary objects whose conflicts are followed; of more, the oldest are forgotten. */
const mostConflicts = 10_000;

/** State of all dependents of a primary object. */
export interface DependentsState {
  readonly dependents: readonly DependentStatus[];
  /** Whether each dependent is applied and ready, or absent as desired: nothing remains to be done. */
  readonly isSettled: boolean;
  /** Condition of the type `Ready` for the status of the primary object, for `setCondition`. */
  readonly condition: {
    readonly type: 'Ready';
    readonly status: 'True' | 'False';
    readonly reason: 'DependentsReady' | 'DependentsNotReady' | 'DependentConflict' | 'DependentInvalid';
    readonly message: string;
    readonly observedGeneration?: number;
  };
}

/**
 * Objects that a primary object needs, as declarations: `reconcile` creates, updates and repairs them in the
 * order of their dependencies, and deletes those that are no longer desired; `finalize` deletes all of them
 * in the reverse order. An object of the same name that the primary object does not control is neither
 * changed nor deleted: it is reported in the condition. All objects of these kinds that the primary object
 * controls belong to the declarations.
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
  readonly #dependents: readonly OwnedDependent<P>[];
  readonly #order: readonly Dependent<P>[];
  readonly #indices: ReadonlyMap<string, InformerIndex<Stored<KubernetesObject>>>;
  readonly #options: OwnedDependentsOptions;
  readonly #writes = new DependentWrites();
  /** Places in which objects of others are, by the uid of the primary object. */
  readonly #conflicts = new Map<string, Conflicts>();

  /**
   * Creates a graph of dependents.
   * @throws {TypeError} if names are not unique, a dependency does not exist, there is a cycle, the kind of an
   * informer is unknown, or it does not select the metadata that records owners
   */
  constructor(dependents: readonly OwnedDependent<P>[], options: OwnedDependentsOptions = {}) {
    for (const each of dependents) checkInformer(each);
    this.#dependents = dependents;
    this.#order = dependentGraph(dependents.map((each) => untypedDependent(each))).ordered;
    this.#indices = new Map(
      dependents.map((each) => [
        each.name,
        trackingOf(each) === 'labels'
          ? each.informer.addIndex('kgen.dependents.labels', byLabel)
          : each.informer.addIndex('kgen.dependents', byOwner),
      ]),
    );
    this.#options = options;
  }

  /** Informers of the dependents with a controller reference, for `owns` of the controller. */
  get informers(): readonly Informer<KubernetesObject>[] {
    const owned = this.#dependents.filter((each) => trackingOf(each) === 'ownerReference');
    return [...new Set(owned.map(({ informer }) => informer))];
  }

  /**
   * Sources for `watches` of the controller: changes of dependents that are tracked by labels, and of objects
   * that are in conflict with a dependent.
   */
  get watches(): readonly WatchedSource<KubernetesObject>[] {
    const informers = new Set(this.#dependents.map(({ informer }) => informer));
    return [...informers].map((informer) => ({
      informer,
      map: (object) => {
        const place = identityOf(informer, object);
        const conflicts = [...this.#conflicts.values()].filter(({ places }) => places.has(place));
        return [...trackerKeys(object), ...conflicts.map(({ key }) => key)];
      },
    }));
  }

  /**
   * Applies and deletes what is due, and returns the state after it. At rest, with a client of a manager, it
   * sends no request. For a primary object that is being deleted, it changes nothing.
   * @throws the error of a failed request, or an `AggregateError` of several
   * @throws {TypeError} if an object cannot be tracked: it has no namespace, or one in which the primary object
   * cannot own it, or it is tracked by labels and the primary object has no finalizer
   */
  async reconcile(primary: P): Promise<DependentsState> {
    const situation = this.#situationOf(primary);
    if (isTerminating(primary)) {
      this.#conflicts.delete(primary.metadata.uid);
      return stateOf(primary, planDependents(situation.graph, primary, situation.live));
    }
    return await this.#execute(primary, situation);
  }

  /**
   * Deletes the dependents of an object that is being deleted. Returns nothing once all are gone, as
   * `finalize` of a controller needs, otherwise a delay; each deletion causes a run before. With the
   * finalizer `orphan`, it deletes none, and removes the labels that track them.
   * @throws the error of a failed request, or an `AggregateError` of several
   */
  async finalize(primary: P): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const situation = this.#situationOf(primary);
    if (hasFinalizer(primary, 'orphan')) {
      this.#conflicts.delete(primary.metadata.uid);
      for (const [name, object] of situation.live) {
        const written = this.#written(primary, situation, name);
        if (written.tracking === 'labels') await this.#writes.release(written, object);
      }
      return undefined;
    }
    const { dependents } = await this.#execute(primary, situation);
    const isDone = dependents.every(({ state }) => state === 'absent') && !(await this.#hasUnseen(primary));
    return isDone ? undefined : { requeueAfterMs: 60_000 };
  }

  async #execute(primary: P, situation: Situation<P>): Promise<DependentsState> {
    const written = (name: string): WrittenDependent => this.#written(primary, situation, name);
    // Before the requests: an object that is deleted meanwhile must cause another run.
    this.#expectChanges(primary, situation, () => true);
    const plan = await reconcileDependents(situation.graph, primary, situation.live, {
      apply: (intent, name) => {
        const each = written(name);
        return this.#writes.apply(each, intent, each.informer.find(placeOf(intent)));
      },
      delete: (object, name) => this.#writes.delete(written(name), object),
    });
    const inConflict = new Set(plan.status.flatMap(({ name, state }) => (state === 'conflict' ? name : [])));
    this.#expectChanges(primary, situation, (name) => inConflict.has(name));
    return stateOf(primary, plan);
  }

  /**
   * Returns whether the server has dependents that no cache shows: a new leader, or one whose response was
   * lost. The garbage collector deletes those with a reference.
   */
  async #hasUnseen({ metadata: { uid } }: P): Promise<boolean> {
    const informers = this.#dependents.filter((each) => trackingOf(each) === 'labels');
    for (const informer of new Set(informers.map((each) => each.informer))) {
      const query = { labelSelector: labelSelectorText({ [ownerUidLabel]: uid }) };
      for (const namespace of informer.namespaces ?? [undefined]) {
        const found = await liveObjects(informer.informers.rest, informer.resource, { namespace, query });
        if (found.length > 0) return true;
      }
    }
    return false;
  }

  /**
   * Desired objects, and tracked objects by the name of their dependent: the desired one or, if it does not
   * exist, an object of the kind that is not desired any more. It is deleted, and the desired one follows.
   * Further ones have names of their own.
   */
  #situationOf(primary: P): Situation<P> {
    const intents = this.#intentsOf(primary);
    const live = new Map<string, KubernetesObject>();
    const dependents = new Map(this.#dependents.map((each) => [each.name, each]));
    for (const each of this.#dependents) {
      const intent = intents.get(each.name);
      const object = intent && each.informer.find(placeOf(intent));
      if (object !== undefined && isTracked(object, primary, trackingOf(each))) live.set(each.name, object);
    }
    for (const [each, object] of this.#leftovers(primary, intents)) {
      const vacant = this.#dependents.find(
        ({ name, informer }) => informer === each.informer && !live.has(name),
      );
      const name = vacant?.name ?? objectText(kindOf(each), object);
      live.set(name, object);
      if (vacant === undefined) dependents.set(name, { ...each, name, desired: () => undefined });
    }
    const declared = this.#order.map((each) => ({ ...each, desired: () => intents.get(each.name) }));
    const extra = [...dependents.values()]
      .slice(declared.length)
      .map(({ name, desired }) => ({ name, desired }));
    return { graph: { ordered: [...declared, ...extra] }, live, dependents, intents };
  }

  #intentsOf(primary: P): ReadonlyMap<string, KubernetesObject> {
    const intents = new Map<string, KubernetesObject>();
    const places = new Map<string, string>();
    for (const each of this.#dependents) {
      try {
        // Also if the primary object is being deleted: the order of deletions follows from the names.
        const object = each.desired(primary);
        if (object === undefined) continue;
        const intent = placed(each, primary, object);
        const place = identityOf(each.informer, intent);
        const other = places.get(place);
        if (other !== undefined)
          throw new TypeError(
            `dependents ${other} and ${each.name} of ${primary.metadata.name} are one object`,
          );
        places.set(place, each.name);
        intents.set(each.name, intent);
      } catch (error) {
        // Its deletion must not depend on it.
        if (!isTerminating(primary)) throw error;
      }
    }
    return intents;
  }

  /** Tracked objects that no dependent desires. */
  #leftovers(
    primary: P,
    intents: ReadonlyMap<string, KubernetesObject>,
  ): readonly (readonly [OwnedDependent<P>, KubernetesObject])[] {
    const seen = new Set<string>();
    for (const each of this.#dependents) {
      const intent = intents.get(each.name);
      if (intent !== undefined) seen.add(identityOf(each.informer, intent));
    }
    const left: (readonly [OwnedDependent<P>, KubernetesObject])[] = [];
    for (const each of this.#dependents) {
      for (const object of this.#indices.get(each.name)?.get(primary.metadata.uid) ?? []) {
        const identity = identityOf(each.informer, object);
        if (seen.has(identity) || !isTracked(object, primary, trackingOf(each))) continue;
        seen.add(identity);
        left.push([each, object]);
      }
    }
    return left;
  }

  #written(primary: P, { dependents }: Situation<P>, name: string): WrittenDependent {
    const dependent = dependents.get(name);
    if (dependent === undefined) throw new TypeError(`no dependent is named ${name}`);
    const { informer, recreate = false } = dependent;
    const { adopt = 'never' } = this.#options;
    const fieldManager = (): string => this.#manager();
    return { name, informer, primary, tracking: trackingOf(dependent), adopt, recreate, fieldManager };
  }

  /** Registers a primary object for changes of the objects in the places of some of its dependents. */
  #expectChanges(
    primary: P,
    { dependents, intents }: Situation<P>,
    isExpected: (name: string) => boolean,
  ): void {
    const places = new Set<string>();
    for (const [name, intent] of isTerminating(primary) ? [] : intents) {
      const dependent = dependents.get(name);
      if (dependent !== undefined && isExpected(name)) places.add(identityOf(dependent.informer, intent));
    }
    const { uid } = primary.metadata;
    this.#conflicts.delete(uid);
    if (places.size === 0) return;
    this.#conflicts.set(uid, { key: ownKey(primary, undefined), places });
    // Objects without a finalizer may be gone before the next run.
    const [oldest] = this.#conflicts.keys();
    if (this.#conflicts.size > mostConflicts && oldest !== undefined) this.#conflicts.delete(oldest);
  }

  #manager(): string {
    const manager = this.#options.fieldManager ?? currentRun()?.controller;
    if (manager !== undefined) return manager;
    throw new TypeError(
      'dependents need a fieldManager: pass one, or call reconcile in a run of a controller',
    );
  }
}

/** Places in which objects of others may be, and the primary object that a change of them concerns. */
interface Conflicts {
  readonly key: ReconcileKey;
  readonly places: ReadonlySet<string>;
}

/** Dependents of one primary object, with those that no declaration desires. */
interface Situation<P> {
  readonly graph: DependentGraph<P>;
  readonly live: LiveDependents;
  readonly dependents: ReadonlyMap<string, OwnedDependent<P>>;
  /** Desired objects with name and namespace. */
  readonly intents: ReadonlyMap<string, KubernetesObject>;
}

function byLabel({ metadata }: Stored<KubernetesObject>): readonly string[] {
  const uid = metadata.labels?.[ownerUidLabel];
  return uid === undefined ? [] : [uid];
}

/** Identity of an object among those of all informers. */
function identityOf({ name }: Informer<KubernetesObject>, { metadata }: KubernetesObject): string {
  return [name, metadata?.namespace ?? '', metadata?.name ?? ''].join(' ');
}

function stateOf(
  { metadata: { generation } }: Stored<KubernetesObject>,
  { status: dependents, isSettled }: DependentPlan,
): DependentsState {
  const open = dependents.filter(({ state }) => state !== 'ready' && state !== 'absent');
  const has = (state: string): boolean => open.some((each) => each.state === state);
  const failure = has('conflict') ? 'DependentConflict' : 'DependentsNotReady';
  return {
    dependents,
    isSettled,
    condition: {
      type: 'Ready',
      status: isSettled ? 'True' : 'False',
      reason: isSettled
        ? 'DependentsReady'
        : !has('conflict') && has('invalid')
          ? 'DependentInvalid'
          : failure,
      message: open.map(statusText).join('; '),
      ...(generation !== undefined && { observedGeneration: generation }),
    },
  };
}

function statusText({ name, state, waitsFor, message }: DependentStatus): string {
  if (message !== undefined) return `${name} is ${state === 'conflict' ? 'in conflict' : state}: ${message}`;
  return waitsFor.length === 0 ? `${name} is ${state}` : `${name} is ${state}, after ${waitsFor.join(', ')}`;
}
