/** Where calls and attempts are told of. Held here, as a channel that nobody holds is forgotten. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { debuglog } from 'node:util';
import { attemptChannel, requestChannel } from './observe.ts';

/** Told of each call. */
export const requests: ReturnType<typeof tracingChannel> = tracingChannel(requestChannel);

/** Told of each attempt. */
export const attempts: ReturnType<typeof channel> = channel(attemptChannel);

/** Prints to standard error where `NODE_DEBUG` names `kgen`. */
export const log: ReturnType<typeof debuglog> = debuglog('kgen');

/** Whether anybody looks on. */
export function isObserved(): boolean {
  const { start, end, asyncStart, asyncEnd, error } = requests;
  return (
    start.hasSubscribers ||
    asyncEnd.hasSubscribers ||
    error.hasSubscribers ||
    attempts.hasSubscribers ||
    log.enabled ||
    end.hasSubscribers ||
    asyncStart.hasSubscribers
  );
}
