/** Merge of several ordered iterations. */

/** An item and the iteration that it is from. */
interface Head<Item> {
  readonly iterator: AsyncIterator<Item>;
  readonly item: Item;
  readonly since: number;
}

/** Order and patience of a merge. */
export interface MergeOptions<Item> {
  readonly before: (a: Item, b: Item) => boolean;
  /**
   * Milliseconds for which an item waits for earlier items of the iterations that have none. Infinity waits
   * until each has an item or has ended.
   */
  readonly waitMs: number;
}

/**
 * Items of several iterations in their order. At most one item of each iteration is held. Iterations can be
 * added while it runs.
 */
export class Merge<Item> implements AsyncIterableIterator<Item, undefined> {
  readonly #options: MergeOptions<Item>;
  readonly #heads: Set<Head<Item>> = new Set();
  readonly #pending: Set<AsyncIterator<Item>> = new Set();
  #open = true;
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(options: MergeOptions<Item>) {
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Adds an iteration. */
  add(items: AsyncIterable<Item>): void {
    this.#pull(items[Symbol.asyncIterator]());
  }

  /** No further iterations are added: the merge ends with the last one. */
  seal(): void {
    this.#open = false;
    this.#wake?.();
  }

  /** Ends the merge with an error. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const first = this.#first();
      if (first !== undefined && this.#isDue(first)) {
        this.#heads.delete(first);
        this.#pull(first.iterator);
        return { done: false, value: first.item };
      }
      if (!this.#open && this.#pending.size === 0 && first === undefined)
        return { done: true, value: undefined };
      await this.#changed(first);
    }
  }

  /** Ends all iterations. */
  async return(): Promise<IteratorResult<Item, undefined>> {
    this.seal();
    const all = [...this.#pending, ...[...this.#heads].map(({ iterator }) => iterator)];
    this.#pending.clear();
    this.#heads.clear();
    await Promise.allSettled(all.map((iterator) => iterator.return?.()));
    return { done: true, value: undefined };
  }

  #pull(iterator: AsyncIterator<Item>): void {
    this.#pending.add(iterator);
    iterator.next().then(
      (next) => {
        if (!this.#pending.delete(iterator)) return;
        if (next.done !== true) this.#heads.add({ iterator, item: next.value, since: performance.now() });
        this.#wake?.();
      },
      (error: unknown) => {
        if (this.#pending.delete(iterator)) this.fail(error);
      },
    );
  }

  #first(): Head<Item> | undefined {
    let first: Head<Item> | undefined;
    for (const head of this.#heads) {
      if (first === undefined || this.#options.before(head.item, first.item)) first = head;
    }
    return first;
  }

  #isDue({ since }: Head<Item>): boolean {
    return this.#pending.size === 0 || performance.now() - since >= this.#options.waitMs;
  }

  /** Waits for another item, or for the time of the first one. */
  #changed(first: Head<Item> | undefined): Promise<void> {
    const { waitMs } = this.#options;
    return new Promise((resolve) => {
      const ms = first === undefined ? waitMs : waitMs - (performance.now() - first.since);
      const timer =
        first === undefined || !Number.isFinite(ms)
          ? undefined
          : setTimeout(() => this.#wake?.(), Math.max(1, ms));
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
