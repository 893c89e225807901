/** Which request a reflector makes next. */
import { nextDelay } from '../watch/backoff.ts';
import { retryAfterMs } from '../watch/failure.ts';
import type { Action, WatchAction } from '../watch/machine.ts';
import type { ListParams } from '../watch/source.ts';
import type { AfterWait, ReflectorOutput, ReflectorState, ReflectorStep } from './reflector-state.ts';

const PAGE_SIZE = 500;
/** A server that streams the state does not fall silent before its end. */
const BURST_SILENCE_MS = 15_000;

/** Begins a round: streams the state, or lists it where streaming is off. */
export function beginRound<O>(state: ReflectorState): ReflectorStep<O> {
  const round = { ...state, streamFailures: 0 };
  return state.streaming ? stream(round) : list(round);
}

/** Asks the watch for the state itself. Never goes back behind the last version seen. */
export function stream<O>(state: ReflectorState): ReflectorStep<O> {
  const since = state.unavailable ? undefined : state.resourceVersion;
  const next: WatchAction = {
    type: 'watch',
    params: {
      ...(since && { resourceVersion: since }),
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    },
    silenceMs: BURST_SILENCE_MS,
  };
  return {
    state: { ...state, phase: { name: 'initial', openedAt: undefined } },
    outputs: [{ type: 'begin' }],
    next,
  };
}

/**
 * Lists the state: first any version that the server has in its cache (`0`), later none older than the last one seen,
 * and the newest once the server does not know that one.
 */
export function list<O>(state: ReflectorState): ReflectorStep<O> {
  const since = state.unavailable ? '' : (state.resourceVersion ?? '0');
  // With a version the answer comes from the server's cache in one piece, with a limit from its database.
  const cached = since !== '' && since !== '0' && !state.paginates;
  // With a limit alone the answer would be that very version, from which an event that cannot be read comes again.
  const newer = !cached && since !== '' && since !== '0';
  return listPages(state, {
    ...(since !== '' && { resourceVersion: since }),
    ...(newer && { resourceVersionMatch: 'NotOlderThan' }),
    ...(!cached && { limit: PAGE_SIZE }),
  });
}

/** Lists everything in one answer: the last resort when tokens expire faster than pages are read. */
export function listWhole<O>(state: ReflectorState, { resourceVersion }: ListParams): ReflectorStep<O> {
  return listPages(state, resourceVersion === undefined ? {} : { resourceVersion });
}

function listPages<O>(state: ReflectorState, params: ListParams): ReflectorStep<O> {
  const goal = { type: 'list', params } as const;
  const phase = { name: 'list', first: params, goal, resourceVersion: undefined } as const;
  return { state: { ...state, phase }, outputs: [{ type: 'begin' }], next: goal };
}

/** Follows the changes since the last version seen. */
export function follow<O>(state: ReflectorState): ReflectorStep<O> {
  const resourceVersion = state.resourceVersion ?? '';
  const next: Action = {
    type: 'watch',
    params: { ...(resourceVersion !== '' && { resourceVersion }), allowWatchBookmarks: true },
  };
  const resumes = state.phase.name === 'follow' && state.phase.stream !== undefined;
  return {
    state: { ...state, phase: { name: 'follow', stream: undefined } },
    outputs: resumes ? [{ type: 'restart' }] : [],
    next,
  };
}

/** What a wait was for. */
export function proceed<O>(state: ReflectorState): ReflectorStep<O> {
  switch (state.afterWait) {
    case 'again':
      return again(state);
    case 'list':
      return list(state);
    case 'round':
      return beginRound(state);
  }
}

/** The same request again. */
export function again<O>(state: ReflectorState): ReflectorStep<O> {
  switch (state.phase.name) {
    case 'initial':
      return stream(state);
    case 'list':
      return { state, outputs: [], next: state.phase.goal };
    case 'follow':
      return follow(state);
  }
}

/** Waits, longer from time to time and at least as long as the server asks for. */
export function pause<O>(
  state: ReflectorState,
  afterWait: AfterWait,
  now: number,
  outputs: readonly ReflectorOutput<O>[] = [],
  error?: unknown,
): ReflectorStep<O> {
  const kind = afterWait === 'round' ? 'rounds' : 'backoff';
  const { delayMs, backoff } = nextDelay(state[kind], now);
  return wait({ ...state, [kind]: backoff }, afterWait, delayMs, outputs, error);
}

/** Waits for `ms`, or as long as the server asks for; in either case up to `ms` longer at random. */
export function wait<O>(
  state: ReflectorState,
  afterWait: AfterWait,
  ms: number,
  outputs: readonly ReflectorOutput<O>[],
  error: unknown,
): ReflectorStep<O> {
  const next: Action = { type: 'wait', ms: Math.max(ms, retryAfterMs(error)), jitterMs: ms };
  return { state: { ...state, afterWait }, outputs, next };
}

/** The same step, which hands out something before all else. */
export function after<O>(outputs: readonly ReflectorOutput<O>[], step: ReflectorStep<O>): ReflectorStep<O> {
  return { ...step, outputs: [...outputs, ...step.outputs] };
}
