/** Metrics of a leader election, with the names and labels of client-go. */
import type { LeaderElectorStats } from '@kgen/runtime/election';
import { Counter, Gauge, type Registry } from 'prom-client';

/** State of an election at the time of a scrape: `stats()` of a `LeaderElector`. */
export type ElectionState = Pick<LeaderElectorStats, 'isLeader' | 'slowPaths'>;

/** Registers the metrics of an election, whose state each scrape reads. */
export function registerElection(registry: Registry, name: string, state: () => ElectionState): void {
  const common = { labelNames: ['name'], registers: [registry] };
  new Gauge({
    ...common,
    name: 'leader_election_master_status',
    help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
    collect() {
      this.set({ name }, state().isLeader ? 1 : 0);
    },
  });
  new Counter({
    ...common,
    name: 'leader_election_slowpath_total',
    help: 'Total number of slow path exercised in renewing leader leases.',
    collect() {
      this.reset();
      this.inc({ name }, state().slowPaths);
    },
  });
}
