/** State of one key in a work queue. */
import type { HeapEntry } from './indexed-heap.ts';
import { Linked } from './linked.ts';
import type { PriorityLevel } from './ready-items.ts';

/** The next delivery of a key that was added again while it is processing. */
export interface NextDelivery {
  readonly priority: number;
  readonly readyAt: number;
}

/**
 * One key from its first add until it is done. Mutable, and known to the queue alone. While it is ready, it
 * is in the list of its priority and in the list of ready items by age. While it is processing, it is in the
 * list of processing items by age.
 */
export class QueueItem<K> extends Linked<QueueItem<K>> implements HeapEntry {
  readonly id: unknown;
  readonly key: K;
  phase: 'waiting' | 'ready' | 'processing' = 'waiting';
  priority: number;
  /** Time at which the item is due; of a processing item, time of its delivery. In milliseconds. */
  at: number;
  /** Number of the call that determined the time: the order of items that are due at the same time. */
  order: number;
  slot = -1;
  /** The list of its priority, while the item is ready. */
  level: PriorityLevel<K> | undefined = undefined;
  /** Undefined for an item that is not processing, or is not delivered again. */
  again: NextDelivery | undefined = undefined;

  constructor(id: unknown, key: K, priority: number, at: number, order: number) {
    super();
    this.id = id;
    this.key = key;
    this.priority = priority;
    this.at = at;
    this.order = order;
  }

  override get member(): QueueItem<K> {
    return this;
  }
}
