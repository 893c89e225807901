/** Reference implementation of the rules of the work queue: one list, sorted by each call. */

interface NaiveItem {
  readonly id: string;
  phase: 'waiting' | 'ready' | 'processing';
  priority: number;
  at: number;
  order: number;
  place: number;
  age: number;
  again: { priority: number; at: number } | undefined;
}

/** A work queue without any data structure. */
export class NaiveQueue {
  items: NaiveItem[] = [];
  added = 0;
  #takes = 0;
  #number = 0;
  readonly #fairShare: number;

  constructor(fairShare: number) {
    this.#fairShare = fairShare;
  }

  get length(): number {
    return this.items.filter(({ phase }) => phase === 'ready').length;
  }

  promote(now: number): void {
    const due = this.items.filter(({ phase, at }) => phase === 'waiting' && at <= now);
    for (const item of due.sort((a, b) => a.at - b.at || a.order - b.order)) this.#ready(item);
  }

  #ready(item: NaiveItem): void {
    this.added += 1;
    item.phase = 'ready';
    this.#number += 1;
    item.place = this.#number;
    item.age = this.#number;
  }

  add(id: string, priority: number, at: number, now: number): void {
    this.promote(now);
    this.#number += 1;
    const order = this.#number;
    const item = this.items.find((each) => each.id === id);
    if (item === undefined) {
      this.items.push({ id, phase: 'waiting', priority, at, order, place: 0, age: 0, again: undefined });
    } else if (item.phase === 'processing') {
      const { again } = item;
      item.again = {
        priority: Math.max(priority, again?.priority ?? priority),
        at: Math.min(at, again?.at ?? at),
      };
    } else {
      if (priority > item.priority) Object.assign(item, { priority, place: order });
      if (item.phase === 'waiting' && at < item.at) Object.assign(item, { at, order });
    }
    this.promote(now);
  }

  take(now: number): string | undefined {
    this.promote(now);
    const ready = this.items.filter(({ phase }) => phase === 'ready');
    if (ready.length > 0) this.#takes += 1;
    const isFair = this.#takes % this.#fairShare === 0;
    ready.sort((a, b) => (isFair ? a.age - b.age : b.priority - a.priority || a.place - b.place));
    const [item] = ready;
    if (item === undefined) return undefined;
    item.phase = 'processing';
    return item.id;
  }

  done(id: string, now: number): void {
    this.promote(now);
    const item = this.items.find((each) => each.id === id);
    if (item?.phase !== 'processing') return;
    if (item.again === undefined) {
      this.items = this.items.filter((each) => each !== item);
      return;
    }
    this.#number += 1;
    Object.assign(item, { phase: 'waiting', ...item.again, order: this.#number, again: undefined });
    this.promote(now);
  }

  dropDelayed(now: number): void {
    this.promote(now);
    this.items = this.items.filter(({ phase }) => phase !== 'waiting');
    for (const item of this.items)
      if (item.again !== undefined && item.again.at > now) item.again = undefined;
  }

  dropAll(): void {
    this.items = this.items.filter(({ phase }) => phase === 'processing');
    for (const item of this.items) item.again = undefined;
  }
}
