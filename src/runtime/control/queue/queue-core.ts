/** Data structure and rules of the work queue, without timers and promises: each call receives the time. */
import { IndexedHeap } from './indexed-heap.ts';
import { Linked } from './linked.ts';
import { QueueItem } from './queue-item.ts';
import { ReadyItems } from './ready-items.ts';

/** Number of keys that are processing, and the time that they take. */
export interface ProcessingStats {
  readonly processing: number;
  readonly unfinishedWorkMs: number;
  readonly longestRunningMs: number;
}

/** Priorities with a label of their own. */
const maxPriorityLabels = 25;

/**
 * A de-duplicating priority queue with delays. Callers call `promote` before every other function with a
 * time, so that items become ready in the order of their times.
 */
export class QueueCore<K> {
  readonly #items = new Map<unknown, QueueItem<K>>();
  readonly #fairShare: number;
  #ready: ReadyItems<K>;
  readonly #waiting = new IndexedHeap<QueueItem<K>>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  );
  /** Processing items by age: the longest running first. */
  readonly #running = new Linked<QueueItem<K>>();
  readonly #onReady: ((priority: number) => void) | undefined;
  readonly #labelled = new Set<number>();
  #processing = 0;
  #order = 0;
  #lastWaitedMs = 0;

  /**
   * @param onReady called when an item becomes ready, after its state has changed; must not throw, and may
   * call the core
   */
  constructor(fairShare: number, onReady?: (priority: number) => void) {
    this.#fairShare = fairShare;
    this.#ready = new ReadyItems(fairShare);
    this.#onReady = onReady;
  }

  /** Number of items that can be taken. */
  get length(): number {
    return this.#ready.length;
  }

  /** Number of items with a delay; processing items that are added again are not counted. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get processing(): number {
    return this.#processing;
  }

  /** Time from that at which the item of the last `take` was due to its delivery, in milliseconds. */
  get lastWaitedMs(): number {
    return this.#lastWaitedMs;
  }

  /** Number of keys in any phase. */
  get size(): number {
    return this.#items.size;
  }

  /** Time at which the next item becomes ready. `Infinity` if there is none. */
  get nextReadyAt(): number {
    return this.#waiting.first?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a key, or applies the greater priority and the earlier time to the item that exists. */
  add(id: unknown, key: K, priority: number, readyAt: number, now: number): void {
    this.#order += 1;
    const item = this.#items.get(id);
    if (item !== undefined) {
      this.#merge(item, priority, readyAt, now);
      return;
    }
    const added = new QueueItem(id, key, priority, readyAt, this.#order);
    this.#items.set(id, added);
    this.#schedule(added, now);
  }

  /** Makes items ready whose delay is over, at most `most`. */
  promote(now: number, most: number = Number.POSITIVE_INFINITY): void {
    for (let count = 0; count < most; count += 1) {
      const item = this.#waiting.first;
      if (item === undefined || item.at > now) return;
      this.#waiting.remove(item);
      this.#makeReady(item);
    }
  }

  #schedule(item: QueueItem<K>, now: number): void {
    if (item.at <= now) {
      this.#makeReady(item);
      return;
    }
    item.phase = 'waiting';
    this.#waiting.push(item);
  }

  #makeReady(item: QueueItem<K>): void {
    item.phase = 'ready';
    this.#ready.add(item);
    if (this.#labelled.size < maxPriorityLabels) this.#labelled.add(item.priority);
    this.#onReady?.(item.priority);
  }

  #merge(item: QueueItem<K>, priority: number, readyAt: number, now: number): void {
    if (item.phase === 'processing') {
      addAgain(item, priority, readyAt);
      return;
    }
    if (priority > item.priority) this.#raise(item, priority);
    if (item.phase === 'ready' || readyAt >= item.at) return;
    item.at = readyAt;
    item.order = this.#order;
    if (readyAt > now) {
      this.#waiting.moveForward(item);
      return;
    }
    this.#waiting.remove(item);
    this.#makeReady(item);
  }

