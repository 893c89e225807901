/** Options of controllers: what is reconciled, from which changes, and how. */

import type { Informer, KubernetesObject, Stored } from '@kgen/runtime';
import type { ReconcileKey } from '../runs/key.ts';
import type { ReconcileResult } from '../runs/outcome.ts';
import type { Predicate } from '../sources/predicates.ts';
import type { ReconcileContext } from './reconcile-context.ts';

/** An informer of the reconciled objects, with its predicate. */
export interface ForSource<T> {
  readonly informer: Informer<T>;
  /**
   * Selects the changes that cause a run. Default: `desiredStateChanged`, which ignores changes of the
   * status.
   */
  readonly predicate?: Predicate<T> | undefined;
  /** Name of the informer's cluster, for controllers of several clusters. It is part of the keys. */
  readonly cluster?: string | undefined;
}

/** An informer of objects whose managing controller is a reconciled object, with its predicate. */
export interface OwnedSource<T> {
  readonly informer: Informer<T>;
  /** Selects the changes that cause a run of the owner. Default: all changes. */
  readonly predicate?: Predicate<T> | undefined;
  /** Name of the informer's cluster, for controllers of several clusters. It is part of the keys. */
  readonly cluster?: string | undefined;
}

/** An informer of other objects, with the function that maps them to reconciled ones. */
export interface WatchedSource<T> {
  readonly informer: Informer<T>;
  /**
   * Returns the keys of the objects to reconcile after a change of `object`. Called for the new and for the
   * old state of an update, so that an object that no longer refers to another one causes a run of it.
   */
  readonly map: (object: Stored<T>) => readonly ReconcileKey[];
  /**
   * Returns whether a change is passed to `map`; other changes cause no run. Default: all changes are passed.
   */
  readonly predicate?: Predicate<T> | undefined;
}

/** Members of `ControllerOptions` besides the reconcile function. */
export interface ControllerBaseOptions<T, C, W extends readonly unknown[]> {
  /** Name of the controller in logs, metrics and events, unique in a manager: `myapp`. */
  readonly name: string;
  /** Informer, or sources, of the objects that the controller reconciles. */
  readonly for: Informer<T> | ForSource<T> | readonly ForSource<T>[];
  /**
   * Informers of objects whose managing controller is a reconciled object. Their changes cause a run of the
   * owner. Default: none.
   */
  readonly owns?: readonly (Informer<KubernetesObject> | OwnedSource<KubernetesObject>)[] | undefined;
  /**
   * Informers of other objects, with a `map` that returns the keys to reconcile after a change of such an
   * object. Default: none.
   */
  readonly watches?: { readonly [I in keyof W]: WatchedSource<W[I]> } | undefined;
  /** Client that reconcile functions receive. Default: none. */
  readonly client?: C | undefined;
  /** Maximum number of simultaneous runs, each for another object. Default: 1. */
  readonly concurrency?: number | undefined;
  /**
   * Time limit of a run, in milliseconds: then its signal aborts with `ReconcileTimeoutError`. A run that has
   * not settled 10 s later is abandoned: its writes are refused, and the object is retried. Default: 5 min.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Number of failed attempts in a row after which an object waits for its next change. Default: no limit.
   */
  readonly maxAttempts?: number | undefined;
  /** Delay of the first retry, in milliseconds, doubled with each further one. Default: 5. */
  readonly backoffBaseMs?: number | undefined;
  /** Maximum delay of a retry, in milliseconds. Default: 1,000,000, which is 16 min 40 s. */
  readonly backoffMaxMs?: number | undefined;
  /** Interval in which each object is reconciled even without a change, in milliseconds. Default: never. */
  readonly resyncMs?: number | undefined;
  /** Maximum time until the caches are complete, in milliseconds. Default: 2 min. */
  readonly syncTimeoutMs?: number | undefined;
  /** Whether the controller runs only while its manager is the leader. Default: true. */
  readonly leaderElection?: boolean | undefined;
}

/** Reconciles objects; called with the cached state, which is shared and must not be changed. */
export type Reconcile<T, C> = (
  object: Stored<T>,
  context: ReconcileContext<C>,
) => ReconcileResult | Promise<ReconcileResult>;

/** Reconciles keys; called also after the object was deleted. */
export type ReconcileByKey<C> = (
  key: ReconcileKey,
  context: ReconcileContext<C>,
) => ReconcileResult | Promise<ReconcileResult>;

/** Options of a controller that reconciles objects. */
export interface ObjectControllerOptions<T, C, W extends readonly unknown[]>
  extends ControllerBaseOptions<T, C, W> {
  /**
   * Brings the cluster to the state that the object declares. Called for objects in the cache only: not after
   * their deletion. Without `finalize` it is also called for objects that are being deleted, such as those
   * that wait for finalizers of others; if it throws `OwnerTerminatingError` for such an object, because it
   * would refer to it as an owner, the run ends without an error.
   */
  readonly reconcile: Reconcile<T, C>;
  /**
   * Cleans up after an object that is being deleted. With this function, the controller adds a finalizer
   * before the first run of an object, and removes it when this function returns nothing. It may be called
   * again after its success.
   */
  readonly finalize?: Reconcile<T, C> | undefined;
  /** Finalizer of `finalize`. Default: `<group of the reconciled objects>/<name of the controller>`. */
  readonly finalizer?: string | undefined;
  /**
   * Finalizers of former versions of the controller. They are removed from each object: from one that is
   * being deleted after `finalize`, and without `finalize` at once. Default: none; an object that the default
   * finalizer of a former version holds is reported in the log and as an event.
   */
  readonly formerFinalizers?: readonly string[] | undefined;
  readonly reconcileKey?: undefined;
}

/** Options of a controller that reconciles keys. */
export interface KeyControllerOptions<T, C, W extends readonly unknown[]>
  extends ControllerBaseOptions<T, C, W> {
  /** Called for each changed key, whether its object exists or not. */
  readonly reconcileKey: ReconcileByKey<C>;
  readonly reconcile?: undefined;
  readonly finalize?: undefined;
  readonly finalizer?: undefined;
  readonly formerFinalizers?: undefined;
}

/** Options of a `Controller`. */
export type ControllerOptions<T, C = undefined, W extends readonly unknown[] = readonly unknown[]> =
  | ObjectControllerOptions<T, C, W>
  | KeyControllerOptions<T, C, W>;
