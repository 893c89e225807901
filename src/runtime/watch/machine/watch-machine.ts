/**
 * State machine of one logical watch, over as many requests as necessary. Without a resourceVersion to start
 * from, it lists first. It collects the whole list before it outputs any item, so that a failure between
 * pages can start over without duplicates.
 */

import { isApiError } from '../../api/errors.ts';
import type { ListMeta } from '../../api/meta.ts';
import type { BookmarkEvent } from '../../api/watch-events.ts';
import { defaultTiming, type Timing } from '../../common/timing.ts';
import { gather, type Pieces } from '../append-list.ts';
import type { ListParams } from '../source.ts';
import { type Backoff, freshBackoff, nextBackoff } from './backoff.ts';
import { classify, retryAfterMs } from './failure.ts';
import {
  type Action,
  type Input,
  type Machine,
  type ObjectEvent,
  type Retry,
  type Step,
  type StreamEvent,
  type StreamHistory,
  untilError,
  wasTooShort,
} from './machine-types.ts';

/** Output of a logical watch. */
export type WatchOutput<O> =
  /** All objects at `resourceVersion`: once, first, and only without a version to start from. */
  | { readonly type: 'listed'; readonly items: readonly O[]; readonly resourceVersion: string }
  | { readonly type: 'events'; readonly events: readonly (ObjectEvent<O> | BookmarkEvent)[] };

export interface WatchState<O> {
  /** Current request, which is repeated after a failure. */
  readonly goal: Extract<Action, { readonly type: 'list' | 'watch' }>;
  readonly pages: Pieces<O> | undefined;
  readonly stream: StreamHistory | undefined;
  readonly backoff: Backoff | undefined;
  /** Number of consecutive failures. */
  readonly attempts: number;
  /** Number of consecutive malformed responses. */
  readonly malformed: number;
  readonly timing: Timing;
}

export interface WatchConditions {
  readonly resourceVersion?: string | undefined;
  readonly pageSize?: number;
  /** Default: the default policy. */
  readonly timing?: Timing | undefined;
}

const defaultPageSize = 500;

/**
 * Creates the state machine of a watch from `resourceVersion`. Without one, or from `'0'` (any version in the
 * cache of the server), it begins with all existing objects. It fails with the error of the server if a retry
 * cannot succeed; `isExpired` matches that error if the history is lost.
 */
export function watchMachine<O extends Versioned>(
  conditions: WatchConditions,
): Machine<WatchState<O>, O, WatchOutput<O>> {
  const { resourceVersion, pageSize = defaultPageSize, timing = defaultTiming } = conditions;
  const firstPage: ListParams =
    resourceVersion === '0' ? { limit: pageSize, resourceVersion } : { limit: pageSize };
  const lists = resourceVersion === undefined || resourceVersion === '' || resourceVersion === '0';
  return {
    initial: {
      goal: lists ? { type: 'list', params: firstPage } : watchFrom(resourceVersion),
      pages: undefined,
      stream: undefined,
      backoff: freshBackoff,
      attempts: 0,
      malformed: 0,
      timing,
    },
    step: (state, input, now) => step(state, input, now),
  };
}

/** Members of an object that the machine uses. */
interface Versioned {
  readonly metadata: { readonly resourceVersion: string };
}

type WatchStep<O> = Step<WatchState<O>, WatchOutput<O>>;

function step<O extends Versioned>(state: WatchState<O>, input: Input<O>, now: number): WatchStep<O> {
  switch (input.type) {
    case 'start':
    case 'elapsed':
      return { state, outputs: [], next: state.goal };
    case 'listed':
      return listed(state, input.items, input.metadata);
    case 'opened':
      return {
        state: { ...state, stream: { openedAt: now, hasEvents: false } },
        outputs: [],
        next: { type: 'read' },
      };
    case 'events':
      return received(state, input.events, now);
    case 'ended':
      return ended(state, now);
    case 'unsupportedFormat':
      return { state: { ...state, stream: undefined }, outputs: [], next: state.goal };
    case 'failed':
      return failed(state, input.error, now);
  }
}

