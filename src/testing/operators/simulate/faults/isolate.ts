/** Loss of the connection for the lease of a replica. */

import type { ActionOf } from '../schedule/actions.ts';
import type { Fault } from './fault.ts';

/** The requests of a replica for its lease fail for some time. */
export const isolate: Fault<ActionOf<'isolate'>> = {
  classes: ['lost leadership'],
  singles: ['lost leadership'],
  singleOf: () => 'lost leadership',
  needs: 'election',
  plan: ({ dice, replicas }) => ({
    do: 'isolate',
    replica: dice.between(0, replicas - 1),
    ms: dice.pick([5_000, 30_000]) ?? 0,
  }),
  target: ({ replica }) => ({ before: [{ do: 'isolate', replica, ms: 30_000 }], after: [] }),
  text: ({ replica, ms }) => `replica ${replica + 1} cannot renew its lease for ${ms} ms`,
  begin: ({ cluster, sender }) => {
    const ends = new Map<string, number>();
    return {
      perform: ({ replica, ms }) => {
        const user = `replica-${replica + 1}`;
        ends.set(user, cluster.time.now() + ms);
        cluster.faults.add({
          cut: 'before',
          times: Number.POSITIVE_INFINITY,
          match: (request) =>
            request.resource === 'leases' && sender() === user && request.time < (ends.get(user) ?? 0),
        });
        return '';
      },
      facing: (replica) => (cluster.time.now() < (ends.get(replica) ?? 0) ? ['lost leadership'] : []),
      end: () => ends.clear(),
    };
  },
};
