/** A list that grows piece by piece, the last piece first: adding one costs the same however many there are. */
export interface Pieces<P> {
  readonly piece: readonly P[];
  readonly before: Pieces<P> | undefined;
}

/** Everything, in the order in which it was added. */
export function gather<P>(last: Pieces<P> | undefined): P[] {
  const pieces: (readonly P[])[] = [];
  for (let node = last; node !== undefined; node = node.before) pieces.push(node.piece);
  return pieces.reverse().flat();
}
