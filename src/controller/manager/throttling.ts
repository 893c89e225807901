/** Warnings about requests that the API server refuses for their number, or that a rate limit delays. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Clock } from '@kgen/runtime/informers';
import { type AttemptTrace, attemptChannel } from '@kgen/runtime/observe';
import { FailureLog, type Logger } from '../log.ts';

/** Delay of a request by the limit of its client from which on it is logged, as client-go does. */
const noticedMs = 1000;
const tooManyRequests = 429;

/**
 * Logs requests of all clients of the process that are throttled: one warning at most once a minute for
 * refusals, and one for delays. `kgen doctor` searches logs for their messages. Returns the end of this.
 */
export function watchThrottling(clock: Clock, log: Logger): () => void {
  const parts = { log, clock, lastingMs: Number.POSITIVE_INFINITY };
  const logs = { server: new FailureLog(parts), client: new FailureLog(parts) };
  const listener = (message: unknown): void => {
    const attempt = message as AttemptTrace; // seam: the channel has messages of this type only
    const found = throttlingOf(attempt);
    if (found !== undefined) logs[found.by].failed(found.message, { server: attempt.server });
  };
  subscribe(attemptChannel, listener);
  return () => void unsubscribe(attemptChannel, listener);
}

/** A request that was throttled. */
export interface Throttling {
  readonly by: 'server' | 'client';
  readonly message: string;
}

/**
 * Returns how an attempt was throttled; `undefined` if it was not. An eviction that is refused is not: a
 * PodDisruptionBudget has the same status. Pure.
 */
export function throttlingOf(
  attempt: Pick<AttemptTrace, 'operation' | 'status' | 'limitedMs'>,
): Throttling | undefined {
  const { operation, status, limitedMs = 0 } = attempt;
  const request = `${operation.verb} ${operation.resource}`;
  if (status === tooManyRequests && !operation.resource.endsWith('/eviction'))
    return { by: 'server', message: `throttled by the API server: ${request} had the response 429` };
  if (!(limitedMs > noticedMs)) return undefined;
  const message = `throttled by rateLimit of the client: ${request} waited for ${Math.round(limitedMs)} ms`;
  return { by: 'client', message };
}