  #raise(item: QueueItem<K>, priority: number): void {
    if (item.phase !== 'ready') {
      item.priority = priority;
      return;
    }
    this.#ready.raise(item, priority);
    if (this.#labelled.size < maxPriorityLabels) this.#labelled.add(priority);
  }

  /** Delivers the next item. Its key is not delivered again before `done`. */
  take(now: number): QueueItem<K> | undefined {
    const item = this.#ready.take();
    if (item === undefined) return undefined;
    this.#lastWaitedMs = Math.max(0, now - item.at);
    item.phase = 'processing';
    item.at = now;
    this.#running.appendNewest(item);
    this.#processing += 1;
    return item;
  }

  /**
   * Ends the processing of a key. Returns the time since its delivery in milliseconds, or undefined if the
   * key is not processing.
   */
  done(id: unknown, now: number): number | undefined {
    const item = this.#items.get(id);
    if (item?.phase !== 'processing') return undefined;
    item.unlinkAge();
    this.#processing -= 1;
    const workedMs = Math.max(0, now - item.at);
    const { again } = item;
    if (again === undefined) {
      this.#items.delete(id);
      return workedMs;
    }
    item.again = undefined;
    item.priority = again.priority;
    item.at = again.readyAt;
    this.#order += 1;
    item.order = this.#order;
    this.#schedule(item, now);
    return workedMs;
  }

  /** Returns the priority with which a processing key was delivered; undefined for other keys. */
  takenPriority(id: unknown): number | undefined {
    const item = this.#items.get(id);
    return item?.phase === 'processing' ? item.priority : undefined;
  }

  /** Forgets items that are not due yet. */
  dropDelayed(now: number): void {
    for (const { id } of this.#waiting.clear()) this.#items.delete(id);
    this.#dropAgain(now);
  }

  /** Forgets all items except those that are processing. */
  dropAll(): void {
    this.#dropAgain(Number.NEGATIVE_INFINITY);
    // Not one by one: there may be 100,000.
    this.#items.clear();
    this.#waiting.clear();
    this.#ready = new ReadyItems(this.#fairShare);
    for (let item = this.#running.newer; item !== undefined; item = item.newer)
      this.#items.set(item.id, item);
  }

  #dropAgain(after: number): void {
    for (let item = this.#running.newer; item !== undefined; item = item.newer) {
      if (item.again !== undefined && item.again.readyAt > after) item.again = undefined;
    }
  }

  /**
   * Returns the number of ready items by priority, with 0 for priorities without ready items. The first 25
   * priorities of the queue have labels of their own; all others share one.
   */
  depth(): ReadonlyMap<string, number> {
    const depth = new Map<string, number>();
    for (const priority of this.#labelled) depth.set(String(priority), 0);
    for (const { priority, length } of this.#ready.levels) {
      const label = this.#labelled.has(priority) ? String(priority) : 'exceeded_cardinality_limit';
      depth.set(label, (depth.get(label) ?? 0) + length);
    }
    return depth;
  }

  /** Returns the processing keys in numbers. */
  processingStats(now: number): ProcessingStats {
    let [unfinishedWorkMs, longestRunningMs] = [0, 0];
    for (let item = this.#running.newer; item !== undefined; item = item.newer) {
      const ms = Math.max(0, now - item.at);
      unfinishedWorkMs += ms;
      longestRunningMs = Math.max(longestRunningMs, ms);
    }
    return { processing: this.#processing, unfinishedWorkMs, longestRunningMs };
  }
}

/** Applies the greater priority and the earlier time to the next delivery of a processing item. */
function addAgain(item: QueueItem<unknown>, priority: number, readyAt: number): void {
  const { again } = item;
  item.again = {
    priority: Math.max(again?.priority ?? priority, priority),
    readyAt: Math.min(again?.readyAt ?? readyAt, readyAt),
  };
}
