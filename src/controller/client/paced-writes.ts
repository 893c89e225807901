/** Writes that leave the event loop its turns. */

import type { RESTClient } from '@kgen/runtime';
import type { EventLoopTurn } from '@kgen/runtime/queue';
import { wrapRESTClient } from '@kgen/runtime/rest';
import { isMutating } from './write-guard.ts';

/**
 * Returns a client whose writes wait for the next turn if the present one is over. Writes that are skipped
 * need no IO: a run may have thousands of them. The wait is before all decisions about a write, because they
 * depend on caches, which change meanwhile.
 */
export function pacedWrites(rest: RESTClient, turn: EventLoopTurn): RESTClient {
  return wrapRESTClient(rest, {
    request: ({ method }, send) => (isMutating(method) && turn.isOver ? later(turn, send) : send()),
    stream: (_, send) => send(),
  });
}

async function later<R>(turn: EventLoopTurn, send: () => Promise<R>): Promise<R> {
  await turn.next();
  return send();
}
