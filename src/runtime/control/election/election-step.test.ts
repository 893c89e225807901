import { describe, expect, test } from 'vitest';
import { deadlineOf, electionStep, initialElection } from './election-step.ts';
import type { ElectionInput, ElectionState } from './election-types.ts';
import { type LeaseSpec, leaseRecord } from './lease.ts';

const timing = { identity: 'me', leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000 };

const lease = (spec: LeaseSpec) =>
  leaseRecord({ metadata: { resourceVersion: '1' }, spec: { leaseDurationSeconds: 20, ...spec } });
const own = lease({ holderIdentity: 'me', leaseTransitions: 2 });
const foreign = lease({ holderIdentity: 'other', leaseTransitions: 2 });
const free = lease({ holderIdentity: '', leaseTransitions: 2 });
const expired = { lease: foreign, observedAt: 79_000 };

const now = 100_000;
const reading = { type: 'read', startedAt: now - 100, fast: false } as const;
const writing = { type: 'write', startedAt: now - 100, fast: false } as const;
const candidate: ElectionState = initialElection;
const leader: ElectionState = { ...candidate, phase: 'leader', lease: own, renewedAt: now - 5000 };
const releasing: ElectionState = { ...leader, phase: 'releasing', end: 'stopped', pending: reading };

const read = (found: typeof own | undefined): ElectionInput => ({ type: 'read', lease: found });
const written: ElectionInput = { type: 'written', lease: own };
const failed: ElectionInput = { type: 'failed', conflict: false };
const conflict: ElectionInput = { type: 'failed', conflict: true };
const stop: ElectionInput = { type: 'end', end: 'stopped', release: true };

/** A step: state, input, and the expected effects as names with their most important value. */
type Row = readonly [title: string, state: Partial<ElectionState>, input: ElectionInput, effects: string];

const rows: readonly Row[] = [
  ['a candidate begins with a read', candidate, { type: 'start' }, 'read'],
  ['a candidate sends one request at a time', { pending: reading }, { type: 'elapsed' }, ''],
  ['a candidate creates a missing lease', { pending: reading }, read(undefined), 'create acquire 0'],
  ['a candidate takes a free lease at once', { pending: reading }, read(free), 'update acquire 3'],
  [
    'a candidate waits for another holder',
    { pending: reading },
    read(foreign),
    'newLeader other, wait 2000+2400',
  ],
  [
    'a candidate waits while the record is valid',
    { ...expired, observedAt: 80_001 },
    read(foreign),
    'wait 2000+2400',
  ],
  ['a candidate takes an expired lease', expired, read(foreign), 'update acquire 3'],
  [
    'a candidate counts transitions up to the largest int32',
    { pending: reading },
    read(lease({ holderIdentity: '', leaseTransitions: 2 ** 31 - 2 })),
    'update acquire 2147483647',
  ],
  ...[2 ** 31 - 1, 2 ** 31, -5].map(
    (leaseTransitions): Row => [
      `a candidate counts transitions from 0 again after ${leaseTransitions}`,
      { pending: reading },
      read(lease({ holderIdentity: '', leaseTransitions })),
      'update acquire 0',
    ],
  ),
  [
    'a candidate ignores the duration before a change',
    expired,
    read(lease({ holderIdentity: 'other' })),
    'wait 2000+2400',
  ],
  [
    'a candidate does not create a lease that was valid',
    { lease: foreign, observedAt: 90_000 },
    read(undefined),
    'wait 2000+2400',
  ],
  ['a candidate creates a lease that had expired', expired, read(undefined), 'create acquire 3'],
  ['a candidate renews a lease that names it', { lease: own }, read(own), 'update renew'],
  [
    'a candidate leaves a lease to its preferred holder',
    {},
    read(lease({ preferredHolder: 'other' })),
    'wait 2000+2400',
  ],
  [
    'a candidate takes a lease that prefers it',
    {},
    read(lease({ preferredHolder: 'me' })),
    'update acquire 1',
  ],
  [
    'a candidate leads after its write',
    { lease: own, pending: writing },
    written,
    'renewed 99900, leading 2, wait 2000+0',
  ],
  [
    'a candidate does not lead by a late response',
    { lease: own, pending: { ...writing, startedAt: 90_000 } },
    written,
    'wait 2000+2400',
  ],
  ['a candidate waits after a failure', { pending: writing }, failed, 'wait 2000+2400'],
  ['a candidate waits after a conflict', { pending: writing }, conflict, 'wait 2000+2400'],
  ['a candidate that is stopped ends', { pending: reading }, stop, 'abort, ended stopped'],
  ['a candidate that is stopped during a write releases', { pending: writing }, stop, 'abort, read'],
  ['a candidate that may hold the lease releases', { mayHold: true }, stop, 'read'],
  ['a leader renews without a read', leader, { type: 'elapsed' }, 'update renew'],
  ['a leader waits after a renewal', { ...leader, pending: writing }, written, 'renewed 99900, wait 2000+0'],
  [
    'a leader reads after a failed renewal',
    { ...leader, pending: { ...writing, fast: true } },
    failed,
    'slowPath, read',
  ],
  ['a leader waits after a failed read', { ...leader, pending: reading }, failed, 'wait 2000+0'],
  ['a leader writes what it has read', { ...leader, pending: reading }, read(own), 'update renew'],
  [
    'a leader creates a deleted lease again',
    { ...leader, pending: reading },
    read(undefined),
    'create acquire 2',
  ],
  [
    'a leader ends for another holder',
    { ...leader, pending: reading },
    read(foreign),
    'newLeader other, closed replaced, ended replaced',
  ],
  [
    'a leader ends for a free lease',
    { ...leader, pending: reading },
    read(free),
    'closed replaced, ended replaced',
  ],
  [
    'a leader steps down',
    { ...leader, pending: writing },
    { type: 'written', lease: lease({ holderIdentity: 'me', preferredHolder: 'other' }) },
    'renewed 99900, closed preferredHolder, read',
  ],
  [
    'a leader ends at its deadline',
    { ...leader, renewedAt: 90_000 },
    { type: 'deadline' },
    'closed expired, ended expired',
  ],
  [
    'a leader ends by a response after its deadline',
    { ...leader, renewedAt: 90_000, pending: writing },
    written,
    'closed expired, abort, ended expired',
  ],
  ['a leader ignores an early timer', leader, { type: 'deadline' }, ''],
  ['a leader that is stopped releases', { ...leader, pending: writing }, stop, 'closed stopped, abort, read'],
  [
    'a leader that keeps the lease ends',
    leader,
    { ...stop, release: false },
    'closed stopped, ended stopped',
  ],
  ['a release writes the own lease', releasing, read(own), 'update release'],
  [
    'a release leaves the lease of another holder',
    releasing,
    read(foreign),
    'newLeader other, ended stopped',
  ],
  ['a release ends without a lease', releasing, read(undefined), 'ended stopped'],
  ['a release reads again after a conflict', { ...releasing, pending: writing }, conflict, 'read'],
  ['a release is retried', { ...releasing, pending: writing }, failed, 'wait 2000+0'],
  ['a release ends with its response', { ...releasing, pending: writing }, written, 'ended stopped'],
  ['a release is not begun again', releasing, stop, ''],
  ['a release ends without its response', releasing, { ...stop, release: false }, 'abort, ended stopped'],
  [
    'a release ends at its deadline',
    { ...releasing, renewedAt: 90_000 },
    { type: 'deadline' },
    'abort, ended stopped',
  ],
  ['an election that has ended ignores inputs', { phase: 'ended' }, { type: 'elapsed' }, ''],
];

