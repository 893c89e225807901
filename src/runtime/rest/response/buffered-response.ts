import type { Response } from '../../api/transport.ts';

/** Creates a response whose body is already read, and can be read repeatedly. */
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
