/** Keys whose runs wait until it is decided which process owns them. */

import type { WorkQueue } from '@kgen/runtime/queue';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import type { KeyOwnership } from './ownership.ts';

/** Parts of `ParkedKeys`. */
export interface ParkedKeysParts {
  /** Absent if this process owns all keys. */
  readonly ownership: KeyOwnership | undefined;
  readonly queue: WorkQueue<ReconcileKey>;
  /** Called for a key that belongs to another replica: nothing about it is kept. */
  readonly dropped: (key: ReconcileKey) => void;
}

interface ParkedKey {
  readonly key: ReconcileKey;
  readonly priority: number;
}

/** Keys that a worker took from the queue while their owner was uncertain. */
export class ParkedKeys {
  readonly #parts: ParkedKeysParts;
  readonly #keys = new Map<string, ParkedKey>();

  constructor(parts: ParkedKeysParts) {
    this.#parts = parts;
    parts.ownership?.observe({ decided: () => this.#decide() });
  }

  /** Keeps a key that is processing, with its priority. */
  add(key: ReconcileKey): void {
    const id = idOf(key);
    const before = this.#keys.get(id)?.priority ?? Number.NEGATIVE_INFINITY;
    const priority = Math.max(before, this.#parts.queue.priorityOf(key) ?? 0);
    this.#keys.set(id, { key, priority });
  }

  /** Queues the keys that this process owns, and drops those of others. */
  #decide(): void {
    const { ownership, queue, dropped } = this.#parts;
    for (const [id, { key, priority }] of this.#keys) {
      const standing = ownership?.standing(key);
      if (standing === 'uncertain') continue;
      this.#keys.delete(id);
      if (standing === 'elsewhere') dropped(key);
      else queue.add(key, { priority });
    }
  }
}
