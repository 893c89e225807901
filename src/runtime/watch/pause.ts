import { freshBackoff } from './backoff.ts';
import type { Environment } from './clock.ts';
import { Scope } from './scope.ts';

/**
 * Waits before a list is repeated, because a server that has lost its history may lose it again. Rejects when
 * `signal` aborts.
 */
export async function pauseBeforeRelist(
  environment: Environment,
  signal: AbortSignal | undefined,
  atMostMs: number = Number.POSITIVE_INFINITY,
): Promise<void> {
  const scope = new Scope(signal ?? new AbortController().signal, environment.clock);
  try {
    await scope.sleep(Math.min(freshBackoff.nextMs * (1 + environment.random()), atMostMs));
  } finally {
    scope.end();
  }
}
