/** Reactions of a reflector to failed requests. */
import { isApiError, isTransportError } from '../../api/errors.ts';
import { isUnauthorized } from '../../api/failure-reasons.ts';
import { freshBackoff } from '../../watch/machine/backoff.ts';
import { classify } from '../../watch/machine/failure.ts';
import { wasTooShort } from '../../watch/machine/machine-types.ts';
import { after, list, listWhole, pause, stream, wait } from './reflector-requests.ts';
import type {
  AfterWait,
  Following,
  Initial,
  Listing,
  ReflectorOutput,
  ReflectorState,
  ReflectorStep,
  RelistReason,
} from './reflector-state.ts';

const tooManyRequests = 429;

export function failed<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  const { phase } = state;
  switch (phase.name) {
    case 'initial':
      return initialFailed(state, phase, error, now);
    case 'list':
      return listFailed(state, phase, error, now);
    case 'follow':
      return followFailed(state, phase, error, now);
  }
}

/** If streaming the state fails, the list either works or returns a meaningful error. */
function initialFailed<O>(
  state: ReflectorState,
  phase: Initial,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  switch (classify(error)) {
    case 'expired':
    case 'ahead':
      return knowsVersion(state) ? stream({ ...state, unavailable: true }) : list(state);
    case 'transient': {
      const streamFailures = state.streamFailures + (outOfReach(error) ? 0 : 1);
      const streams = phase.openedAt === undefined && streamFailures <= state.timing.streamRetries;
      return report({ ...state, streamFailures }, streams ? 'again' : 'list', error, now);
    }
    case 'malformed':
      return after([failure(state, error)], list({ ...state, attempts: state.attempts + 1 }));
    case 'closed':
      return giveUp(state, error);
    default:
      return list(state);
  }
}

function listFailed<O>(state: ReflectorState, phase: Listing, error: unknown, now: number): ReflectorStep<O> {
  const kind = classify(error);
  if (kind === 'absent') return absent(state, error);
  const present = { ...state, notFoundCount: 0 };
  switch (kind) {
    case 'expired':
      if (phase.goal.params.continue === undefined) return unknownVersion(present, error, now);
      // A server that pages a list without a limit would cause an endless loop.
      if (phase.first.limit === undefined) return report(present, 'round', error, now);
      return listWhole(present, phase.first);
    case 'ahead':
      return unknownVersion(present, error, now);
    case 'transient':
      return report(present, 'again', error, now);
    case 'closed':
      return giveUp(state, error);
    default:
      return report(present, 'round', error, now);
  }
}

function followFailed<O>(
  state: ReflectorState,
  { stream: history }: Following,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const worked = history !== undefined && !wasTooShort(history, now, state.timing);
  const rested = worked ? { ...state, backoff: freshBackoff, attempts: 0 } : state;
  const kind = classify(error);
  switch (kind) {
    case 'expired':
      return lost(historyGone(rested), [...lostAgain<O>(rested, error, now), relist(kind)], error, now);
    case 'absent':
      return pause(rested, 'round', now, [relist(kind)], error);
    case 'ahead':
      return lost({ ...rested, unavailable: true }, [relist(kind)], error, now);
    case 'malformed':
      return readAgain(rested, 'malformed', error, now);
    case 'closed':
      return giveUp(state, error);
    case 'refused':
      return refused(rested, error, now);
    default:
      if (history?.hasEvents === false && isApiError(error) && !outOfReach(error)) {
        return emptyFailure(rested, error, now);
      }
      // An interrupted stream is normal; an error of the server, or an unreachable server, is not.
      return resume(rested, now, worked && !isApiError(error) ? undefined : error);
  }
}

/** All objects may be stale until the state is read again: the delay is limited to `lostMaxMs`. */
function lost<O>(
  state: ReflectorState,
  outputs: readonly ReflectorOutput<O>[],
  error: unknown,
  now: number,
): ReflectorStep<O> {
  return pause(state, 'round', now, outputs, error, state.timing.lostMaxMs);
}

/** A history that is lost once is normal. The third loss in quick succession is reported, once. */
function lostAgain<O>(state: ReflectorState, error: unknown, now: number): ReflectorOutput<O>[] {
  const { firstMs, factor, resetAfterMs } = state.timing.backoff;
  const { rounds } = state;
  const isThird = rounds?.delayMs === firstMs * factor && now - rounds.failedAt < resetAfterMs;
  return isThird ? [failure(state, error)] : [];
}

/**
 * Requests a state that is not older than the last version. If that returned the same version again, whose
 * history is lost, the cache of the server is stuck: then requests the newest state.
 */
function historyGone(state: ReflectorState): ReflectorState {
  const { resourceVersion, expired } = state;
  return { ...state, expired: resourceVersion, unavailable: resourceVersion === expired };
}

