/** Linked list of pieces, the last one first: adding a piece takes constant time. */
export interface Pieces<P> {
  readonly piece: readonly P[];
  readonly before: Pieces<P> | undefined;
}

/** Returns all items in the order in which they were added. */
export function gather<P>(last: Pieces<P> | undefined): P[] {
  const pieces: (readonly P[])[] = [];
  for (let node = last; node !== undefined; node = node.before) pieces.push(node.piece);
  return pieces.reverse().flat();
}
