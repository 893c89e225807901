import { TimeoutError, TransportError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { StoredObject } from '../../api/types.ts';
import { type BookmarkEvent, initialEventsEnd } from '../../api/watch-events.ts';
import { defaultTiming } from '../../common/timing.ts';
import { freshBackoff } from '../../watch/machine/backoff.ts';
import {
  type Input,
  type Machine,
  type ObjectEvent,
  type StreamEvent,
  untilError,
  wasTooShort,
} from '../../watch/machine/machine-types.ts';
import { isNotNewer, isOlder } from '../versions.ts';
import { failed, knowsVersion, resume } from './reflector-failures.ts';
import { after, again, beginRound, follow, list, proceed } from './reflector-requests.ts';
import type {
  Following,
  Initial,
  Listing,
  ReflectorConditions,
  ReflectorOutput,
  ReflectorState,
  ReflectorStep,
} from './reflector-state.ts';

/**
 * Creates the state machine of a reflector. Every failure is output and retried after a delay; the machine
 * fails only if the client is closed.
 */
export function reflectorMachine<O extends StoredObject>(
  conditions: ReflectorConditions = {},
): Machine<ReflectorState, O, ReflectorOutput<O>> {
  return {
    initial: {
      phase: { name: 'follow', stream: undefined },
      resourceVersion: conditions.resourceVersion,
      unavailable: false,
      expired: undefined,
      paginates: false,
      streamFailures: 0,
      backoff: freshBackoff,
      rounds: freshBackoff,
      attempts: 0,
      notFoundCount: 0,
      refusals: 0,
      emptyFailures: 0,
      afterWait: 'round',
      streaming: conditions.streaming ?? true,
      timing: conditions.timing ?? defaultTiming,
    },
    step: reflectorStep,
  };
}

function reflectorStep<O extends StoredObject>(
  state: ReflectorState,
  input: Input<O>,
  now: number,
): ReflectorStep<O> {
  switch (input.type) {
    case 'start':
      return beginRound(state);
    case 'elapsed':
      return proceed(state);
    case 'listed':
      return listed(state, input);
    case 'opened':
      return opened(state, now);
    case 'events':
      return received(state, input.events, now);
    case 'ended':
      return ended(state, input.operation, now);
    case 'unsupportedFormat':
      return unsupportedFormat(state, now);
    case 'failed':
      return failed(state, input.error, now);
  }
}

function listed<O>(
  state: ReflectorState,
  { items, metadata, unreadable = [] }: Extract<Input<O>, { readonly type: 'listed' }>,
): ReflectorStep<O> {
  const { phase } = state;
  if (phase.name !== 'list') return again(state);
  const resourceVersion = phase.resourceVersion ?? metadata.resourceVersion ?? '';
  if (goesBack(state, resourceVersion)) return list({ ...state, unavailable: true });
  const outputs: ReflectorOutput<O>[] = [];
  if (items.length > 0) outputs.push({ type: 'gather', events: items.map(asAdded) });
  if (unreadable.length > 0) outputs.push({ type: 'keep', items: unreadable });
  if (metadata.continue) return nextPage(state, { ...phase, resourceVersion }, metadata.continue, outputs);
  outputs.push({ type: 'replace', resourceVersion });
  return after(outputs, follow(settled(state, resourceVersion)));
}

function asAdded<O>(object: O): ObjectEvent<O> {
  return { type: 'ADDED', object };
}

/** Pages after the first are requested without a version, because the continue token contains it. */
function nextPage<O>(
  state: ReflectorState,
  phase: Listing,
  token: string,
  outputs: readonly ReflectorOutput<O>[],
): ReflectorStep<O> {
  const { limit } = phase.goal.params;
  const goal = {
    type: 'list',
    params: { ...(limit !== undefined && { limit }), continue: token },
  } as const;
  const paginates = state.paginates || phase.first.resourceVersion === '0';
  const afterPage = { ...state, paginates, backoff: freshBackoff, attempts: 0, notFoundCount: 0 };
  return { state: { ...afterPage, phase: { ...phase, goal } }, outputs, next: goal };
}

/** Returns the state after the whole state has arrived. */
function settled(state: ReflectorState, resourceVersion: string): ReflectorState {
  return {
    ...state,
    resourceVersion,
    unavailable: false,
    backoff: freshBackoff,
    attempts: 0,
    notFoundCount: 0,
    refusals: 0,
    emptyFailures: 0,
  };
}

/** Returns whether a state is older than the last version, in violation of the guarantees of the API. */
function goesBack(state: ReflectorState, version: string): boolean {
  const { resourceVersion = '' } = state;
  return knowsVersion(state) && isOlder(version, resourceVersion);
}

function opened<O>(state: ReflectorState, now: number): ReflectorStep<O> {
  const phase: ReflectorState['phase'] =
    state.phase.name === 'initial'
      ? { ...state.phase, openedAt: now }
      : { name: 'follow', stream: { openedAt: now, hasEvents: false } };
  return { state: { ...state, phase, refusals: 0 }, outputs: [], next: { type: 'read' } };
}

function received<O extends StoredObject>(
  state: ReflectorState,
  all: readonly StreamEvent<O>[],
  now: number,
): ReflectorStep<O> {
  const { events, error } = untilError(all);
  const { phase } = state;
  const step = phase.name === 'initial' ? burst(state, phase, events, now) : changes(state, events);
  if (error === undefined || step.next.type !== 'read') return step;
  return after(step.outputs, failed(step.state, error, now));
}

function burst<O extends StoredObject>(
  state: ReflectorState,
  phase: Initial,
  events: readonly (ObjectEvent<O> | BookmarkEvent)[],
  now: number,
): ReflectorStep<O> {
  const end = events.findIndex((event) => event.type === 'BOOKMARK');
  const piece = events.slice(0, end === -1 ? events.length : end).filter(isObjectEvent);
  const outputs: ReflectorOutput<O>[] = piece.length === 0 ? [] : [{ type: 'gather', events: piece }];
  const bookmark = events[end];
  if (bookmark === undefined) {
    return isEndless(state, phase, now)
      ? after(outputs, endless(state))
      : { state, outputs, next: { type: 'read' } };
  }
  // A server that streams the state sends no other bookmark before its end: this server does not support it
  // and only sends changes.
  if (!endsBurst(bookmark)) return list(state);
  const { resourceVersion } = bookmark.object.metadata;
  if (goesBack(state, resourceVersion)) return list({ ...state, unavailable: true });
  outputs.push({ type: 'replace', resourceVersion });
  const following: Following = {
    name: 'follow',
    stream: { openedAt: phase.openedAt ?? now, hasEvents: true },
  };
  const known = { ...settled(state, resourceVersion), phase: following };
  return after(outputs, changes(known, events.slice(end + 1)));
}

/** Returns whether the server has had the time to stream the whole state. */
function isEndless({ timing }: ReflectorState, { openedAt }: Initial, now: number): boolean {
  return openedAt !== undefined && now - openedAt > timing.stateMs;
}

/** Reports a streamed state that does not end, and lists the state in its place. */
function endless<O>(state: ReflectorState): ReflectorStep<O> {
  const { attempts, timing } = state;
  const message = `the streamed state did not end within ${timing.stateMs / 1000} s, and is listed instead`;
  const attempt = attempts + 1;
  const error = new TimeoutError(message);
  return after([{ type: 'failure', error, attempt }], list({ ...state, attempts: attempt }));
}

function changes<O extends StoredObject>(
  state: ReflectorState,
  events: readonly (ObjectEvent<O> | BookmarkEvent)[],
): ReflectorStep<O> {
  const { phase } = state;
  if (events.length === 0 || phase.name !== 'follow') return { state, outputs: [], next: { type: 'read' } };
  const { fresh, resourceVersion } = sift(events, state.resourceVersion ?? '');
  const objects = fresh.filter(isObjectEvent);
  const received = events.filter(isObjectEvent).length;
  const next: ReflectorState = {
    ...state,
    resourceVersion,
    phase: { ...phase, stream: phase.stream && { ...phase.stream, hasEvents: true } },
    backoff: freshBackoff,
    attempts: 0,
    emptyFailures: 0,
  };
  const change = {
    type: 'change',
    events: objects,
    resourceVersion,
    bookmarks: events.length - received,
    stale: received - objects.length,
  } as const;
  return { state: next, outputs: [change], next: { type: 'read' } };
}

/**
 * Removes duplicates that a server or a proxy sends. A watch without a version repeats everything in no
 * particular order: then nothing is removed here, and the store detects new states.
 */
function sift<O extends StoredObject>(
  events: readonly (ObjectEvent<O> | BookmarkEvent)[],
  since: string,
): { readonly fresh: readonly (ObjectEvent<O> | BookmarkEvent)[]; readonly resourceVersion: string } {
  if (since === '') return { fresh: events, resourceVersion: since };
  let resourceVersion = since;
  const fresh = events.filter((event) => {
    const version = event.object.metadata.resourceVersion;
    if (isNotNewer(version, resourceVersion)) return false;
    resourceVersion = version;
    return true;
  });
  return { fresh, resourceVersion };
}

function ended<O>(
  state: ReflectorState,
  operation: RequestOperation | undefined,
  now: number,
): ReflectorStep<O> {
  const { phase } = state;
  if (phase.name !== 'follow') {
    return failed(
      state,
      new TransportError('the stream ended before the state was complete', operation),
      now,
    );
  }
  if (phase.stream !== undefined && wasTooShort(phase.stream, now, state.timing)) {
    return resume(state, now, new TransportError('the stream ended at once, without any event', operation));
  }
  const rested = { ...state, backoff: freshBackoff, attempts: 0 };
  return state.resourceVersion === '' ? resume(rested, now, undefined) : follow(rested);
}

/** The next response continues at the point up to which this one could be decoded. */
function unsupportedFormat<O>(state: ReflectorState, now: number): ReflectorStep<O> {
  const lost = state.phase.name === 'follow' && state.resourceVersion === '';
  return lost ? resume(state, now, undefined) : again(state);
}

function endsBurst(event: ObjectEvent<unknown> | BookmarkEvent): event is BookmarkEvent {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[initialEventsEnd] === 'true';
}

function isObjectEvent<O>(event: ObjectEvent<O> | BookmarkEvent): event is ObjectEvent<O> {
  return event.type !== 'BOOKMARK';
}
