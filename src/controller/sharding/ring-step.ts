/**
 * State machine of one member of a ring. Three rules make it safe, whatever members know of each other:
 * - A member publishes a claim in its Lease, and lists all Leases afterwards. It owns the slot only if this
 *   list contains its own claim, and no other one.
 * - It removes a claim only after the runs of the slot have ended.
 * - Others remove its claims only after its validity has ended, and by a write of its Lease: then its next
 *   renewal fails. A suspended machine, whose monotonic clock stands still, would not notice it otherwise.
 *
 * Of two members that claim a slot, the later claim is written before its list and after the earlier claim:
 * the list contains both. Which member claims a slot is decided by rendezvous hashing.
 */
import type { MemberLease } from './member-lease.ts';
import type {
  MemberSlots,
  MembershipEnd,
  ObservedLease,
  RingEffect,
  RingInput,
  RingState,
  RingStep,
  RingTiming,
} from './ring-types.ts';
import { assignedSlots, noSlots, type SlotSet, without } from './slots.ts';

/** Time after the end of a Lease until it is deleted, in milliseconds. */
const forgetMs = 60_000;
/** Random extension of the delay between two renewals, as a multiple of the delay. */
const jitterFactor = 0.1;

/** State before the first step. */
export const initialMember: RingState = {
  phase: 'joining',
  isLeaving: false,
  pending: undefined,
  hasFailed: false,
  renewedAt: 0,
  own: undefined,
  others: new Map(),
  owned: noSlots,
  draining: noSlots,
  claiming: noSlots,
};

/** Returns the time at which the input `deadline` is due; `undefined` if the state has no deadline. */
export function deadlineOf({ phase, renewedAt }: RingState, timing: RingTiming): number | undefined {
  return phase === 'member' || phase === 'releasing' ? renewedAt + timing.renewDeadlineMs : undefined;
}

/** Returns the number of members that may be valid, this one included, as of the last list. */
export function memberCount({ phase, others }: RingState, now: number): number {
  const live = [...others.values()].filter((other) => !other.isDeleted && isLive(other, now));
  return live.length + (phase === 'member' ? 1 : 0);
}

/** Returns the state after an input at `now`, and the actions of the driver. */
export function ringStep(state: RingState, input: RingInput, now: number, timing: RingTiming): RingStep {
  if (state.phase === 'ended') return { state, effects: [] };
  const deadline = deadlineOf(state, timing);
  if (deadline !== undefined && now >= deadline) {
    if (state.phase === 'releasing' || input.type === 'end') return closeAndEnd(state, 'expired');
    return close(state, 'expired', now, timing);
  }
  switch (input.type) {
    case 'start':
    case 'elapsed':
      return attempt(state, now);
    case 'deadline':
      return { state, effects: [] };
    case 'lost':
      return state.phase === 'member' ? close(state, 'expired', now, timing) : { state, effects: [] };
    case 'drained':
      return drained(state, input.slots, now);
    case 'leave':
      return leave(state, now);
    case 'end':
      return end(state, now);
    case 'failed':
      return failed(state, now, timing);
    case 'expelled':
      return list(state, now);
    case 'written':
      return written(state, input.lease, now, timing);
    case 'listed':
      return listed(state, input.leases, now, timing);
  }
}

/**
 * Ends a membership without a write, and begins to join again: after an expiry at once, since the member may
 * have been suspended. Another process that uses the Lease is given time.
 */
function close(state: RingState, cause: MembershipEnd, now: number, timing: RingTiming): RingStep {
  const lost: RingState = {
    ...state,
    phase: 'joining',
    pending: undefined,
    hasFailed: false,
    owned: noSlots,
    draining: noSlots,
    claiming: noSlots,
  };
  const next = cause === 'expired' ? list(lost, now) : pause(lost, timing);
  return { state: next.state, effects: [...abortOf(state), { type: 'closed', end: cause }, ...next.effects] };
}

function abortOf({ pending }: RingState): readonly RingEffect[] {
  return pending === undefined ? [] : [{ type: 'abort' }];
}

function closeAndEnd(state: RingState, cause: MembershipEnd): RingStep {
  const closed: readonly RingEffect[] = state.phase === 'member' ? [{ type: 'closed', end: cause }] : [];
  return {
    state: {
      ...state,
      phase: 'ended',
      pending: undefined,
      owned: noSlots,
      draining: noSlots,
      claiming: noSlots,
    },
    effects: [...abortOf(state), ...closed, { type: 'ended' }],
  };
}

