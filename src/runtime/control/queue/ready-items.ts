/** Ready items of a work queue: by priority, and by age. */
import { type HeapEntry, IndexedHeap } from './indexed-heap.ts';
import { Linked } from './linked.ts';
import type { QueueItem } from './queue-item.ts';

/** Ready items of one priority, first in, first out. */
export interface PriorityLevel<K> extends HeapEntry {
  readonly priority: number;
  readonly list: Linked<QueueItem<K>>;
  length: number;
}

/** Empty levels that are kept, so that a queue with a few priorities creates each of them once. */
const keptLevels = 64;

/**
 * Ready items: a list for each priority, a heap of the lists that are not empty, and a list of all items by
 * the time at which they became ready.
 */
export class ReadyItems<K> {
  readonly #fairShare: number;
  /** Number of takes up to the next one that returns the oldest item. */
  #untilOldest: number;
  #length = 0;
  readonly #levels = new Map<number, PriorityLevel<K>>();
  readonly #heap = new IndexedHeap<PriorityLevel<K>>((a, b) => a.priority > b.priority);
  readonly #ages = new Linked<QueueItem<K>>();

  constructor(fairShare: number) {
    this.#fairShare = fairShare;
    this.#untilOldest = fairShare;
  }

  get length(): number {
    return this.#length;
  }

  /** The levels that are not empty, in any order. */
  get levels(): readonly PriorityLevel<K>[] {
    return this.#heap.entries;
  }

  /** Appends an item to the list of its priority. */
  add(item: QueueItem<K>): void {
    this.#length += 1;
    this.#ages.appendNewest(item);
    this.#place(item);
  }

  #place(item: QueueItem<K>): void {
    const level = this.#levels.get(item.priority) ?? this.#newLevel(item.priority);
    if (level.length === 0) this.#heap.push(level);
    level.length += 1;
    level.list.append(item);
    item.level = level;
  }

  #newLevel(priority: number): PriorityLevel<K> {
    const level = { priority, list: new Linked<QueueItem<K>>(), length: 0, slot: -1 };
    this.#levels.set(priority, level);
    return level;
  }

  /** Moves an item behind those of a higher priority. Its age does not change. */
  raise(item: QueueItem<K>, priority: number): void {
    this.#displace(item);
    item.priority = priority;
    this.#place(item);
  }

  #displace(item: QueueItem<K>): void {
    const { level } = item;
    item.unlink();
    item.level = undefined;
    if (level === undefined) return;
    level.length -= 1;
    if (level.length > 0) return;
    this.#heap.remove(level);
    if (this.#levels.size > keptLevels) this.#levels.delete(level.priority);
  }

  /**
   * Removes and returns the first item of the highest priority, and with each `fairShare`-th call the oldest
   * item of all.
   */
  take(): QueueItem<K> | undefined {
    if (this.#length === 0) return undefined;
    this.#untilOldest -= 1;
    const isFair = this.#untilOldest === 0;
    if (isFair) this.#untilOldest = this.#fairShare;
    const item = isFair ? this.#ages.newer : this.#heap.first?.list.next;
    if (item !== undefined) this.#remove(item);
    return item;
  }

  #remove(item: QueueItem<K>): void {
    this.#length -= 1;
    item.unlinkAge();
    this.#displace(item);
  }
}
