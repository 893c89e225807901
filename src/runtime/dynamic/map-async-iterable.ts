/** Maps the items of an async iterable. As for the source, a consumer can return while an item is pending. */
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