/**
 * Resumes from the last version, after a delay. Without a version, changes in between are lost, and the state
 * is read again. `error` is reported.
 */
export function resume<O>(state: ReflectorState, now: number, error: unknown): ReflectorStep<O> {
  const lost = state.resourceVersion === '';
  const outputs: ReflectorOutput<O>[] = lost ? [relist('expired')] : [];
  const next = lost ? 'round' : 'again';
  return error === undefined
    ? pause(state, next, now, outputs)
    : after(outputs, report(state, next, error, now));
}

/**
 * Reads the state again by lists. A malformed event may be of any object, and lists skip malformed items,
 * while streaming the state would fail at the same object; a user without the permission to watch may not
 * stream either. As both may repeat, the delay between rounds increases.
 */
function readAgain<O>(
  state: ReflectorState,
  reason: 'malformed' | 'refused',
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const step = reportRound<O>(state, reason, error, now);
  return { ...step, state: { ...step.state, afterWait: 'list' } };
}

/** Without valid credentials a list would be rejected too, and the version remains valid. */
function refused<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  const refusals = isUnauthorized(error) ? 0 : state.refusals + 1;
  if (refusals === state.timing.refusalLimit)
    return readAgain({ ...state, refusals: 0 }, 'refused', error, now);
  return resume({ ...state, refusals }, now, error);
}

/**
 * Handles a server that has the state but not the history since the last version. It may fail at the event
 * after that version for as long as it has both.
 */
function emptyFailure<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  const emptyFailures = state.emptyFailures + 1;
  if (emptyFailures < state.timing.emptyFailureLimit) return resume({ ...state, emptyFailures }, now, error);
  return reportRound({ ...historyGone(state), emptyFailures: 0 }, 'expired', error, now);
}

/** The client is closed: no request can succeed. */
function giveUp<O>(state: ReflectorState, error: unknown): ReflectorStep<O> {
  return { state, outputs: [], next: { type: 'fail', error } };
}

/**
 * The server does not know the requested version: requests the newest state at once, but only once in a row.
 */
function unknownVersion<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  if (knowsVersion(state)) return list({ ...state, unavailable: true });
  return report(state, 'round', error, now);
}

/** Reports the failure once; then polls until the resource exists. */
function absent<O>(state: ReflectorState, error: unknown): ReflectorStep<O> {
  const { notFoundLimit, notFoundBackoff } = state.timing;
  const { firstMs, factor, maxMs } = notFoundBackoff;
  const notFoundCount = state.notFoundCount + 1;
  const outputs: ReflectorOutput<O>[] = notFoundCount === 1 ? [failure(state, error)] : [];
  const gone = notFoundCount === notFoundLimit && state.resourceVersion !== undefined;
  if (gone) outputs.push({ type: 'begin' }, { type: 'replace', resourceVersion: '' });
  const ms = Math.min(firstMs * factor ** (notFoundCount - 1), maxMs);
  const waiting = { ...state, notFoundCount, attempts: state.attempts + 1 };
  // A reinstalled resource has a separate history, and a server that lags behind might still return the old
  // one.
  const forgetful = { ...waiting, resourceVersion: '' };
  // A missing resource cannot be streamed: the list detects its return.
  const next = notFoundCount < notFoundLimit ? 'round' : 'list';
  return wait(gone ? forgetful : waiting, next, ms, outputs, error);
}

function report<O>(
  state: ReflectorState,
  afterWait: AfterWait,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  return pause({ ...state, attempts: state.attempts + 1 }, afterWait, now, [failure(state, error)], error);
}

/** Reports a failure after which the state is read again. */
function reportRound<O>(
  state: ReflectorState,
  reason: RelistReason,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const outputs: ReflectorOutput<O>[] = [failure(state, error), relist(reason)];
  return pause({ ...state, attempts: state.attempts + 1 }, 'round', now, outputs, error);
}

function failure<O>({ attempts }: ReflectorState, error: unknown): ReflectorOutput<O> {
  return { type: 'failure', error, attempt: attempts + 1 };
}

function relist<O>(reason: RelistReason): ReflectorOutput<O> {
  return { type: 'relist', reason };
}

/** Returns whether the next request contains a version that the server might not know. */
export function knowsVersion(state: ReflectorState): boolean {
  return !state.unavailable && state.resourceVersion !== undefined && state.resourceVersion !== '';
}

/** Returns whether the failure is unrelated to streaming: the server is unreachable or overloaded. */
function outOfReach(error: unknown): boolean {
  if (isApiError(error)) return error.code === tooManyRequests;
  return isTransportError(error) && error.code === 'ECONNREFUSED';
}
