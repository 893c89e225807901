/**
 * Checks of writes directly before they are sent. A guard follows the asynchronous calls of its request, so
 * that it is called again before each retry, whatever delayed it.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { APIRequest } from '@kgen/runtime/rest';

const guards = new AsyncLocalStorage<() => void>();

/** Methods that change nothing. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a request with this method may change an object. */
export function isMutating(method: string | undefined): boolean {
  return method !== undefined && !reads.has(method);
}

/** Sends a request whose attempts are checked by `guard`. */
export function withGuard<R>(guard: () => void, send: () => R): R {
  return guards.run(guard, send);
}

/**
 * Calls the guard of a mutating request, and returns it to be called again when the request has a connection.
 * To be used as `beforeSend` of the REST client.
 * @throws what the guard throws
 */
export function checkGuard({ method }: Pick<APIRequest, 'method'>): (() => void) | undefined {
  const guard = isMutating(method) ? guards.getStore() : undefined;
  guard?.();
  return guard;
}
