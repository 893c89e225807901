/** Calls the functions of a controller for a key, and maintains the finalizer of its objects. */

import { type Informer, isNotFound, type KubernetesObject, type Stored } from '@kgen/runtime';
import { hasFinalizer, isOwnerTerminating } from '@kgen/runtime/objects';
import { Lru } from '../apply/lru.ts';
import { errorOf } from '../errors.ts';
import { isTerminating } from '../members.ts';
import { additionOf, isFailedTest, objectPath, removalOf, StaleObjectError } from '../runs/finalizer.ts';
import type { ReconcileKey } from '../runs/key.ts';
import { outcomeFor, outcomeOfResult, type ReconcileResult } from '../runs/outcome.ts';
import type { HostRequests } from './host.ts';
import type { ReconcileContext } from './reconcile-context.ts';
import type { RunEnd } from './run.ts';
import type { Setup, Work } from './setup.ts';

type ObjectWork<C> = Extract<Work<C>, { readonly type: 'object' }>;

/** Objects whose abandoned finalizer is reported once. */
const reportedObjects = 10_000;

/** The functions of one controller. */
export class WorkCall<C> {
  readonly #setup: Setup<C>;
  readonly #requests: HostRequests;
  /** Uids of objects with an abandoned finalizer. */
  readonly #reported = new Lru<true>(reportedObjects);

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

  /** Returns the end of a run of a key. It is not a failure if the object was deleted meanwhile. */
  endOf({ cluster, namespace, name }: ReconcileKey, end: RunEnd): RunEnd {
    const informer = this.#setup.reconciled.get(cluster);
    if (informer === undefined) return end;
    const { group, resource } = informer.resource;
    return { ...end, outcome: outcomeFor({ group, resource, namespace, name }, end.outcome) };
  }

  /** Calls the function that fits the state of the object. Throws what it throws. */
  call(context: ReconcileContext<C>): ReconcileResult | Promise<ReconcileResult> {
    const { work } = this.#setup;
    const { key } = context;
    const object = this.objectOf(key);
    if (work.type === 'key') return reconciled(object, context, () => work.reconcile(key, context));
    // Deleted: its dependents are collected by the server, and `finalize` has run before.
    if (object === undefined) return undefined;
    return isTerminating(object)
      ? this.#terminate(work, object, context)
      : this.#reconcile(work, object, context);
  }

  async #reconcile(
    work: ObjectWork<C>,
    object: Stored<KubernetesObject>,
    context: ReconcileContext<C>,
  ): Promise<ReconcileResult> {
    const run = (current: Stored<KubernetesObject>): Promise<ReconcileResult> =>
      reconciled(current, context, () => work.reconcile(current, context));
    const patch = additionOf(object, activeFinalizer(work), work.former);
    if (patch === undefined) return run(object);
    // Deleted meanwhile, without a finalizer that needs cleaning up.
    if (!(await this.#patch(object, patch, context))) return undefined;
    // The cache contains the response, or something newer.
    const current = this.objectOf(context.key);
    if (current === undefined) return undefined;
    return isTerminating(current) ? this.#terminate(work, current, context) : run(current);
  }

  async #terminate(
    work: ObjectWork<C>,
    object: Stored<KubernetesObject>,
    context: ReconcileContext<C>,
  ): Promise<ReconcileResult> {
    this.#report(work, object, context);
    const { finalize, former } = work;
    const removal = (held: Stored<KubernetesObject>) => removalOf(held, activeFinalizer(work), former);
    if (removal(object) === undefined) {
      if (finalize !== undefined) return undefined;
      return reconciled(object, context, () => work.reconcile(object, context));
    }
    const result = await finalize?.(object, context);
    // Its end is that of the run, unless it is a success without another call.
    if (outcomeOfResult(result).type !== 'success') return result;
    const current = this.objectOf(context.key);
    // An object of the same name that was created meanwhile keeps its finalizer.
    const isSame = current !== undefined && current.metadata.uid === object.metadata.uid;
    const patch = removal(isSame ? current : object);
    if (patch !== undefined) await this.#patch(object, patch, context);
    return undefined;
  }

  /** Reports a finalizer of a former version that holds an object, once per object. */
  #report(
    { abandoned }: ObjectWork<C>,
    object: Stored<KubernetesObject>,
    { log, record }: ReconcileContext<C>,
  ): void {
    const { uid } = object.metadata;
    if (abandoned === undefined || !hasFinalizer(object, abandoned) || this.#reported.get(uid)) return;
    this.#reported.set(uid, true);
    const note = `the finalizer ${abandoned} of a former version of this controller holds the object: pass formerFinalizers: ['${abandoned}'] to the controller, or remove it`;
    log.warn({ finalizer: abandoned }, note);
    record.event({ type: 'Warning', reason: 'FinalizerAbandoned', action: 'Finalize', note });
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

function activeFinalizer<C>({ finalize, finalizer }: ObjectWork<C>): string | undefined {
  return finalize === undefined ? undefined : finalizer;
}

/**
 * Calls a reconcile function. A run that would refer to its own object, which is being deleted, has ended.
 */
async function reconciled<C>(
  object: Stored<KubernetesObject> | undefined,
  { log }: ReconcileContext<C>,
  work: () => ReconcileResult | Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  try {
    return await work();
  } catch (error) {
    const isOwn = isOwnerTerminating(error) && error.owner.metadata?.uid === object?.metadata.uid;
    if (object === undefined || !isOwn) throw error;
    log.debug({}, `the run ends, since its object is being deleted: ${error.message}`);
    return undefined;
  }
}