function pause(state: RingState, { retryPeriodMs }: RingTiming): RingStep {
  return {
    state: { ...state, pending: undefined, hasFailed: false },
    effects: [{ type: 'wait', ms: retryPeriodMs, jitterMs: retryPeriodMs * jitterFactor }],
  };
}

/** Begins a renewal, or the next attempt to join, unless a request is in progress. */
function attempt(state: RingState, now: number): RingStep {
  if (state.pending !== undefined) return { state, effects: [] };
  return state.phase === 'member' ? write(state, now) : list(state, now);
}

function list(state: RingState, now: number): RingStep {
  return { state: { ...state, pending: { type: 'list', startedAt: now } }, effects: [{ type: 'list' }] };
}

/** Writes the Lease with all claims. */
function write(state: RingState, now: number): RingStep {
  const { own: base, isLeaving } = state;
  const change = { claims: claimsOf(state), isLeaving, isReleased: state.phase === 'releasing' };
  return {
    state: { ...state, pending: { type: 'write', startedAt: now } },
    effects: [{ type: 'write', base, change }],
  };
}

function claimsOf({ owned, draining, claiming }: RingState): SlotSet {
  return owned | draining | claiming;
}

/** Publishes the release of slots at once. */
function drained(state: RingState, slots: SlotSet, now: number): RingStep {
  const draining = without(state.draining, slots);
  if (draining === state.draining) return { state, effects: [] };
  const next: RingState = { ...state, draining };
  const { state: after, effects } = attempt(next, now);
  return { state: after, effects: [slotsEffect(next), ...effects] };
}

function leave(state: RingState, now: number): RingStep {
  if (state.isLeaving) return { state, effects: [] };
  const { owned, draining } = state;
  const leaving: RingState = {
    ...state,
    isLeaving: true,
    owned: noSlots,
    draining: owned | draining,
    claiming: noSlots,
  };
  if (state.phase !== 'member') return { state: leaving, effects: [] };
  const { state: next, effects } = attempt(leaving, now);
  return { state: next, effects: [slotsEffect(leaving), ...effects] };
}

/** Releases the Lease, after a list that contains its last version. A second end does not wait for that. */
function end(state: RingState, now: number): RingStep {
  if (state.phase === 'releasing') return closeAndEnd(state, 'stopped');
  const hasLease = state.own !== undefined || state.pending?.type === 'write';
  if (!hasLease) return closeAndEnd(state, 'stopped');
  const closed: readonly RingEffect[] = state.phase === 'member' ? [{ type: 'closed', end: 'stopped' }] : [];
  const releasing: RingState = {
    ...state,
    phase: 'releasing',
    renewedAt: now,
    hasFailed: false,
    owned: noSlots,
    draining: noSlots,
    claiming: noSlots,
  };
  const next = list(releasing, now);
  return { state: next.state, effects: [...closed, ...abortOf(state), ...next.effects] };
}

/** A write without a response may have been executed: the list shows the Lease. */
function failed(state: RingState, now: number, timing: RingTiming): RingStep {
  const idle: RingState = { ...state, pending: undefined };
  return state.pending?.type === 'list' ? pause(idle, timing) : list({ ...idle, hasFailed: true }, now);
}

function written(state: RingState, lease: MemberLease, now: number, timing: RingTiming): RingStep {
  const startedAt = state.pending?.startedAt ?? now;
  const idle: RingState = { ...state, pending: undefined, own: lease };
  if (state.phase === 'releasing') return closeAndEnd(idle, 'stopped');
  // The response may arrive after the validity that it proves.
  if (now >= startedAt + timing.renewDeadlineMs) return pause(idle, timing);
  const joined: readonly RingEffect[] = state.phase === 'joining' ? [{ type: 'joined' }] : [];
  const next = list({ ...idle, phase: 'member', renewedAt: startedAt }, now);
  return { state: next.state, effects: [...joined, { type: 'renewed', startedAt }, ...next.effects] };
}

function listed(
  before: RingState,
  leases: readonly MemberLease[],
  now: number,
  timing: RingTiming,
): RingStep {
  const own = leases.find(({ name }) => name === timing.lease);
  // Others may have released it.
  const isOwn = own?.process === timing.process && own.identity !== '';
  const state: RingState = { ...before, pending: undefined, others: observed(before, leases, now, timing) };
  switch (state.phase) {
    case 'member':
      return isOwn
        ? decide({ ...state, own }, own.claims, now, timing)
        : close(state, 'replaced', now, timing);
    case 'joining':
      return join(state, own, now, timing);
    default:
      return release({ ...state, own }, isOwn, now, timing);
  }
}

