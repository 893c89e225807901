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

/**
 * A reconciled or watched kind is not installed in the cluster: its CustomResourceDefinition is missing or
 * was deleted. The controller follows the kind again once it is installed.
 */
export class KindNotInstalledError extends Error {
  override readonly name = 'KindNotInstalledError';

  constructor(message: string) {
    super(message);
    // A state of the cluster, not a defect: logs need one line, and no list of the functions of informers.
    this.stack = `${this.name}: ${message}`;
  }
}

/**
 * Returns any thrown value as an error whose name, message and stack can be read: `throw undefined` is valid
 * JavaScript, and members of an error may be getters that throw. Never throws.
 */
export function errorOf(thrown: unknown): Error {
  if (isReadable(thrown)) return thrown;
  if (isError(thrown)) return new Error('an error was thrown whose members cannot be read');
  return new Error(`not an error was thrown: ${typeof thrown}${shown(thrown)}`, { cause: thrown });
}

function isReadable(thrown: unknown): thrown is Error {
  try {
    if (!(thrown instanceof Error)) return false;
    // Loggers read each of them.
    const { name, message, stack = '', cause } = thrown;
    return [name, message, stack].every((part) => typeof part === 'string') && typeof cause !== 'function';
  } catch {
    return false;
  }
}

function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    // A proxy.
    return true;
  }
}

function shown(thrown: unknown): string {
  if (typeof thrown === 'string') return ` ${JSON.stringify(thrown.slice(0, 200))}`;
  return typeof thrown === 'number' || typeof thrown === 'boolean' ? ` ${thrown}` : '';
}
