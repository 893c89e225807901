/** Requests of a reflector. */
import { nextBackoff } from '../../watch/machine/backoff.ts';
import { retryAfterMs } from '../../watch/machine/failure.ts';
import type { Action, WatchAction } from '../../watch/machine/machine-types.ts';
import type { ListParams } from '../../watch/source.ts';
import type { AfterWait, ReflectorOutput, ReflectorState, ReflectorStep } from './reflector-state.ts';

const pageSize = 500;

/** Begins a round: streams the state, or lists it if streaming is disabled. */
export function beginRound<O>(state: ReflectorState): ReflectorStep<O> {
  const round = { ...state, streamFailures: 0 };
  return state.streaming ? stream(round) : list(round);
}

/** Starts a watch that streams the state. Never returns to a version before the last one. */
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
    idleMs: state.timing.stateIdleMs,
  };
  return {
    state: { ...state, phase: { name: 'initial', openedAt: undefined } },
    outputs: [{ type: 'begin' }],
    next,
  };
}

/**
 * Lists the state: first at any version in the cache of the server (`0`), later not older than the last
 * version, and at the newest version once the server does not know the last one.
 */
export function list<O>(state: ReflectorState): ReflectorStep<O> {
  const since = state.unavailable ? '' : (state.resourceVersion ?? '0');
  // With a resourceVersion the server responds from its cache without pages, with a limit from etcd.
  const cached = since !== '' && since !== '0' && !state.paginates;
  // A limit without `resourceVersionMatch` would return exactly that version, from which a malformed event
  // would follow again.
  const newer = !cached && since !== '' && since !== '0';
  return listPages(state, {
    ...(since !== '' && { resourceVersion: since }),
    ...(newer && { resourceVersionMatch: 'NotOlderThan' }),
    ...(!cached && { limit: pageSize }),
  });
}

/**
 * Lists everything in one response: the last resort if continue tokens expire before the next page is
 * requested.
 */
export function listWhole<O>(state: ReflectorState, { resourceVersion }: ListParams): ReflectorStep<O> {
  return listPages(state, resourceVersion === undefined ? {} : { resourceVersion });
}

function listPages<O>(state: ReflectorState, params: ListParams): ReflectorStep<O> {
  const goal = { type: 'list', params } as const;
  const phase = { name: 'list', first: params, goal, resourceVersion: undefined } as const;
  return { state: { ...state, phase }, outputs: [{ type: 'begin' }], next: goal };
}

/** Watches the changes since the last version. */
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

/** Performs the action after a delay. */
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

/** Repeats the same request. */
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

/** Waits for the `Retry-After` of the error, or without one for an increasing delay of at most `maxMs`. */
export function pause<O>(
  state: ReflectorState,
  afterWait: AfterWait,
  now: number,
  outputs: readonly ReflectorOutput<O>[] = [],
  error?: unknown,
  maxMs: number = state.timing.backoff.maxMs,
): ReflectorStep<O> {
  const stated = retryAfterMs(error, state.timing);
  if (stated > 0) {
    const next: Action = { type: 'wait', ms: stated, jitterMs: state.timing.backoff.firstMs };
    return { state: { ...state, afterWait }, outputs, next };
  }
  const kind = afterWait === 'round' ? 'rounds' : 'backoff';
  const backoff = nextBackoff(state[kind], now, { ...state.timing.backoff, maxMs });
  return wait({ ...state, [kind]: backoff }, afterWait, backoff.delayMs, outputs, error);
}

/** Waits for the larger of `ms` and the `Retry-After` of the error, and at random for up to `ms` longer. */
export function wait<O>(
  state: ReflectorState,
  afterWait: AfterWait,
  ms: number,
  outputs: readonly ReflectorOutput<O>[],
  error: unknown,
): ReflectorStep<O> {
  const next: Action = { type: 'wait', ms: Math.max(ms, retryAfterMs(error, state.timing)), jitterMs: ms };
  return { state: { ...state, afterWait }, outputs, next };
}

/** Returns the step with additional outputs before its own. */
export function after<O>(outputs: readonly ReflectorOutput<O>[], step: ReflectorStep<O>): ReflectorStep<O> {
  return { ...step, outputs: [...outputs, ...step.outputs] };
}
