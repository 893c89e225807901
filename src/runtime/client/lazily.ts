const ended = async (): Promise<IteratorResult<never>> => ({ done: true, value: undefined });

/** An iterable that is made when the first item is asked for: for code that is loaded when it is needed. */
export function lazily<Item>(make: () => Promise<AsyncIterable<Item>>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      let started: Promise<AsyncIterator<Item>> | undefined;
      // Once there is one, an item costs no more promises than its own.
      let running: Pick<AsyncIterator<Item>, 'next'> | undefined;
      const start = async (): Promise<AsyncIterator<Item>> => {
        const iterator = (await make())[Symbol.asyncIterator]();
        running ??= iterator;
        return iterator;
      };
      const first = async (): Promise<IteratorResult<Item>> => {
        started ??= start();
        return (await started).next();
      };
      return {
        next: () => running?.next() ?? first(),
        return: async () => {
          running = { next: ended };
          const iterator = await started?.catch(() => undefined);
          await iterator?.return?.();
          return ended();
        },
      };
    },
  };
}
