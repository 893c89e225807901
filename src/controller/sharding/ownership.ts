/** Ownership of keys, as seen by controllers: by the shards of a ring, or by the leadership of a process. */

import type { ReconcileKey } from '../runs/key.ts';

/** Permission of one run. */
export interface RunPass {
  /** Aborts if the ownership ends before the run. */
  readonly signal: AbortSignal;
  /** @throws {ShardNotOwnedError | LeadershipLostError} if the run must not write now, or any more */
  check(): void;
  /** Ends the run. */
  leave(): void;
}

/**
 * Relation of this process to a key:
 * - `owned`: runs may begin and write.
 * - `uncertain`: not decided, or temporarily not valid. The key must be kept until it is decided.
 * - `elsewhere`: another replica owns the key, or will. It queues the objects of its caches when it gains
 *   their keys, so that the key can be dropped here.
 */
export type KeyStanding = 'owned' | 'uncertain' | 'elsewhere';

/** Observer of an ownership. Its functions must not throw. */
export interface OwnershipObserver {
  /** Called with a function that decides whether a key was gained. */
  readonly gained?: (isGained: (key: ReconcileKey) => boolean) => void;
  /** Called when uncertain keys may have been decided. */
  readonly decided?: () => void;
  /** Called after each change of the owned keys of a ring, and of its members. */
  readonly changed?: () => void;
}

/** Keys of this process. */
export interface KeyOwnership {
  standing(key: ReconcileKey): KeyStanding;
  /** Begins a run of an owned key. */
  enter(key: ReconcileKey): RunPass | Exclude<KeyStanding, 'owned'>;
  observe(observer: OwnershipObserver): void;
}

/** Returns the entry of a log about a renewal that ended an uncertain ownership. */
export function clockJumpText(clockJumpMs: number): string {
  return (
    `the system clock has advanced ${clockJumpMs} ms more than the monotonic clock since the last renewal of ` +
    'the lease: the machine was suspended, or its clock was set; runs and writes waited for this renewal'
  );
}
