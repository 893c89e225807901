/**
 * One logical watch, over as many requests as it takes. Without a version to start from it lists first: the list is
 * gathered whole before anything is handed out, so that a failure in the middle can start over without duplicates.
 */
import { isApiError } from '../errors.ts';
import type { ListMeta } from '../meta.ts';
import { type Backoff, freshBackoff, nextDelay } from './backoff.ts';
import type { BookmarkEvent } from './events.ts';
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
} from './machine.ts';
import { gather, type Pieces } from './pieces.ts';
import type { ListParams } from './source.ts';

/** What a logical watch hands out. */
export type WatchOutput<O> =
  /** Everything that exists at `resourceVersion`: once, first, and only when no version to start from was given. */
  | { readonly type: 'listed'; readonly items: readonly O[]; readonly resourceVersion: string }
  | { readonly type: 'events'; readonly events: readonly (ObjectEvent<O> | BookmarkEvent)[] };

export interface WatchState<O> {
  /** What is asked for now, and again after a failure. */
  readonly goal: Extract<Action, { type: 'list' | 'watch' }>;
  readonly pages: Pieces<O> | undefined;
  readonly stream: StreamHistory | undefined;
  readonly backoff: Backoff;
  /** Failures in a row. */
  readonly attempts: number;
  /** Unreadable answers in a row. */
  readonly garbled: number;
}

export interface WatchConditions {
  readonly resourceVersion?: string | undefined;
  readonly pageSize?: number;
}

/** Of an unreadable answer another try is worth while, of a third one in a row not. */
const GARBLED_LIMIT = 3;
const PAGE_SIZE = 500;

/**
 * The machine of a watch from `resourceVersion`; without one, or from `'0'` (any version that the server has in its
 * cache), it begins with everything that exists. It fails with the server's error where waiting would not help; then
 * `isExpired` tells that the history is gone.
 */
export function watchMachine<O extends Versioned>(
  conditions: WatchConditions,
): Machine<WatchState<O>, O, WatchOutput<O>> {
  const { resourceVersion, pageSize = PAGE_SIZE } = conditions;
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
      garbled: 0,
    },
    step: (state, input, now) => step(state, input, now),
  };
}

/** The least that the machine knows of an object. */
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
        state: { ...state, stream: { openedAt: now, spoke: false } },
        outputs: [],
        next: { type: 'read' },
      };
    case 'events':
      return received(state, input.events, now);
    case 'ended':
      return ended(state, now);
    case 'unfit':
      return { state: { ...state, stream: undefined }, outputs: [], next: state.goal };
    case 'failed':
      return failed(state, input.error, now);
  }
}

function listed<O>(state: WatchState<O>, items: readonly O[], metadata: ListMeta): WatchStep<O> {
  const pages: Pieces<O> = { piece: items, before: state.pages };
  const healthy = { ...state, backoff: freshBackoff, attempts: 0, garbled: 0 };
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
          stream: state.stream && { ...state.stream, spoke: true },
          backoff: freshBackoff,
          attempts: 0,
          garbled: 0,
        };
  const outputs: WatchOutput<O>[] = last === undefined ? [] : [{ type: 'events', events }];
  if (error === undefined) return { state: after, outputs, next: { type: 'read' } };
  return { ...failed(after, error, now), outputs };
}

function ended<O>(state: WatchState<O>, now: number): WatchStep<O> {
  if (state.stream !== undefined && wasTooShort(state.stream, now)) return delayed(state, 0, now);
  return { state: { ...state, stream: undefined }, outputs: [], next: state.goal };
}

function failed<O>(before: WatchState<O>, error: unknown, now: number): WatchStep<O> {
  const worked = before.stream !== undefined && !wasTooShort(before.stream, now);
  const state = worked ? { ...before, backoff: freshBackoff, attempts: 0 } : before;
  const fail: WatchStep<O> = { state, outputs: [], next: { type: 'fail', error } };
  switch (classify(error)) {
    case 'transient':
    case 'ahead':
      return delayed(state, retryAfterMs(error), now, { error, dropped: worked && !isApiError(error) });
    case 'expired':
      return startOver(state) ?? fail;
    case 'garbled': {
      const garbled = state.garbled + 1;
      return garbled < GARBLED_LIMIT ? delayed({ ...state, garbled }, 0, now, { error }) : fail;
    }
    case 'absent':
    case 'refused':
    case 'closed':
    case 'broken':
      return fail;
  }
}

/** The token of a page has expired: lists everything in one answer, which cannot expire. */
function startOver<O>(state: WatchState<O>): WatchStep<O> | undefined {
  const { goal } = state;
  if (goal.type !== 'list' || goal.params.continue === undefined) return undefined;
  const full: WatchState<O>['goal'] = { type: 'list', params: {} };
  return { state: { ...state, goal: full, pages: undefined }, outputs: [], next: full };
}

/** `failure` is absent where a stream ended in order, only too soon. */
function delayed<O>(
  state: WatchState<O>,
  atLeastMs: number,
  now: number,
  failure?: Omit<Retry, 'attempt'>,
): WatchStep<O> {
  const { delayMs, backoff } = nextDelay(state.backoff, now);
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
