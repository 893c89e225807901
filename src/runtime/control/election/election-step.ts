/**
 * State machine of an election with the rules of client-go's `leaderelection`. Differences:
 * - Leadership ends `renewDeadlineMs` after the start of the last successful renewal. client-go begins to
 *   count with the next attempt, `retryPeriodMs` later.
 * - A leader ends at once if the lease has another holder, or none: another process may have led in between.
 * - A candidate does not create a lease again that it saw held by another process, until that would have
 *   expired.
 * - An acquisition whose response was lost is released when the election is stopped.
 */
import type {
  ElectionEffect,
  ElectionInput,
  ElectionState,
  ElectionStep,
  ElectionTiming,
  LeadershipEnd,
} from './election-types.ts';
import type { LeaseChange, LeaseRecord } from './lease.ts';

/** Random extension of the delay between two attempts to acquire a lease, as a multiple of the delay. */
const jitterFactor = 1.2;

/** State before the first step. */
export const initialElection: ElectionState = {
  phase: 'candidate',
  lease: undefined,
  observedAt: 0,
  pending: undefined,
  renewedAt: 0,
  mayHold: false,
  end: undefined,
};

/** Returns the time at which the input `deadline` is due; `undefined` if the state has no deadline. */
export function deadlineOf({ phase, renewedAt }: ElectionState, timing: ElectionTiming): number | undefined {
  return phase === 'leader' || phase === 'releasing' ? renewedAt + timing.renewDeadlineMs : undefined;
}

/** Returns the state after an input at `now`, and the actions of the driver. */
export function electionStep(
  state: ElectionState,
  input: ElectionInput,
  now: number,
  timing: ElectionTiming,
): ElectionStep {
  if (state.phase === 'ended') return { state, effects: [] };
  const deadline = deadlineOf(state, timing);
  if (deadline !== undefined && now >= deadline) {
    return state.phase === 'leader' ? close(state, 'expired') : ended(state);
  }
  switch (input.type) {
    case 'start':
    case 'elapsed':
      return attempt(state, now);
    case 'deadline':
      return { state, effects: [] };
    case 'end':
      return end(state, input.end, input.release, now);
    case 'failed':
      return failed(state, input.conflict, now, timing);
    case 'read':
      return afterRead(state, input.lease, now, timing);
    case 'written':
      return afterWrite(state, input.lease, now, timing);
  }
}

/** Ends leadership without a release. */
function close(state: ElectionState, end: LeadershipEnd): ElectionStep {
  const { state: next, effects } = ended({ ...state, end });
  return { state: next, effects: [{ type: 'closed', end }, ...effects] };
}

function ended(state: ElectionState): ElectionStep {
  const abort: readonly ElectionEffect[] = state.pending === undefined ? [] : [{ type: 'abort' }];
  return {
    state: { ...state, phase: 'ended', pending: undefined },
    effects: [...abort, { type: 'ended', end: state.end ?? 'stopped' }],
  };
}

/** Begins an attempt to acquire, renew or release the lease, unless one is in progress. */
function attempt(state: ElectionState, now: number): ElectionStep {
  if (state.pending !== undefined) return { state, effects: [] };
  if (state.phase === 'leader' && state.lease !== undefined) {
    return write(state, state.lease, { type: 'renew' }, now, true);
  }
  return read(state, now);
}

function read(state: ElectionState, now: number): ElectionStep {
  return {
    state: { ...state, pending: { type: 'read', startedAt: now, fast: false } },
    effects: [{ type: 'read' }],
  };
}

function write(
  state: ElectionState,
  base: LeaseRecord | undefined,
  change: LeaseChange,
  now: number,
  fast = false,
): ElectionStep {
  return {
    state: { ...state, pending: { type: 'write', startedAt: now, fast } },
    effects: [{ type: 'write', base, change }],
  };
}

/** Ends the election: at once, also during a release, or after a release. */
function end(state: ElectionState, cause: LeadershipEnd, release: boolean, now: number): ElectionStep {
  if (state.phase === 'releasing') return release ? { state, effects: [] } : ended(state);
  const isLeader = state.phase === 'leader';
  const closed: readonly ElectionEffect[] = isLeader ? [{ type: 'closed', end: cause }] : [];
  const mayHold = isLeader || state.mayHold || state.pending?.type === 'write';
  if (!release || !mayHold) {
    const { state: next, effects } = ended({ ...state, end: cause });
    return { state: next, effects: [...closed, ...effects] };
  }
  const abort: readonly ElectionEffect[] = state.pending === undefined ? [] : [{ type: 'abort' }];
  const releasing = read({ ...state, phase: 'releasing', renewedAt: now, end: cause }, now);
  return { state: releasing.state, effects: [...closed, ...abort, ...releasing.effects] };
}

function failed(state: ElectionState, conflict: boolean, now: number, timing: ElectionTiming): ElectionStep {
  const { pending } = state;
  const mayHold = state.mayHold || (pending?.type === 'write' && !conflict);
  const idle = { ...state, pending: undefined, mayHold };
  if (state.phase === 'leader' && pending?.fast) {
    const { state: next, effects } = read(idle, now);
    return { state: next, effects: [{ type: 'slowPath' }, ...effects] };
  }
  if (state.phase === 'releasing' && conflict) return read(idle, now);
  return pause(idle, timing);
}

