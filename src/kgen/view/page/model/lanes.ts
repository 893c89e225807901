/** Lanes of the timeline: one for each reconcile that a controller runs at the same time. */
import type { ViewReconcile } from '../../format.ts';

/** A lane with its reconciles, in the order of their starts. */
export interface Lane {
  readonly controller: string;
  /** Number of the worker, from 1. */
  readonly worker: number;
  readonly reconciles: readonly ViewReconcile[];
}

/**
 * Assigns each reconcile to the first worker of its controller that is free at its start, so that a
 * controller has as many lanes as reconciles that run at the same time.
 * @param reconciles in the order of their starts
 */
export function lanesOf(reconciles: readonly ViewReconcile[]): readonly Lane[] {
  const lanes = new Map<string, { until: number; readonly reconciles: ViewReconcile[] }[]>();
  for (const reconcile of reconciles) {
    const own = lanes.get(reconcile.controller) ?? [];
    lanes.set(reconcile.controller, own);
    const until = reconcile.until ?? Number.POSITIVE_INFINITY;
    const free = own.find((lane) => lane.until <= reconcile.from);
    if (free === undefined) {
      own.push({ until, reconciles: [reconcile] });
      continue;
    }
    free.until = until;
    free.reconciles.push(reconcile);
  }
  return [...lanes].flatMap(([controller, own]) =>
    own.map(({ reconciles: each }, index) => ({ controller, worker: index + 1, reconciles: each })),
  );
}
