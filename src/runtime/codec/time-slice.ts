/** Milliseconds that long work may keep the event loop from everything else. */
const sliceMs = 5;

/** As it is when this is loaded: a test that replaces timers for a while must not stop all that comes after it. */
const { setImmediate: schedule } = globalThis;

/** The turn that was asked for last. */
let lastTurn: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    schedule(resolve);
  });
}

/** Cuts long work into slices: ask `over` after each step, and await `next` where it is. */
export class TimeSlice {
  #endMs: number = performance.now() + sliceMs;

  get over(): boolean {
    return performance.now() >= this.#endMs;
  }

  /**
   * Lets timers, connections and everything else have their turn. Of all that wait for this, each goes on in a turn of
   * its own: many slices in a row would be one long stretch.
   */
  async next(): Promise<void> {
    const turn = lastTurn.then(nextTurn);
    lastTurn = turn;
    await turn;
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
