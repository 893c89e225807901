/** Lanes of the timeline: one for each reconcile that a controller runs at the same time. */
import type { ViewReconcile } from '../../format.ts';

/** A lane with its reconciles, in the order of their starts. */
export interface Lane {
  readonly controller: string;
  /** Number of the worker, from 1. */
  readonly worker: number;
  readonly reconciles: readonly ViewReconcile[];
}

/** A recording of another program may have any number. */
const mostWorkers = 1_000;

/**
 * Assigns each reconcile to its worker. If it is not recorded, that is the first one of the controller that
 * is free at its start, so that a controller has as many lanes as reconciles that run at the same time.
 * @param reconciles in the order of their starts
 */
export function lanesOf(reconciles: readonly ViewReconcile[]): readonly Lane[] {
  const lanes = new Map<string, { until: number; readonly reconciles: ViewReconcile[] }[]>();
  for (const reconcile of reconciles) {
    const own = lanes.get(reconcile.controller) ?? [];
    lanes.set(reconcile.controller, own);
    const until = reconcile.until ?? Number.POSITIVE_INFINITY;
    const { worker } = reconcile;
    if (worker !== undefined && worker <= mostWorkers)
      while (own.length < worker) own.push({ until: Number.NEGATIVE_INFINITY, reconciles: [] });
    const free = worker === undefined ? own.find((lane) => lane.until <= reconcile.from) : own[worker - 1];
    if (free === undefined) {
      own.push({ until, reconciles: [reconcile] });
      continue;
    }
    free.until = until;
    free.reconciles.push(reconcile);
  }
  return [...lanes].flatMap(([controller, own]) =>
    own
      .map(({ reconciles: each }, index) => ({ controller, worker: index + 1, reconciles: each }))
      .filter(({ reconciles: each }) => each.length > 0),
  );
}
