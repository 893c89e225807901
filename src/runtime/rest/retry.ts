/** Sending again, as far as every request comes through here: what decides it is loaded when something went wrong. */
import { sleep } from './deadline.ts';
import type { Attempt, RetryEnvironment } from './retry-loop.ts';
import type { Transport } from './types.ts';

/** The lowest status that says that sending again may help. */
const tooManyRequests = 429;

const system: RetryEnvironment = { sleep, random: Math.random, now: () => performance.now() };

/**
 * A transport that sends again.
 * @param closed ends the waits, with the client
 */
export function retrying(
  send: Transport,
  environment: RetryEnvironment = system,
  closed?: AbortSignal,
): Transport {
  return async (request) => {
    const startedAt = request.timeoutMs === undefined ? 0 : environment.now();
    let first: Attempt;
    try {
      const response = await send(request);
      if (response.status < tooManyRequests) return response;
      first = { response };
    } catch (error) {
      first = { error };
    }
    const { sendAgain } = await import('./retry-loop.ts');
    return sendAgain(request, first, { send, environment, closed, startedAt });
  };
}