/** Records the listed Leases of others, and of another process with the own identity. */
function observed(
  { others }: RingState,
  leases: readonly MemberLease[],
  now: number,
  { process }: RingTiming,
): ReadonlyMap<string, ObservedLease> {
  const next = new Map<string, ObservedLease>();
  for (const lease of leases) {
    if (lease.process === process) continue;
    const known = others.get(lease.name);
    const isChanged = known?.lease.version !== lease.version;
    next.set(lease.name, { lease, observedAt: isChanged ? now : known.observedAt, isDeleted: false });
  }
  for (const [name, known] of others) {
    if (!next.has(name) && isLive(known, now)) next.set(name, { ...known, isDeleted: true });
  }
  return next;
}

/** Returns whether the member may be valid. */
function isLive({ lease, observedAt }: ObservedLease, now: number): boolean {
  return lease.identity !== '' && now < observedAt + lease.durationMs;
}

/** Writes the Lease without claims, unless another process uses it. */
function join(state: RingState, own: MemberLease | undefined, now: number, timing: RingTiming): RingStep {
  const other = state.others.get(timing.lease);
  if (state.hasFailed || (other !== undefined && isLive(other, now))) return pause(state, timing);
  return write({ ...state, own }, now);
}

function release(state: RingState, isOwn: boolean, now: number, timing: RingTiming): RingStep {
  if (!isOwn) return closeAndEnd(state, 'stopped');
  return state.hasFailed ? pause(state, timing) : write(state, now);
}

/** Decides about all slots. `published` are the own claims that the list contains. */
function decide(before: RingState, published: SlotSet, now: number, timing: RingTiming): RingStep {
  const present = [...before.others.values()].filter(({ lease }) => lease.identity !== '');
  const live = present.filter((other) => isLive(other, now));
  const claimed = present.reduce((slots, { lease }) => slots | lease.claims, noSlots);
  const state = { ...before, ...slotsOf(before, { published, claimed, live }, timing) };
  const expired = present.filter((other) => !live.includes(other)).map(({ lease }) => lease);
  const next = request(state, { published, expired }, now, timing);
  const effects = [slotsEffect(state), ...forgotten(state, live, now, timing), ...next.effects];
  return { state: next.state, effects };
}

/** Claims of a list. */
interface ListedClaims {
  /** Own claims. */
  readonly published: SlotSet;
  /** Claims of others, also of expired Leases. */
  readonly claimed: SlotSet;
  readonly live: readonly ObservedLease[];
}

function slotsOf(
  { owned, draining, claiming, isLeaving }: RingState,
  { published, claimed, live }: ListedClaims,
  { identity }: RingTiming,
): MemberSlots {
  const members = live
    .filter(({ lease, isDeleted }) => !isDeleted && !lease.isLeaving)
    .map(({ lease }) => lease.identity);
  const assigned = isLeaving ? noSlots : assignedSlots(identity, members);
  const held = owned | draining;
  const confirmed = without(claiming & published, claimed);
  const nextOwned = (held | confirmed) & assigned;
  return { owned: nextOwned, draining: without(held, assigned), claiming: without(assigned, nextOwned) };
}

/** Publishes changed claims, or releases expired Leases, or waits. */
function request(
  state: RingState,
  { published, expired }: { readonly published: SlotSet; readonly expired: readonly MemberLease[] },
  now: number,
  timing: RingTiming,
): RingStep {
  if (state.hasFailed) return pause(state, timing);
  if (claimsOf(state) !== published) return write(state, now);
  if (expired.length === 0) return pause(state, timing);
  return {
    state: { ...state, pending: { type: 'expel', startedAt: now } },
    effects: [{ type: 'expel', leases: expired }],
  };
}

function slotsEffect({ owned, draining, claiming }: MemberSlots): RingEffect {
  return { type: 'slots', slots: { owned, draining, claiming } };
}

/** One member deletes Leases that were released long ago. */
function forgotten(
  { others }: RingState,
  live: readonly ObservedLease[],
  now: number,
  { lease: own }: RingTiming,
): readonly RingEffect[] {
  if (live.some(({ lease }) => lease.name < own)) return [];
  return [...others.values()]
    .filter(({ lease, observedAt }) => lease.identity === '' && now >= observedAt + forgetMs)
    .map(({ lease }) => ({ type: 'forget', lease }));
}
