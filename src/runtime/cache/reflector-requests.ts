/** Which request a reflector makes next. */
import { nextDelay } from '../watch/backoff.ts';
import { retryAfterMs } from '../watch/failure.ts';
import type { Action, WatchAction } from '../watch/machine.ts';
import type { ListParams } from '../watch/source.ts';
import type { ReflectorOutput, ReflectorState, ReflectorStep } from './reflector-state.ts';

const PAGE_SIZE = 500;
/** A server that streams the state does not fall silent before its end. */
const BURST_SILENCE_MS = 15_000;

/** Begins a round: streams the state, or lists it where streaming is off. */
export function beginRound<O>(state: ReflectorState<O>): ReflectorStep<O> {
  return state.streaming ? stream(state) : list(state);
}

/** Asks the watch for the state itself. Never goes back behind the last version seen. */
export function stream<O>(state: ReflectorState<O>): ReflectorStep<O> {
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
    state: { ...state, phase: { name: 'initial', events: undefined, openedAt: undefined } },
    outputs: [],
    next,
  };
}

/**
 * Lists the state: first any version that the server has in its cache (`0`), later none older than the last one seen,
 * and the newest once the server does not know that one.
 */
export function list<O>(state: ReflectorState<O>): ReflectorStep<O> {
  const since = state.unavailable ? '' : (state.resourceVersion ?? '0');
  // With a version the answer comes from the server's cache in one piece, with a limit from its database.
  const cached = since !== '' && since !== '0' && !state.paginates;
  return listPage(state, {
    ...(since !== '' && { resourceVersion: since }),
    ...(!cached && { limit: PAGE_SIZE }),
  });
}

/** Lists everything in one answer: the last resort when tokens expire faster than pages are read. */
export function listWhole<O>(state: ReflectorState<O>, first: ListParams): ReflectorStep<O> {
  return listPage(
    state,
    first.resourceVersion === undefined ? {} : { resourceVersion: first.resourceVersion },
  );
}

function listPage<O>(state: ReflectorState<O>, params: ListParams): ReflectorStep<O> {
  const goal = { type: 'list', params } as const;
  const phase = { name: 'list', pages: undefined, first: params, goal, resourceVersion: undefined } as const;
  return { state: { ...state, phase }, outputs: [], next: goal };
}

/** Follows the changes since the last version seen. */
export function follow<O>(state: ReflectorState<O>): ReflectorStep<O> {
  const resourceVersion = state.resourceVersion ?? '';
  const next: Action = {
    type: 'watch',
    params: { ...(resourceVersion !== '' && { resourceVersion }), allowWatchBookmarks: true },
  };
  return { state: { ...state, phase: { name: 'follow', stream: undefined } }, outputs: [], next };
}

/** The same request again. */
export function again<O>(state: ReflectorState<O>): ReflectorStep<O> {
  switch (state.phase.name) {
    case 'initial':
      return stream(state);
    case 'list':
      return { state, outputs: [], next: state.phase.goal };
    case 'follow':
      return follow(state);
  }
}

/** Waits, longer from failure to failure and at least as long as the server asks for. */
export function pause<O>(
  state: ReflectorState<O>,
  afterWait: ReflectorState<O>['afterWait'],
  now: number,
  outputs: readonly ReflectorOutput<O>[] = [],
  error?: unknown,
): ReflectorStep<O> {
  const { delayMs, backoff } = nextDelay(state.backoff, now);
  return {
    state: { ...state, backoff, afterWait },
    outputs,
    next: { type: 'wait', ms: Math.max(delayMs, retryAfterMs(error)) },
  };
}
