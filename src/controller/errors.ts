/** Errors of controllers and managers. Each has a `name` that logs and metrics keep. */

/**
 * Thrown by a reconcile function if a retry cannot succeed: the run counts as failed, and the object is
 * reconciled again only after a change.
 */
export class TerminalError extends Error {
  override readonly name = 'TerminalError';
}

/** A run exceeded its time limit. */
export class ReconcileTimeoutError extends Error {
  override readonly name = 'ReconcileTimeoutError';
}

/**
 * A write of a run that was abandoned: it had ignored its signal after its time limit, and the object may be
 * reconciled by another run already. The request was not sent.
 */
export class AbandonedRunError extends Error {
  override readonly name = 'AbandonedRunError';
}

/** A reconcile function returned something else than nothing or `{ requeueAfterMs }`. */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError';
}

/** A manager cannot start: missing permissions, invalid options of a part, or caches that do not sync. */
export class ManagerStartError extends Error {
  override readonly name = 'ManagerStartError';
}

/** A reconcile function, or other work on the main thread, computed without a pause for seconds. */
export class EventLoopBlockedError extends Error {
  override readonly name = 'EventLoopBlockedError';
}

/** Returns any thrown value as an error: `throw undefined` is valid JavaScript. */
export function errorOf(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(`not an error was thrown: ${typeof thrown}${shown(thrown)}`, { cause: thrown });
}

function shown(thrown: unknown): string {
  if (typeof thrown === 'string') return ` ${JSON.stringify(thrown.slice(0, 200))}`;
  return typeof thrown === 'number' || typeof thrown === 'boolean' ? ` ${thrown}` : '';
}
