/** Joins a graph of dependents to the informers and the client of a controller. */

import {
  byOwner,
  type Informer,
  type InformerIndex,
  type KubernetesObject,
  type Stored,
} from '@kgen/runtime';
import { hasFinalizer } from '@kgen/runtime/objects';
import { currentRun } from '../client/run-scope.ts';
import type { ReconcileKey } from '../controller/key.ts';
import type { WatchedSource } from '../controller/options.ts';
import { isTerminating } from '../members.ts';
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
  /** Owner of the applied fields. Default: the name of the controller whose run applies them. */
  readonly fieldManager?: string | undefined;
}

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
 * in the reverse order. An object of the same name that the primary object does not control is neither changed
 * nor deleted: it is reported in the condition, unless the dependent has `adopt`. All objects of these kinds
 * that the primary object controls belong to the declarations, also those that others have created.
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
  readonly #fieldManager: string | undefined;
  readonly #writes = new DependentWrites();
  /** Keys of primary objects in whose way an object is, by the identity of the object. */
  readonly #conflicts = new Map<string, Map<string, ReconcileKey>>();

  /**
   * @throws {TypeError} if names are not unique, a dependency does not exist, there is a cycle, the kind of an
   * informer is unknown, or it does not select the metadata that records owners
   */
  constructor(dependents: readonly OwnedDependent<P>[], { fieldManager }: OwnedDependentsOptions = {}) {
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
    this.#fieldManager = fieldManager;
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
      map: (object) => [...trackerKeys(object), ...this.#takeConflicts(identityOf(informer, object))],
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
      return stateOf(primary, planDependents(situation.graph, primary, situation.live));
    }
    return this.#execute(primary, situation);
  }

  /**
   * Deletes the dependents of an object that is being deleted. Returns nothing once all are gone, as
   * `finalize` of a controller needs, otherwise a delay; each deletion causes a run before. If the dependents
   * are orphaned, it waits until the garbage collector has removed the references, and removes the labels.
   * @throws the error of a failed request, or an `AggregateError` of several
   */
  async finalize(primary: P): Promise<{ readonly requeueAfterMs: number } | undefined> {
    const situation = this.#situationOf(primary);
    if (hasFinalizer(primary, 'orphan')) return this.#orphan(primary, situation);
    const { dependents } = await this.#execute(primary, situation);
    const isDone = dependents.every(({ state }) => state === 'absent');
    return isDone ? undefined : { requeueAfterMs: 60_000 };
  }

  async #execute(primary: P, situation: Situation<P>): Promise<DependentsState> {
    const written = (name: string): WrittenDependent => this.#written(primary, situation, name);
    const plan = await reconcileDependents(situation.graph, primary, situation.live, {
      apply: (intent, name) => {
        const each = written(name);
        return this.#writes.apply(each, intent, each.informer.find(placeOf(intent)));
      },
      delete: (object, name) => this.#writes.delete(written(name), object),
    });
    this.#rememberConflicts(primary, situation, plan);
    return stateOf(primary, plan);
  }

  async #orphan(
    primary: P,
    situation: Situation<P>,
  ): Promise<{ readonly requeueAfterMs: number } | undefined> {
    for (const [name, object] of situation.live) {
      const written = this.#written(primary, situation, name);
      if (written.tracking === 'labels') await this.#writes.release(written, object);
    }
    return situation.live.size === 0 ? undefined : { requeueAfterMs: 60_000 };
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
    for (const each of this.#dependents) {
      try {
        // Also if the primary object is being deleted: the order of deletions follows from the names.
        const object = each.desired(primary);
        if (object !== undefined) intents.set(each.name, placed(each, primary, object));
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
    const { informer, adopt = 'never', recreate = false } = dependent;
    const fieldManager = (): string => this.#manager();
    return { name, informer, primary, tracking: trackingOf(dependent), adopt, recreate, fieldManager };
  }

  #rememberConflicts(primary: P, { dependents, intents }: Situation<P>, { status }: DependentPlan): void {
    for (const { name, state } of status) {
      const [dependent, intent] = [dependents.get(name), intents.get(name)];
      if (state !== 'conflict' || dependent === undefined || intent === undefined) continue;
      const identity = identityOf(dependent.informer, intent);
      const keys = this.#conflicts.get(identity) ?? new Map<string, ReconcileKey>();
      this.#conflicts.set(identity, keys.set(primary.metadata.uid, ownKey(primary, undefined)));
    }
  }

  /** Returns the keys that a change of an object concerns. Their next run finds a conflict that remains. */
  #takeConflicts(identity: string): readonly ReconcileKey[] {
    const keys = this.#conflicts.get(identity);
    this.#conflicts.delete(identity);
    return [...(keys?.values() ?? [])];
  }

  #manager(): string {
    const manager = this.#fieldManager ?? currentRun()?.controller;
    if (manager !== undefined) return manager;
    throw new TypeError(
      'dependents need a fieldManager: pass one, or call reconcile in a run of a controller',
    );
  }
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
