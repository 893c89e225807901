/** Adds objects of others to the state with which runs begin. */
import type { JsonObject } from '@kgen/schema/values/json';
import { addedBystanders } from '../checks/bystanders.ts';
import { type ClusterBase, idOf, SimulatedCluster } from '../cluster.ts';
import type { RunSetup } from './run-result.ts';

/** Time in which controllers of the cluster have acted on new objects. */
const settledMs = 1_000;

/** Returns a state with further objects. Those that the server refuses are not part of it. */
export async function withBystanders(
  base: ClusterBase,
  objects: readonly JsonObject[],
): Promise<Pick<RunSetup, 'base' | 'bystanders'>> {
  const cluster = new SimulatedCluster(base, 0, () => undefined);
  for (const value of objects) await cluster.send('POST', idOf(value), value);
  await cluster.time.advance(settledMs);
  const { store } = cluster.state;
  cluster.stop();
  const content = store.content();
  const next = { ...base, content, revision: store.revision, startMs: cluster.time.now() };
  return { base: next, bystanders: addedBystanders(base.content, content) };
}
