/** Calls of reconcile functions in simulated processes, and the writes that outlive them. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The begin of a call of a reconcile function. */
export interface BegunCall {
  /** Name of its controller. */
  readonly controller: string;
  /** Virtual time, in milliseconds. */
  readonly startMs: number;
}

/** One call of a reconcile function. */
interface ReconcileCall extends BegunCall {
  /** Whether it has returned without an error. */
  hasReturned: boolean;
  /** Whether one of its requests has failed: others may be in progress when it returns. */
  hasFailedRequest: boolean;
}

const calls = new AsyncLocalStorage<ReconcileCall>();

/** Calls a reconcile function in a context of its own. */
export async function asReconcile(reconcile: () => unknown, begin: BegunCall): Promise<unknown> {
  const call: ReconcileCall = { ...begin, hasReturned: false, hasFailedRequest: false };
  const result = await calls.run(call, async () => reconcile());
  call.hasReturned = true;
  return result;
}

/** Longest period of an operator that polls, in milliseconds: what it misses is repaired by then. */
const longestPollMs = 300_000;

/** Returns the delay after which a reconcile function asks to be called again; 0 for none, or a long one. */
export function pollDelayOf(result: unknown): number {
  const isObject = typeof result === 'object' && result !== null;
  const delayMs: unknown = isObject ? Reflect.get(result, 'requeueAfterMs') : undefined;
  return typeof delayMs === 'number' && delayMs <= longestPollMs ? delayMs : 0;
}

/** Calls the callback of a timer, which does not belong to the call that has set the timer. */
export function outsideReconcile(callback: () => void): void {
  calls.exit(callback);
}

/** Returns the call to which the running code belongs; `undefined` outside of reconcile functions. */
export function currentCall(): BegunCall | undefined {
  return calls.getStore();
}

/** A request that begins. */
export interface BegunRequest {
  /**
   * Notes its end. Returns whether its reconcile function has returned before, as if it did not wait for the
   * request. Functions that have failed, or one of whose requests has, may return early.
   */
  readonly ended: (isFailed: boolean) => boolean;
}

/** Notes the begin of a request. */
export function beginRequest(): BegunRequest {
  const call = calls.getStore();
  return {
    ended: (isFailed) => {
      if (call === undefined) return false;
      call.hasFailedRequest ||= isFailed;
      return call.hasReturned && !call.hasFailedRequest;
    },
  };
}
