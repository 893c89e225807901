/** Reasons of runs: the changes and requests that put a key in the queue. */

import type { ObjectName } from './key.ts';

/** Reason of a run. */
export interface Cause {
  /**
   * - `add`, `update`, `delete`: a change of an object; `resync`: its periodic repetition.
   * - `requeue`: the last run returned `requeueAfterMs`; `retry`: it failed; `conflict`: the object had
   *   changed meanwhile.
   * - `unseen`: an earlier run was skipped, because a creation of its own was not visible yet.
   * - `refused`: the last run could not write, because the ownership of the key was uncertain or had ended.
   * - `shard`: this replica has become the owner of the key.
   * - `request`: a call of `Controller.enqueue`.
   */
  readonly type:
    | 'add'
    | 'update'
    | 'delete'
    | 'resync'
    | 'requeue'
    | 'retry'
    | 'conflict'
    | 'unseen'
    | 'refused'
    | 'shard'
    | 'request';
  /** Name of the informer, if an object changed. */
  readonly informer?: string;
  /** The changed object: `shop/web`. */
  readonly object?: string;
}

/** States of an object whose change woke a key. */
export interface WakeChange {
  readonly object: ObjectName;
  /** State before the first of the changes; `undefined` for an addition. */
  readonly before: object | undefined;
  /** State after the last of the changes; `undefined` for a deletion. */
  readonly after: object | undefined;
}

/** A cause with its details. Equal causes before a run are one, with the first and the last state. */
export interface Wake {
  readonly cause: Cause;
  /** Number of equal causes. */
  readonly count: number;
  readonly change?: WakeChange | undefined;
  /** Whether the object existed before the controller started. */
  readonly isInitial?: boolean | undefined;
}

/** Causes of a run, oldest first. */
export interface Wakes {
  readonly wakes: readonly Wake[];
  /** Number of causes that were not kept. */
  readonly omitted: number;
  /** Time from which the key has waited for its run; for requeues and retries, the end of their delay. */
  readonly since: number;
}

/** The most causes of a run. */
const maximum = 10;

interface Pending {
  readonly wakes: Wake[];
  omitted: number;
  since: number;
}

/** Causes by key, until their run begins. */
export class CauseLog {
  readonly #pending = new Map<string, Pending>();

  /** Adds a wake from the time `at`: to an equal one, or unless the key has ten others already. */
  add(id: string, at: number, cause: Cause, more?: Pick<Wake, 'change' | 'isInitial'>): void {
    const wake: Wake = { cause, count: 1, ...more };
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      this.#pending.set(id, { wakes: [wake], omitted: 0, since: at });
      return;
    }
    pending.since = Math.min(pending.since, at);
    const known = pending.wakes.findIndex((other) => isSame(other.cause, cause));
    const first = pending.wakes[known];
    if (first !== undefined) pending.wakes[known] = joined(first, wake);
    else if (pending.wakes.length < maximum) pending.wakes.push(wake);
    else pending.omitted += 1;
  }

  /** Returns the causes of a key; `undefined` if it has none. */
  peek(id: string): Wakes | undefined {
    return this.#pending.get(id);
  }

  /** Removes and returns the causes of a key; `undefined` if it has none. */
  take(id: string): Wakes | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function isSame(a: Cause, b: Cause): boolean {
  return a.type === b.type && a.informer === b.informer && a.object === b.object;
}

function joined(first: Wake, last: Wake): Wake {
  const change = last.change && { ...last.change, before: first.change?.before };
  return { ...first, count: first.count + 1, change };
}
