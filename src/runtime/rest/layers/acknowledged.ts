/**
 * Successes without an object: aggregated servers and proxies acknowledge deletions and evictions with 204,
 * an empty body or a text. client-go does not decode these responses at all. Loaded with the first of them.
 */

import type { APIResponse } from '../../api/transport.ts';
import { heldResponse } from '../response/buffered-response.ts';
import { successStatus } from '../response/is-status.ts';

/**
 * Returns a successful response unchanged if its body begins as an object in JSON or protobuf, or as a page;
 * otherwise a `Status` of success in its place.
 */
export async function acknowledged(response: APIResponse): Promise<APIResponse> {
  const rest = response.body[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    begun.push(next.value);
    const first = firstByteOf(next.value);
    if (first === undefined) continue;
    if (isText(first, response)) break;
    const { status, headers } = response;
    return { status, headers, body: resumed(begun, rest), cancel: () => response.cancel() };
  }
  await rest.return?.();
  const headers = { ...response.headers, 'content-type': 'application/json' };
  return heldResponse({ status: response.status, headers }, Buffer.from(JSON.stringify(successStatus())));
}

/** Returns the first byte that is not white space. */
function firstByteOf(chunk: Uint8Array): number | undefined {
  return chunk.find((byte) => byte > 0x20);
}

/** Returns whether a body is neither an object, nor protobuf, whose first byte is `k`, nor a page. */
function isText(first: number, { headers }: APIResponse): boolean {
  const type = headers['content-type'] ?? '';
  if (first === 0x7b || first === 0x3c || /html|xml/i.test(type)) return false;
  return !/protobuf/i.test(type);
}

async function* resumed(
  begun: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* begun;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