function listed<O>(state: WatchState<O>, items: readonly O[], metadata: ListMeta): WatchStep<O> {
  const pages: Pieces<O> = { piece: items, before: state.pages };
  const healthy = { ...state, backoff: freshBackoff, attempts: 0, malformed: 0 };
  if (metadata.continue) {
    const params: ListParams = { ...pageLimit(state.goal), continue: metadata.continue };
    const goal: Action = { type: 'list', params };
    return { state: { ...healthy, goal, pages }, outputs: [], next: goal };
  }
  const resourceVersion = metadata.resourceVersion ?? '';
  const goal = watchFrom(resourceVersion);
  return {
    state: { ...healthy, goal, pages: undefined },
    outputs: [{ type: 'listed', items: gather(pages), resourceVersion }],
    next: goal,
  };
}

function received<O extends Versioned>(
  state: WatchState<O>,
  received: readonly StreamEvent<O>[],
  now: number,
): WatchStep<O> {
  const { events, error } = untilError(received);
  const last = events.at(-1);
  const after: WatchState<O> =
    last === undefined
      ? state
      : {
          ...state,
          goal: watchFrom(last.object.metadata.resourceVersion),
          stream: state.stream && { ...state.stream, hasEvents: true },
          backoff: freshBackoff,
          attempts: 0,
          malformed: 0,
        };
  const outputs: WatchOutput<O>[] = last === undefined ? [] : [{ type: 'events', events }];
  if (error === undefined) return { state: after, outputs, next: { type: 'read' } };
  return { ...failed(after, error, now), outputs };
}

function ended<O>(state: WatchState<O>, now: number): WatchStep<O> {
  if (state.stream !== undefined && wasTooShort(state.stream, now, state.timing))
    return delayed(state, 0, now);
  return { state: { ...state, stream: undefined }, outputs: [], next: state.goal };
}

function failed<O>(before: WatchState<O>, error: unknown, now: number): WatchStep<O> {
  const worked = before.stream !== undefined && !wasTooShort(before.stream, now, before.timing);
  const state = worked ? { ...before, backoff: freshBackoff, attempts: 0 } : before;
  const fail: WatchStep<O> = { state, outputs: [], next: { type: 'fail', error } };
  switch (classify(error)) {
    case 'transient':
    case 'ahead':
      return delayed(state, retryAfterMs(error, state.timing), now, {
        error,
        dropped: worked && !isApiError(error),
      });
    case 'expired':
      return startOver(state) ?? fail;
    case 'malformed': {
      const malformed = state.malformed + 1;
      return malformed < state.timing.malformedLimit
        ? delayed({ ...state, malformed }, 0, now, { error })
        : fail;
    }
    case 'absent':
    case 'refused':
    case 'closed':
    case 'broken':
      return fail;
  }
}

/** The continue token has expired: lists everything in one response, which cannot expire. */
function startOver<O>(state: WatchState<O>): WatchStep<O> | undefined {
  const { goal } = state;
  if (goal.type !== 'list' || goal.params.continue === undefined) return undefined;
  const full: WatchState<O>['goal'] = { type: 'list', params: {} };
  return { state: { ...state, goal: full, pages: undefined }, outputs: [], next: full };
}

/** `failure` is absent if a stream ended too early without an error. */
function delayed<O>(
  state: WatchState<O>,
  atLeastMs: number,
  now: number,
  failure?: Omit<Retry, 'attempt'>,
): WatchStep<O> {
  const backoff = nextBackoff(state.backoff, now, state.timing.backoff);
  const { delayMs } = backoff;
  const attempts = failure === undefined ? state.attempts : state.attempts + 1;
  const retry = failure === undefined ? {} : { retry: { ...failure, attempt: attempts } };
  return {
    state: { ...state, stream: undefined, backoff, attempts },
    outputs: [],
    next: { type: 'wait', ms: Math.max(delayMs, atLeastMs), jitterMs: delayMs, ...retry },
  };
}

function watchFrom(resourceVersion: string): WatchState<never>['goal'] {
  return { type: 'watch', params: { resourceVersion, allowWatchBookmarks: true } };
}

function pageLimit(goal: Action): ListParams {
  return goal.type === 'list' && goal.params.limit !== undefined ? { limit: goal.params.limit } : {};
}
