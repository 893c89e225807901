import type { RequestOperation } from '../../api/operation.ts';
import { untilClosed } from '../../rest/abort/abort-on-close.ts';
import type { RuntimeEnvironment } from '../clock.ts';
import { Scope } from '../scope.ts';
import { freshBackoff } from './backoff.ts';

/** The call that pauses. */
interface Call {
  readonly signal?: AbortSignal | undefined;
  readonly operation: RequestOperation;
}

/**
 * Waits between two requests. Rejects when the signal of the call aborts, with its reason, and when `closed` does, with
 * the `TransportError` of requests to a client that is closed. No timer and no listener stays behind.
 */
export function pause(
  ms: number,
  environment: RuntimeEnvironment,
  call: Call,
  closed: AbortSignal | undefined,
): Promise<void> {
  return untilClosed(closed, call, async (signal = new AbortController().signal) => {
    const scope = new Scope(signal, environment.clock);
    try {
      await scope.sleep(ms);
    } finally {
      scope.end();
    }
  });
}

/** Waits before a list is sent again: a server that has lost its history may lose it again. Rejects as `pause` does. */
export async function pauseBeforeRelist(
  environment: RuntimeEnvironment,
  call: Call,
  closed: AbortSignal | undefined,
  atMostMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const ms = Math.min(freshBackoff.nextMs * (1 + environment.random()), atMostMs);
  await pause(ms, environment, call, closed);
}
