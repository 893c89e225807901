/** Ownership of keys, as seen by controllers. */

import type { ReconcileKey } from '../controller/key.ts';

/** Permission of one run. */
export interface ShardPass {
  /** Aborts if the membership of this process ends before the run. */
  readonly signal: AbortSignal;
  /** @throws {ShardNotOwnedError} if the run must not write any more */
  check(): void;
  /** Ends the run. */
  leave(): void;
}

/** Called with a function that decides whether a key was gained. Must not throw. */
export type GainedListener = (isGained: (key: ReconcileKey) => boolean) => void;

/** Keys of this process. */
export interface KeyShards {
  /** Returns whether a run of the key may begin. */
  owns(key: ReconcileKey): boolean;
  /** Begins a run; `undefined` if this process does not own the key. */
  enter(key: ReconcileKey): ShardPass | undefined;
  /** Adds a listener for gained keys. Returns a function that removes it. */
  onGained(listener: GainedListener): () => void;
}
