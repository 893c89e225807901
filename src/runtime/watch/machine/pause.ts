import type { Operation } from '../../api/operation.ts';
import { untilClosed } from '../../rest/abort/abort-on-close.ts';
import type { Environment } from '../clock.ts';
import { Scope } from '../scope.ts';
import { freshBackoff } from './backoff.ts';

/** A call that pauses between requests. */
interface Call {
  readonly signal?: AbortSignal | undefined;
  readonly operation: Operation;
}

/**
 * Waits between two requests. Rejects when the signal of the call aborts, with its reason, and when `closed`
 * does, with the `TransportError` of requests to a closed client. Leaves no timer and no listener behind.
 */
export function pause(
  ms: number,
  environment: Environment,
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

/**
 * Waits before a list is retried, because a server whose history has expired may expire it again. Rejects as
 * `pause` does.
 */
export async function pauseBeforeRelist(
  environment: Environment,
  call: Call,
  closed: AbortSignal | undefined,
  atMostMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const ms = Math.min(freshBackoff.nextMs * (1 + environment.random()), atMostMs);
  await pause(ms, environment, call, closed);
}
