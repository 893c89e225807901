/** Restart of a process in order. */

import type { ActionOf } from '../schedule/actions.ts';
import { drawnDownMs } from './crash.ts';
import type { Fault } from './fault.ts';

/** The manager of a replica is stopped, as with SIGTERM, and started again. */
export const restart: Fault<ActionOf<'restart'>> = {
  classes: [],
  singles: [],
  plan: ({ dice, replicas }) => ({
    do: 'restart',
    replica: dice.between(0, replicas - 1),
    downMs: drawnDownMs(dice),
  }),
  text: ({ replica, downMs }) => `replica ${replica + 1} is stopped for ${downMs} ms`,
  begin: ({ processOf, setDownMs }) => ({
    perform: ({ replica, downMs }) => {
      setDownMs(replica, downMs);
      processOf(replica)?.stop();
      return '';
    },
  }),
};
