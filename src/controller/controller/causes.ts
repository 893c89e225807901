/** Reasons of runs: the changes and requests that put a key in the queue. */

/** Reason of a run. */
export interface Cause {
  /**
   * - `add`, `update`, `delete`: a change of an object; `resync`: its periodic repetition.
   * - `requeue`: the last run returned `requeueAfterMs`; `retry`: it failed; `conflict`: the object had
   *   changed meanwhile.
   * - `unseen`: an earlier run was skipped, because a creation of its own was not visible yet.
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
    | 'shard'
    | 'request';
  /** Name of the informer, if an object changed. */
  readonly informer?: string;
  /** The changed object: `shop/web`. */
  readonly object?: string;
}

const maximum = 10;

/** Causes by key, until their run begins. */
export class CauseLog {
  readonly #causes = new Map<string, Cause[]>();

  /** Adds a cause, unless the key has ten of them or the same one already. */
  add(id: string, cause: Cause): void {
    const causes = this.#causes.get(id);
    if (causes === undefined) this.#causes.set(id, [cause]);
    else if (causes.length < maximum && !causes.some((known) => isSame(known, cause))) causes.push(cause);
  }

  /** Removes and returns the causes of a key. */
  take(id: string): readonly Cause[] {
    const causes = this.#causes.get(id) ?? [];
    this.#causes.delete(id);
    return causes;
  }
}

function isSame(a: Cause, b: Cause): boolean {
  return a.type === b.type && a.informer === b.informer && a.object === b.object;
}
