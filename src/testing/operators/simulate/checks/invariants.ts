/** Invariants of users: conditions that hold after every step of a run. */

import type { Stored } from '@kgen/runtime';
import type { ObjectOf, Resource } from '@kgen/runtime/client';
import { storageOf } from '@kgen/testserver/internal/controllers/cluster';
import type { Store } from '@kgen/testserver/internal/store/store';

/** Reads the objects of a simulated cluster. */
export interface ClusterReader {
  /** Returns all objects of a resource, in all namespaces. */
  list<R extends Resource>(resource: R): readonly Stored<ObjectOf<R>>[];
}

/** Moment of a simulation at which an invariant is evaluated: after a step, or at rest. */
export interface InvariantMoment {
  /** Whether all faults have ended, and nothing changes any more. */
  readonly isAtRest: boolean;
}

/** A condition of a simulated cluster: a function that throws, or rejects, if the condition does not hold. */
export type Invariant = (cluster: ClusterReader, moment: InvariantMoment) => void | Promise<void>;

/** Returns a reader of a store. */
export function readerOf(store: Pick<Store, 'list'>): ClusterReader {
  return {
    // seam: the server validates objects with the schema from which the type was generated.
    list: (resource) => store.list(storageOf(resource)).map(([, value]) => value as never),
  };
}
