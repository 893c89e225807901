/**
 * Diagnostics channels of calls and attempts. Referenced here, as unreferenced channels are
 * garbage-collected.
 */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { debuglog } from 'node:util';
import { attemptChannel, requestChannel, responseChannel } from './observe.ts';

/** Publishes each call. */
export const requests: ReturnType<typeof tracingChannel> = tracingChannel(requestChannel);

/** Publishes each attempt. */
export const attempts: ReturnType<typeof channel> = channel(attemptChannel);

/** Publishes the sizes of responses. */
export const responses: ReturnType<typeof channel> = channel(responseChannel);

/** Prints to standard error if `NODE_DEBUG` contains `kgen`. */
export const log: ReturnType<typeof debuglog> = debuglog('kgen');

/** Returns whether there is any observer. */
export function isObserved(): boolean {
  return attempts.hasSubscribers || responses.hasSubscribers || log.enabled || areCallsObserved();
}

/** Returns whether there is an observer of whole calls, and not only of their attempts. */
export function areCallsObserved(): boolean {
  const { start, end, asyncStart, asyncEnd, error } = requests;
  return (
    start.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers
  );
}
