/** Milliseconds that long work may keep the event loop from everything else. */
const sliceMs = 5;

/** Cuts long work into slices: ask `over` after each step, and await `next` where it is. */
export class TimeSlice {
  #endMs: number = performance.now() + sliceMs;

  get over(): boolean {
    return performance.now() >= this.#endMs;
  }

  /** Lets timers, connections and everything else have their turn. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    this.#endMs = performance.now() + sliceMs;
  }
}

/** Does the same with each of many, in slices. */
export async function inSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    act(item);
    if (slice.over) await slice.next();
  }
}
