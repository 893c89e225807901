/** An iterable that is made when the first item is asked for: for code that is loaded when it is needed. */
export function lazily<Item>(make: () => Promise<AsyncIterable<Item>>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]: () => {
      let started: Promise<AsyncIterator<Item>> | undefined;
      let over = false;
      return {
        next: async () => {
          if (over) return { done: true, value: undefined };
          started ??= make().then((iterable) => iterable[Symbol.asyncIterator]());
          return (await started).next();
        },
        return: async () => {
          over = true;
          const iterator = await started?.catch(() => undefined);
          await iterator?.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
