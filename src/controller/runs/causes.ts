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
  readonly addedAt: number;
  /** Cause with the earliest time. */
  first: Cause;
}

/** A key that waits for its run. */
export interface WaitingKey {
  readonly id: string;
  readonly addedAt: number;
  /** Time from which it has been ready; in the future, the end of its delay. */
  readonly readyAt: number;
  /** Cause that makes it ready. */
  readonly cause: Cause;
}

/** Details of a wake. */
export interface WakeMore extends Pick<Wake, 'change' | 'isInitial'> {
  /** Time of the addition, if `at` is the end of a delay. Default: `at`. */
  readonly addedAt?: number | undefined;
}

/** Causes by key, until their run begins. */
export class CauseLog {
  readonly #pending = new Map<string, Pending>();

  /** Adds a wake from the time `at`: to an equal one, or unless the key has ten others already. */
  add(id: string, at: number, cause: Cause, more: WakeMore = {}): void {
    const { addedAt = at, ...details } = more;
    const wake: Wake = { cause, count: 1, ...details };
    const pending = this.#pending.get(id);
    if (pending === undefined) {
      this.#pending.set(id, { wakes: [wake], omitted: 0, since: at, addedAt, first: cause });
      return;
    }
    if (at < pending.since) {
      pending.since = at;
      pending.first = cause;
    }
    const known = pending.wakes.findIndex((other) => isSame(other.cause, cause));
    const first = pending.wakes[known];
    if (first !== undefined) pending.wakes[known] = joined(first, wake);
    else if (pending.wakes.length < maximum) pending.wakes.push(wake);
    else pending.omitted += 1;
  }

  /** Number of keys with causes. */
  get size(): number {
    return this.#pending.size;
  }

  /** Returns the `most` keys that are, or will be, ready first. */
  waiting(most: number): readonly WaitingKey[] {
    let first: readonly (readonly [string, Pending])[] = [];
    let next: (readonly [string, Pending])[] = [];
    const choose = (): void => {
      first = [...first, ...next].sort(([, a], [, b]) => a.since - b.since).slice(0, most);
      next = [];
    };
    for (const entry of this.#pending) {
      if (first.length === most && entry[1].since >= (first.at(-1)?.[1].since ?? 0)) continue;
      next.push(entry);
      if (next.length >= most) choose();
    }
    choose();
    return first.map(([id, { addedAt, since, first: cause }]) => ({ id, addedAt, readyAt: since, cause }));
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
