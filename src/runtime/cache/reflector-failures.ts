/** What a reflector makes of a failed request. */
import { freshBackoff } from '../watch/backoff.ts';
import { classify } from '../watch/failure.ts';
import { wasTooShort } from '../watch/machine.ts';
import { list, listWhole, pause, stream } from './reflector-requests.ts';
import type {
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

export function failed<O>(state: ReflectorState<O>, error: unknown, now: number): ReflectorStep<O> {
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

/** A stream of the state that breaks for whatever reason costs nothing but a list, which then says what is wrong. */
function initialFailed<O>(
  state: ReflectorState<O>,
  phase: Initial<O>,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  switch (classify(error)) {
    case 'expired':
    case 'ahead':
      return knowsVersion(state) ? stream({ ...state, unavailable: true }) : list(state);
    case 'transient': {
      const streamFailures = state.streamFailures + 1;
      if (phase.openedAt !== undefined || streamFailures > STREAM_TRIES) return list(state);
      return report({ ...state, streamFailures }, 'again', error, now);
    }
    default:
      return list(state);
  }
}

function listFailed<O>(
  state: ReflectorState<O>,
  phase: Listing<O>,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const failure = classify(error);
  if (failure === 'absent') return absent(state, error, now);
  const present = { ...state, absences: 0 };
  switch (failure) {
    case 'expired':
      if (phase.goal.params.continue !== undefined) return listWhole(present, phase.first);
      return unknownVersion(present, error, now);
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
  state: ReflectorState<O>,
  { stream: history }: Following,
  error: unknown,
  now: number,
): ReflectorStep<O> {
  const worked = history !== undefined && !wasTooShort(history, now);
  const rested = worked ? { ...state, backoff: freshBackoff, attempts: 0 } : state;
  const failure = classify(error);
  switch (failure) {
    case 'expired':
    case 'absent':
      return pause(rested, 'round', now, [relist(failure)], error);
    case 'ahead':
      return pause({ ...rested, unavailable: true }, 'round', now, [relist(failure)], error);
    case 'garbled':
      return report(rested, 'round', error, now, [relist(failure)]);
    case 'transient':
      // A stream that breaks is daily life; a server that cannot be reached is not.
      return history === undefined
        ? report(rested, 'again', error, now)
        : pause(rested, 'again', now, [], error);
    case 'closed':
      return giveUp(state, error);
    default:
      return report(rested, 'again', error, now);
  }
}

/** Nothing will be answered any more. */
function giveUp<O>(state: ReflectorState<O>, error: unknown): ReflectorStep<O> {
  return { state, outputs: [], next: { type: 'fail', error } };
}

/** The server does not know the version that was asked for: the newest state at once, but only once in a row. */
function unknownVersion<O>(state: ReflectorState<O>, error: unknown, now: number): ReflectorStep<O> {
  if (knowsVersion(state)) return list({ ...state, unavailable: true });
  return report(state, 'round', error, now);
}

/** Told once; then the reflector waits in silence for the resource to come. */
function absent<O>(state: ReflectorState<O>, error: unknown, now: number): ReflectorStep<O> {
  const absences = state.absences + 1;
  const attempts = state.attempts + 1;
  const gone = absences === ABSENCES_TO_BELIEVE;
  const outputs: ReflectorOutput<O>[] = [];
  if (absences === 1) outputs.push({ type: 'failure', error, attempt: attempts });
  if (gone && state.resourceVersion !== undefined) {
    outputs.push({ type: 'replace', items: [], resourceVersion: '' });
  }
  const forgetful = gone ? { ...state, resourceVersion: undefined, unavailable: false } : state;
  return pause({ ...forgetful, absences, attempts }, 'round', now, outputs, error);
}

function report<O>(
  state: ReflectorState<O>,
  afterWait: ReflectorState<O>['afterWait'],
  error: unknown,
  now: number,
  outputs: readonly ReflectorOutput<O>[] = [],
): ReflectorStep<O> {
  const attempt = state.attempts + 1;
  const failure: ReflectorOutput<O> = { type: 'failure', error, attempt };
  return pause({ ...state, attempts: attempt }, afterWait, now, [failure, ...outputs], error);
}

function relist<O>(reason: RelistReason): ReflectorOutput<O> {
  return { type: 'relist', reason };
}

/** Whether a version is asked for that the server might not know. */
function knowsVersion<O>(state: ReflectorState<O>): boolean {
  return !state.unavailable && state.resourceVersion !== undefined && state.resourceVersion !== '';
}
