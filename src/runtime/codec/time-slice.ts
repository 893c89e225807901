/** Maximum time, in milliseconds, for which work may block the event loop. */
const sliceMs = 5;

/** Captured at load time, because a test that replaces timers must not block later work. */
const { setImmediate: schedule } = globalThis;

/** The last scheduled turn. */
let lastTurn: Promise<void> = Promise.resolve();

/** Splits long work into slices: check `over` after each step, and await `next` if it is true. */
export class TimeSlice {
  #endMs: number = performance.now() + sliceMs;

  get over(): boolean {
    return performance.now() >= this.#endMs;
  }

  /**
   * Yields to timers, connections and other work. Each waiting caller resumes in an event-loop turn of its
   * own, because consecutive slices would block the event loop together.
   */
  async next(): Promise<void> {
    const turn = lastTurn.then(nextTurn);
    lastTurn = turn;
    await turn;
    this.#endMs = performance.now() + sliceMs;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    schedule(resolve);
  });
}

/** Calls a function for each item, in slices. */
export async function inSlices<Item>(items: readonly Item[], act: (item: Item) => void): Promise<void> {
  const slice = new TimeSlice();
  for (const item of items) {
    act(item);
    if (slice.over) await slice.next();
  }
}
