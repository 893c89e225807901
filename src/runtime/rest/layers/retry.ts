/**
 * Retries of requests: the part on the path of every request. The policy is loaded after the first failure.
 */

import type { Transport } from '../../api/transport.ts';
import { onDemand } from '../../common/on-demand.ts';
import { sleep } from '../abort/deadline.ts';
import type { Attempt, RetryEnvironment } from './retry-loop.ts';

const retryLoop = onDemand(() => import('./retry-loop.ts'));

/** Lowest status that may be retried. */
const tooManyRequests = 429;

const system: RetryEnvironment = { sleep, random: () => Math.random(), now: () => performance.now() };

/**
 * Returns a transport that retries requests.
 * @param closed aborts the delays when the client is closed
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
    const { sendAgain } = await retryLoop();
    return sendAgain(request, first, { send, environment, closed, startedAt });
  };
}