/** Returns effects as a line. */
function lineOf(effects: ReturnType<typeof electionStep>['effects']): string {
  return effects
    .map((effect) => {
      switch (effect.type) {
        case 'write': {
          const transitions = effect.change.type === 'acquire' ? ` ${effect.change.transitions}` : '';
          return `${effect.base === undefined ? 'create' : 'update'} ${effect.change.type}${transitions}`;
        }
        case 'wait':
          return `wait ${effect.ms}+${effect.jitterMs}`;
        case 'renewed':
          return `renewed ${effect.startedAt}`;
        case 'leading':
          return `leading ${effect.transitions}`;
        case 'closed':
        case 'ended':
          return `${effect.type} ${effect.end}`;
        case 'newLeader':
          return `newLeader ${effect.holder}`;
        default:
          return effect.type;
      }
    })
    .join(', ');
}

describe('electionStep', () => {
  test.each(rows)('%s', (_, state, input, effects) => {
    const step = electionStep({ ...initialElection, ...state }, input, now, timing);
    expect(lineOf(step.effects)).toBe(effects);
  });

  test('leaders and releases have a deadline', () => {
    expect(deadlineOf(leader, timing)).toBe(leader.renewedAt + 10_000);
    expect(deadlineOf(releasing, timing)).toBe(releasing.renewedAt + 10_000);
    expect(deadlineOf(candidate, timing)).toBeUndefined();
  });
});

describe('leaseRecord', () => {
  test.each([
    [null, 'null'],
    [[], 'a list'],
    [{}, 'no metadata'],
    [{ metadata: {}, spec: { holderIdentity: 1 } }, 'a number as holder'],
    [{ metadata: {}, spec: { leaseDurationSeconds: '15' } }, 'a string as duration'],
    [{ metadata: {}, spec: { leaseTransitions: 1.5 } }, 'a fraction'],
  ])('throws DecodeError for %j: %s', (response, _) => {
    expect(() => leaseRecord(response)).toThrow('the response is not a Lease');
  });

  test('reads a lease without a spec as free', () => {
    expect(leaseRecord({ metadata: {} })).toMatchObject({ holder: '', durationMs: 0, transitions: 0 });
  });
});
