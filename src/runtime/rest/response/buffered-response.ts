import type { APIResponse } from '../../api/transport.ts';

/** Creates a response whose body is already read, and can be read repeatedly. */
export function heldResponse(
  { status, headers }: Pick<APIResponse, 'status' | 'headers'>,
  bytes: Uint8Array,
): APIResponse {
  const body = { [Symbol.asyncIterator]: () => iterate([bytes]) };
  return { status, headers, body, cancel: () => undefined };
}

async function* iterate(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}
