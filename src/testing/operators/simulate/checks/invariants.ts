/** Invariants of users: conditions that hold after every change in a run. */

import type { Stored } from '@kgen/runtime';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { errorText } from '@kgen/schema/values/thrown';
import { storageOf } from '@kgen/testserver/internal/controllers/cluster';
import type { Store } from '@kgen/testserver/internal/store/store';

/** Reads the objects of a simulated cluster. */
export interface ClusterReader {
  /** Returns all objects of a resource, in all namespaces. */
  list<R extends Resource>(resource: R): readonly Stored<ObjectOf<R>>[];
}

/** Moment of a simulation at which an invariant is evaluated: after a change, after a step, or at rest. */
export interface InvariantMoment {
  /** Whether all faults have ended, and nothing changes any more. */
  readonly isAtRest: boolean;
  /** Virtual time, in milliseconds since the epoch. */
  readonly now: number;
}

/** A condition of a simulated cluster: a function that throws, or rejects, if the condition does not hold. */
export type Invariant = (cluster: ClusterReader, moment: InvariantMoment) => void | Promise<void>;

/** Evaluates invariants. */
export class InvariantChecks {
  readonly #invariants: readonly Invariant[];
  readonly #reader: ClusterReader;
  readonly #now: () => number;
  readonly #violated: (message: string) => void;

  /**
   * @param now returns virtual time, in milliseconds since the epoch
   * @param violated called for each error
   */
  constructor(
    invariants: readonly Invariant[],
    store: Pick<Store, 'list'>,
    now: () => number,
    violated: (message: string) => void,
  ) {
    this.#invariants = invariants;
    this.#reader = readerOf(store);
    this.#now = now;
    this.#violated = violated;
  }

  /** Calls all invariants at once, and resolves when those that wait have ended. Never rejects. */
  async check(isAtRest: boolean): Promise<void> {
    const moment = { isAtRest, now: this.#now() };
    await Promise.all(this.#invariants.map((invariant) => this.#checkOne(invariant, moment)));
  }

  async #checkOne(invariant: Invariant, moment: InvariantMoment): Promise<void> {
    try {
      await invariant(this.#reader, moment);
    } catch (error) {
      this.#violated(errorText(error));
    }
  }
}

/** Returns a reader of a store. */
export function readerOf(store: Pick<Store, 'list'>): ClusterReader {
  return {
    // seam: the server validates objects with the schema from which the type was generated.
    list: (resource) => store.list(storageOf(resource)).map(([, value]) => value as never),
  };
}
