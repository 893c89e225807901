import type { RequestOperation } from '../../api/operation.ts';
import type { RuntimeEnvironment } from '../../common/clock.ts';
import { timingOf } from '../../common/timing.ts';
import { untilClosed } from '../../rest/abort/abort-on-close.ts';
import { Scope } from '../scope.ts';

/** A call that pauses between requests. */
interface Call {
  readonly signal?: AbortSignal | undefined;
  readonly operation: RequestOperation;
}

/**
 * Waits between two requests. Rejects with the reason of the call's signal if it aborts, and with the
 * `TransportError` of a closed client if `closed` does. No timer or listener remains.
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

/**
 * Waits before a list is repeated: a server that has lost its history may lose it again. Rejects as `pause`
 * does.
 */
export async function pauseBeforeRelist(
  environment: RuntimeEnvironment,
  call: Call,
  closed: AbortSignal | undefined,
  atMostMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { firstMs } = timingOf(environment).backoff;
  const ms = Math.min(firstMs * (1 + environment.random()), atMostMs);
  await pause(ms, environment, call, closed);
}
