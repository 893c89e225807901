import type { ListMeta } from '../meta.ts';
import type { StoredObject } from '../types.ts';
import { freshBackoff } from '../watch/backoff.ts';
import type { BookmarkEvent } from '../watch/events.ts';
import {
  type Input,
  type Machine,
  type ObjectEvent,
  type StreamEvent,
  untilError,
  wasTooShort,
} from '../watch/machine.ts';
import { gather } from '../watch/pieces.ts';
import { keyOf } from './key.ts';
import { failed } from './reflector-failures.ts';
import { again, beginRound, follow, list, pause } from './reflector-requests.ts';
import type {
  Following,
  Initial,
  Listing,
  ReflectorConditions,
  ReflectorOutput,
  ReflectorState,
  ReflectorStep,
} from './reflector-state.ts';
import { isNotNewer } from './versions.ts';

/** Marks the bookmark that ends a streamed state. */
const END_OF_BURST = 'k8s.io/initial-events-end';

/** The machine of a reflector. Every failure is handed out, waited for and tried again; it fails only once the client is closed. */
export function reflectorMachine<O extends StoredObject>(
  conditions: ReflectorConditions = {},
): Machine<ReflectorState<O>, O, ReflectorOutput<O>> {
  return {
    initial: {
      phase: { name: 'follow', stream: undefined },
      resourceVersion: conditions.resourceVersion,
      unavailable: false,
      paginates: false,
      streamFailures: 0,
      backoff: freshBackoff,
      attempts: 0,
      absences: 0,
      afterWait: 'round',
      streaming: conditions.streaming ?? true,
    },
    step: reflectorStep,
  };
}

function reflectorStep<O extends StoredObject>(
  state: ReflectorState<O>,
  input: Input<O>,
  now: number,
): ReflectorStep<O> {
  switch (input.type) {
    case 'start':
      return beginRound(state);
    case 'elapsed':
      return state.afterWait === 'again' ? again(state) : beginRound(state);
    case 'listed':
      return listed(state, input.items, input.metadata);
    case 'opened':
      return opened(state, now);
    case 'events':
      return received(state, input.events, now);
    case 'ended':
      return ended(state, now);
    case 'failed':
      return failed(state, input.error, now);
  }
}

function listed<O>(state: ReflectorState<O>, items: readonly O[], metadata: ListMeta): ReflectorStep<O> {
  if (state.phase.name !== 'list') return again(state);
  const { phase } = state;
  const pages = { piece: items, before: phase.pages };
  const resourceVersion = phase.resourceVersion ?? metadata.resourceVersion ?? '';
  const answered = { ...state, backoff: freshBackoff, attempts: 0 };
  if (metadata.continue) return nextPage(answered, { ...phase, pages, resourceVersion }, metadata.continue);
  const step = follow(settled(answered, resourceVersion));
  return { ...step, outputs: [{ type: 'replace', items: gather(pages), resourceVersion }] };
}

/** Pages after the first name no version: the token does. */
function nextPage<O>(state: ReflectorState<O>, phase: Listing<O>, token: string): ReflectorStep<O> {
  const { limit } = phase.goal.params;
  const goal = {
    type: 'list',
    params: { ...(limit !== undefined && { limit }), continue: token },
  } as const;
  const paginates = state.paginates || phase.first.resourceVersion === '0';
  return { state: { ...state, paginates, phase: { ...phase, goal } }, outputs: [], next: goal };
}

/** The state is known. */
function settled<O>(state: ReflectorState<O>, resourceVersion: string): ReflectorState<O> {
  return {
    ...state,
    resourceVersion,
    unavailable: false,
    streamFailures: 0,
    backoff: freshBackoff,
    attempts: 0,
    absences: 0,
  };
}

function opened<O>(state: ReflectorState<O>, now: number): ReflectorStep<O> {
  const phase: ReflectorState<O>['phase'] =
    state.phase.name === 'initial'
      ? { ...state.phase, openedAt: now }
      : { name: 'follow', stream: { openedAt: now, spoke: false } };
  return { state: { ...state, phase }, outputs: [], next: { type: 'read' } };
}