/** Waits before the next attempt. Only candidates extend the delay at random, as in client-go. */
function pause(state: ElectionState, { retryPeriodMs }: ElectionTiming): ElectionStep {
  const jitterMs = state.phase === 'candidate' ? retryPeriodMs * jitterFactor : 0;
  return {
    state: { ...state, pending: undefined },
    effects: [{ type: 'wait', ms: retryPeriodMs, jitterMs }],
  };
}

function afterRead(
  before: ElectionState,
  lease: LeaseRecord | undefined,
  now: number,
  timing: ElectionTiming,
): ElectionStep {
  const { state, effects } = observe({ ...before, pending: undefined }, lease, now, timing);
  const next = decide(state, lease, now, timing);
  return { state: next.state, effects: [...effects, ...next.effects] };
}

/**
 * Records the observed lease. The time of the observation changes only if the lease did: the clocks of other
 * processes are not trusted.
 */
function observe(
  state: ElectionState,
  lease: LeaseRecord | undefined,
  now: number,
  { identity }: ElectionTiming,
): ElectionStep {
  if (lease === undefined) return { state, effects: [] };
  const isChanged = lease.version !== state.lease?.version;
  const isNew = lease.holder !== '' && lease.holder !== state.lease?.holder;
  return {
    state: {
      ...state,
      lease,
      observedAt: isChanged ? now : state.observedAt,
      mayHold: state.mayHold || lease.holder === identity,
    },
    effects: isNew ? [{ type: 'newLeader', holder: lease.holder }] : [],
  };
}

/** Continues with the lease that was read. */
function decide(
  state: ElectionState,
  lease: LeaseRecord | undefined,
  now: number,
  timing: ElectionTiming,
): ElectionStep {
  const isOwn = lease?.holder === timing.identity;
  switch (state.phase) {
    case 'releasing':
      return lease !== undefined && isOwn ? write(state, lease, { type: 'release' }, now) : ended(state);
    case 'leader':
      if (lease === undefined) return write(state, undefined, acquisition(state, 0), now);
      if (!isOwn) return close(state, 'replaced');
      return mustStepDown(lease, timing)
        ? end(state, 'preferredHolder', true, now)
        : write(state, lease, { type: 'renew' }, now);
    default:
      if (!isAvailable(state, lease, now, timing)) return pause(state, timing);
      return write(state, lease, isOwn ? { type: 'renew' } : acquisition(state, 1), now);
  }
}

/**
 * Returns a change that keeps or increases the observed number of transitions; 0 for a new lease. Servers
 * reject numbers that are not an int32: the number begins again at 0.
 */
function acquisition({ lease }: ElectionState, increase: 0 | 1): LeaseChange {
  const transitions = lease === undefined ? 0 : lease.transitions + increase;
  return { type: 'acquire', transitions: isCount(transitions) ? transitions : 0 };
}

function isCount(transitions: number): boolean {
  return transitions >= 0 && transitions < 2 ** 31;
}

function mustStepDown({ preferredHolder }: LeaseRecord, { identity }: ElectionTiming): boolean {
  return preferredHolder !== '' && preferredHolder !== identity;
}

/** Returns whether a candidate may write the lease. Its record states its duration, not the own options. */
function isAvailable(
  { lease: observed, observedAt }: ElectionState,
  lease: LeaseRecord | undefined,
  now: number,
  timing: ElectionTiming,
): boolean {
  if (lease !== undefined && mustStepDown(lease, timing)) return false;
  const last = lease ?? observed;
  if (last === undefined || last.holder === '' || last.holder === timing.identity) return true;
  return now >= observedAt + last.durationMs;
}

function afterWrite(
  before: ElectionState,
  lease: LeaseRecord,
  now: number,
  timing: ElectionTiming,
): ElectionStep {
  const startedAt = before.pending?.startedAt ?? now;
  const { state, effects } = observe({ ...before, pending: undefined }, lease, now, timing);
  const next = written(state, lease, startedAt, now, timing);
  return { state: next.state, effects: [...effects, ...next.effects] };
}

function written(
  state: ElectionState,
  lease: LeaseRecord,
  startedAt: number,
  now: number,
  timing: ElectionTiming,
): ElectionStep {
  if (state.phase === 'releasing') return ended(state);
  const isLeader = state.phase === 'leader';
  if (lease.holder !== timing.identity) return isLeader ? close(state, 'replaced') : pause(state, timing);
  // The response to an acquisition may arrive after the validity that it proves.
  if (now >= startedAt + timing.renewDeadlineMs) return pause(state, timing);
  const { transitions } = lease;
  const leading: ElectionState = { ...state, phase: 'leader', renewedAt: startedAt };
  const next = mustStepDown(lease, timing)
    ? end(leading, 'preferredHolder', true, now)
    : pause(leading, timing);
  const begin: readonly ElectionEffect[] = isLeader ? [] : [{ type: 'leading', transitions }];
  return {
    state: next.state,
    effects: [{ type: 'renewed', startedAt, transitions }, ...begin, ...next.effects],
  };
}
