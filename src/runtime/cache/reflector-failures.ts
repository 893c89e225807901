/** What a reflector makes of a failed request. */
import { isApiError, isTransportError, isUnauthorized } from '../errors.ts';
import { freshBackoff } from '../watch/backoff.ts';
import { classify } from '../watch/failure.ts';
import { wasTooShort } from '../watch/machine.ts';
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

/** So often streaming the state is tried anew in one round before it is listed. */
const STREAM_TRIES = 2;
/** A server that starts may deny a resource for a moment: it is gone when it is denied twice. */
const ABSENCES_TO_BELIEVE = 2;
/** Where watches stay refused, lists are what keeps the copy from growing old. */
const REFUSALS_TO_BELIEVE = 3;
/**
 * A server may have the version and fail at the event behind it, for as long as it has both: without a cache of events,
 * the API server says 500 where etcd has forgotten what an object was before a change.
 */
const DEAD_ENDS_TO_BELIEVE = 3;
const FIRST_ABSENCE_MS = 1600;
/**
 * With jitter ten seconds: who installs a resource looks at its informers soon afterwards, and to deny a path that it
 * does not know costs a server next to nothing.
 */
const LONGEST_ABSENCE_MS = 5000;
const TOO_MANY_REQUESTS = 429;

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

/** Whatever a server has against streaming the state, the list works or says what is wrong. */
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
      const streams = phase.openedAt === undefined && streamFailures <= STREAM_TRIES;
      return report({ ...state, streamFailures }, streams ? 'again' : 'list', error, now);
    }
    case 'garbled':
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
  const present = { ...state, absences: 0 };
  switch (kind) {
    case 'expired':
      if (phase.goal.params.continue === undefined) return unknownVersion(present, error, now);
      // A list without a limit that comes in pages all the same would start over for ever.
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
  const worked = history !== undefined && !wasTooShort(history, now);
  const rested = worked ? { ...state, backoff: freshBackoff, attempts: 0 } : state;
  const kind = classify(error);
  switch (kind) {
    case 'expired':
      return pause(historyGone(rested), 'round', now, [relist(kind)], error);
    case 'absent':
      return pause(rested, 'round', now, [relist(kind)], error);
    case 'ahead':
      return pause({ ...rested, unavailable: true }, 'round', now, [relist(kind)], error);
    case 'garbled':
      return readAgain(rested, kind, error, now);
    case 'closed':
      return giveUp(state, error);
    case 'refused':
      return refused(rested, error, now);
    default:
      if (history?.spoke === false && isApiError(error) && !outOfReach(error)) {
        return deadEnd(rested, error, now);
      }
      // A stream that breaks is daily life; an error that the server tells, or a server out of reach, is not.
      return resume(rested, now, worked && !isApiError(error) ? undefined : error);
  }
}

/**
 * The next state is one that is not older than what was seen. When that gives the same version again, from which there
 * is no history, the server's cache stands still: then it is the newest.
 */
function historyGone(state: ReflectorState): ReflectorState {
  const { resourceVersion, expired } = state;
  return { ...state, expired: resourceVersion, unavailable: resourceVersion === expired };
}

/**
 * Follows on from the last version seen, after a wait. Where there is none, what happens meanwhile is lost, and the
 * state is read again. `error` is reported.
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
 * Reads the state again in lists. An event that cannot be read may be of any object, and lists pass over what cannot be
 * read, where a stream of the state would only break at the same place; who may not watch may not stream either. As both
 * may happen again and again, rounds come ever more slowly.
 */
function readAgain<O>(
  state: ReflectorState,
  reason: 'garbled' | 'refused',
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const step = reportRound<O>(state, reason, error, now);
  return { ...step, state: { ...step.state, afterWait: 'list' } };
}

/** For want of a valid credential a list would be refused too, and the version is still good. */
function refused<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  const refusals = isUnauthorized(error) ? 0 : state.refusals + 1;
  if (refusals === REFUSALS_TO_BELIEVE) return readAgain({ ...state, refusals: 0 }, 'refused', error, now);
  return resume({ ...state, refusals }, now, error);
}

/** The state is known to a server that cannot tell how it came about. */
function deadEnd<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  const deadEnds = state.deadEnds + 1;
  if (deadEnds < DEAD_ENDS_TO_BELIEVE) return resume({ ...state, deadEnds }, now, error);
  return reportRound({ ...historyGone(state), deadEnds: 0 }, 'expired', error, now);
}

/** Nothing will be answered any more. */
function giveUp<O>(state: ReflectorState, error: unknown): ReflectorStep<O> {
  return { state, outputs: [], next: { type: 'fail', error } };
}

/** The server does not know the version that was asked for: the newest state at once, but only once in a row. */
function unknownVersion<O>(state: ReflectorState, error: unknown, now: number): ReflectorStep<O> {
  if (knowsVersion(state)) return list({ ...state, unavailable: true });
  return report(state, 'round', error, now);
}

/** Told once; then the reflector waits in silence for the resource to come. */
function absent<O>(state: ReflectorState, error: unknown): ReflectorStep<O> {
  const absences = state.absences + 1;
  const outputs: ReflectorOutput<O>[] = absences === 1 ? [failure(state, error)] : [];
  const gone = absences === ABSENCES_TO_BELIEVE && state.resourceVersion !== undefined;
  if (gone) outputs.push({ type: 'begin' }, { type: 'replace', resourceVersion: '' });
  const ms = Math.min(FIRST_ABSENCE_MS * 2 ** (absences - 1), LONGEST_ABSENCE_MS);
  const waiting = { ...state, absences, attempts: state.attempts + 1 };
  // What comes back has a history of its own, and a server that lags behind might still show the old one.
  const forgetful = { ...waiting, resourceVersion: '' };
  // Of what is not there nothing is to be streamed: the list alone tells when it comes.
  const next = absences < ABSENCES_TO_BELIEVE ? 'round' : 'list';
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

/** A failure after which the state is read again. */
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

/** Whether a version is asked for that the server might not know. */
export function knowsVersion(state: ReflectorState): boolean {
  return !state.unavailable && state.resourceVersion !== undefined && state.resourceVersion !== '';
}

/** Whether the failure says nothing about streaming: there is no server at all, or it has no time. */
function outOfReach(error: unknown): boolean {
  if (isApiError(error)) return error.code === TOO_MANY_REQUESTS;
  return isTransportError(error) && error.code === 'ECONNREFUSED';
}
