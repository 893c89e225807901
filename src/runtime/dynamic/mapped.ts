/** An iterable of changed items. It can be left while an item is still awaited, as the one that it is made of. */
export function mapped<In, Out>(source: AsyncIterable<In>, change: (item: In) => Out): AsyncIterable<Out> {
  return {
    [Symbol.asyncIterator]: () => {
      const items = source[Symbol.asyncIterator]();
      return {
        next: async () => {
          const result = await items.next();
          return result.done === true
            ? { done: true, value: undefined }
            : { done: false, value: change(result.value) };
        },
        return: async () => {
          await items.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
