/** Calls the functions of a controller for a key, and maintains the finalizer of its objects. */

import { type Informer, isNotFound, type KubernetesObject, type Stored } from '@kgen/runtime';
import { errorOf } from '../errors.ts';
import { isTerminating } from '../members.ts';
import { additionOf, isFailedTest, objectPath, removalOf, StaleObjectError } from './finalizer.ts';
import type { HostRequests } from './host.ts';
import type { ReconcileKey } from './key.ts';
import type { ReconcileContext } from './options.ts';
import { outcomeOfResult, type ReconcileResult } from './outcome.ts';
import type { Setup, Work } from './setup.ts';

type ObjectWork<C> = Extract<Work<C>, { readonly type: 'object' }>;

/** The functions of one controller. */
export class WorkCall<C> {
  readonly #setup: Setup<C>;
  readonly #requests: HostRequests;

  constructor(setup: Setup<C>, requests: HostRequests) {
    this.#setup = setup;
    this.#requests = requests;
  }

  /** Returns the informer of the reconciled objects of a key's cluster. */
  informerOf({ cluster }: ReconcileKey): Informer<KubernetesObject> | undefined {
    return this.#setup.reconciled.get(cluster);
  }

  /** Returns the cached object of a key. */
  objectOf(key: ReconcileKey): Stored<KubernetesObject> | undefined {
    return this.informerOf(key)?.find(key);
  }

  /** Calls the function that fits the state of the object. Throws what it throws. */
  call(context: ReconcileContext<C>): ReconcileResult | Promise<ReconcileResult> {
    const { work } = this.#setup;
    const { key } = context;
    if (work.type === 'key') return work.reconcile(key, context);
    const object = this.objectOf(key);
    // Deleted: its dependents are collected by the server, and `finalize` has run before.
    if (object === undefined) return undefined;
    if (work.finalize === undefined) return work.reconcile(object, context);
    if (isTerminating(object)) return this.#finalize(work, object, context);
    return this.#reconcileWithFinalizer(work, object, context);
  }

  async #reconcileWithFinalizer(
    work: ObjectWork<C>,
    object: Stored<KubernetesObject>,
    context: ReconcileContext<C>,
  ): Promise<ReconcileResult> {
    const patch = additionOf(object, work.finalizer);
    if (patch === undefined) return work.reconcile(object, context);
    // Deleted meanwhile, without a finalizer that needs cleaning up.
    if (!(await this.#patch(object, patch, context))) return undefined;
    // The cache contains the response, or something newer.
    const current = this.objectOf(context.key);
    if (current === undefined) return undefined;
    if (isTerminating(current)) return this.#finalize(work, current, context);
    return work.reconcile(current, context);
  }

  async #finalize(
    work: ObjectWork<C>,
    object: Stored<KubernetesObject>,
    context: ReconcileContext<C>,
  ): Promise<ReconcileResult> {
    if (removalOf(object, work.finalizer) === undefined) return undefined;
    const result = await work.finalize?.(object, context);
    // Its end is that of the run, unless it is a success without another call.
    if (outcomeOfResult(result).type !== 'success') return result;
    const current = this.objectOf(context.key);
    // An object of the same name that was created meanwhile keeps its finalizer.
    const isSame = current !== undefined && current.metadata.uid === object.metadata.uid;
    const patch = removalOf(isSame ? current : object, work.finalizer);
    if (patch !== undefined) await this.#patch(object, patch, context);
    return undefined;
  }

  /**
   * Returns whether the object still exists.
   * @throws {StaleObjectError} if it has changed
   */
  async #patch(
    object: Stored<KubernetesObject>,
    patch: readonly object[],
    { key, signal }: ReconcileContext<C>,
  ): Promise<boolean> {
    const informer = this.informerOf(key);
    // Objects come from this informer.
    if (informer === undefined) return false;
    const path = objectPath(informer.resource, object);
    // Clients of other clusters than that of the manager are those of their informers.
    const rest = key.cluster === undefined ? undefined : informer.informers.rest;
    try {
      await this.#requests.patch(path, patch, signal, rest);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      if (!isFailedTest(error)) throw error;
      throw new StaleObjectError(`finalizers were not changed: ${errorOf(error).message}`, { cause: error });
    }
  }
}
