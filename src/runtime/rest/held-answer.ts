import type { Response } from './types.ts';

/** An answer whose body is there, and can be read more than once. */
export function heldAnswer(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  bytes: Uint8Array,
): Response {
  const body = { [Symbol.asyncIterator]: () => iterate([bytes]) };
  return { status, headers, body, cancel: () => undefined };
}

async function* iterate(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}