function received<O extends StoredObject>(
  state: ReflectorState<O>,
  all: readonly StreamEvent<O>[],
  now: number,
): ReflectorStep<O> {
  const { events, error } = untilError(all);
  const { phase } = state;
  const step = phase.name === 'initial' ? burst(state, phase, events, now) : changes(state, phase, events);
  if (error === undefined || step.next.type !== 'read') return step;
  const after = failed(step.state, error, now);
  return { ...after, outputs: [...step.outputs, ...after.outputs] };
}

function burst<O extends StoredObject>(
  state: ReflectorState<O>,
  phase: Initial<O>,
  events: readonly (ObjectEvent<O> | BookmarkEvent)[],
  now: number,
): ReflectorStep<O> {
  const end = events.findIndex((event) => event.type === 'BOOKMARK');
  const before = events.slice(0, end === -1 ? events.length : end).filter(isObjectEvent);
  const pieces = { piece: before, before: phase.events };
  const bookmark = events[end];
  if (bookmark === undefined) {
    return { state: { ...state, phase: { ...phase, events: pieces } }, outputs: [], next: { type: 'read' } };
  }
  // A server that streams the state sends no other bookmark before its end: this one only follows changes.
  if (!endsBurst(bookmark)) return list(state);
  const { resourceVersion } = bookmark.object.metadata;
  const known = settled(state, resourceVersion);
  const following: Following = { name: 'follow', stream: { openedAt: phase.openedAt ?? now, spoke: true } };
  const items = foldBurst(gather(pieces));
  const rest = changes({ ...known, phase: following }, following, events.slice(end + 1));
  return { ...rest, outputs: [{ type: 'replace', items, resourceVersion }, ...rest.outputs] };
}

function changes<O extends StoredObject>(
  state: ReflectorState<O>,
  phase: Exclude<ReflectorState<O>['phase'], Initial<O>>,
  events: readonly (ObjectEvent<O> | BookmarkEvent)[],
): ReflectorStep<O> {
  const read = { type: 'read' } as const;
  const last = events.at(-1);
  if (last === undefined || phase.name === 'list') return { state, outputs: [], next: read };
  const { fresh, resourceVersion } = sift(events, state.resourceVersion ?? '');
  const objects = fresh.filter(isObjectEvent);
  const next: ReflectorState<O> = {
    ...state,
    resourceVersion,
    phase: { ...phase, stream: phase.stream && { ...phase.stream, spoke: true } },
    backoff: freshBackoff,
    attempts: 0,
  };
  const change = {
    type: 'change',
    events: objects,
    resourceVersion,
    stale: events.filter(isObjectEvent).length - objects.length,
  } as const;
  return { state: next, outputs: [change], next: read };
}

/**
 * Leaves out what a server or a proxy sends twice. A watch that was opened without a version repeats everything, in no
 * order: there nothing is left out, the store sees what is new.
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

function ended<O>(state: ReflectorState<O>, now: number): ReflectorStep<O> {
  const { phase } = state;
  if (phase.name !== 'follow') return list(state);
  if (phase.stream !== undefined && wasTooShort(phase.stream, now)) return pause(state, 'again', now);
  if (state.resourceVersion !== '') return follow({ ...state, backoff: freshBackoff, attempts: 0 });
  // Without a version there is nothing to resume from.
  const round = beginRound(state);
  return { ...round, outputs: [{ type: 'relist', reason: 'expired' }] };
}

/** The last state of each object in a burst: one that changes while it is sent comes twice. */
function foldBurst<O extends StoredObject>(events: readonly ObjectEvent<O>[]): O[] {
  const objects = new Map<string, O>();
  for (const { type, object } of events) {
    if (type === 'DELETED') objects.delete(keyOf(object));
    else objects.set(keyOf(object), object);
  }
  return [...objects.values()];
}

function endsBurst(event: ObjectEvent<unknown> | BookmarkEvent): event is BookmarkEvent {
  return event.type === 'BOOKMARK' && event.object.metadata.annotations?.[END_OF_BURST] === 'true';
}

function isObjectEvent<O>(event: ObjectEvent<O> | BookmarkEvent): event is ObjectEvent<O> {
  return event.type !== 'BOOKMARK';
}
