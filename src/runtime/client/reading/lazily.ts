const ended = async (): Promise<IteratorResult<never>> => ({ done: true, value: undefined });

/**
 * Returns an iterable that is created when its first item is requested. For code that is loaded on demand.
 */
export function lazily<Item>(make: () => Promise<AsyncIterable<Item>>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      let started: Promise<AsyncIterator<Item>> | undefined;
      // Once the iterator exists, an item costs no additional promises.
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
