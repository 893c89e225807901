/** Fence of the clients of a manager, whose refusals name the places where writes are possible. */

import { isLeadershipLostError, type LeadershipFence } from '@kgen/runtime/election';
import type { WriteFence } from '../client/managed-client.ts';

const advice =
  "write in reconcile functions, or in parts with phase: 'leader', which run once this process leads; " +
  'or, if every replica may write, through manager.client(Clientset, { fenced: false })';

/** Returns a fence that refuses writes as the election does. */
export function leaderFence(fence: LeadershipFence): WriteFence {
  return {
    check: () => {
      try {
        fence.check();
      } catch (error) {
        if (isLeadershipLostError(error) && error.reason === 'notLeading') error.message += `; ${advice}`;
        throw error;
      }
    },
    get signal() {
      return fence.signal;
    },
  };
}
