import { describe, expect, it, vi } from 'vitest';
import { type Cause, CauseLog } from '../runs/causes.ts';
import { queueState } from './queue-state.ts';

/** Time of day at 0 of the monotonic clock. */
const epoch = 1_000_000;

function stateOf(causes: CauseLog, now: number) {
  vi.useFakeTimers({ now: epoch + now, toFake: ['Date'] });
  try {
    const running = [{ key: { namespace: 'shop', name: 'web' }, startedAt: 40 }];
    return queueState({ controller: 'c', workers: 2, running, causes, now });
  } finally {
    vi.useRealTimers();
  }
}

describe('the state of a queue', () => {
  it('has the keys that run, with the time of their start', () => {
    const state = stateOf(new CauseLog(), 50);
    expect(state).toEqual({
      ...{ controller: 'c', workers: 2, waiting: [], more: 0 },
      running: [{ namespace: 'shop', name: 'web', since: epoch + 40 }],
    });
  });

  it.each<readonly [Cause['type'], string]>([
    ['add', 'change'],
    ['update', 'change'],
    ['delete', 'change'],
    ['resync', 'resync'],
    ['requeue', 'requeueAfter'],
    ['retry', 'retry'],
    ['shard', 'shard'],
  ])('has the reason of a key that waits: %s', (type, reason) => {
    const causes = new CauseLog();
    causes.add('shop/web', 10, { type });
    expect(stateOf(causes, 50).waiting).toEqual([
      { namespace: 'shop', name: 'web', since: epoch + 10, reason },
    ]);
  });

  it.each([
    ['a delay', 90, [{ since: epoch + 30, due: epoch + 90, reason: 'requeueAfter' }]],
    ['a delay that is over', 45, [{ since: epoch + 30, reason: 'requeueAfter' }]],
  ])('has the end of %s', (_, at, waiting) => {
    const causes = new CauseLog();
    causes.add('in-cluster/shop/web', at, { type: 'requeue' }, { addedAt: 30 });
    const key = { cluster: 'in-cluster', namespace: 'shop', name: 'web' };
    expect(stateOf(causes, 50).waiting).toEqual(waiting.map((entry) => ({ ...key, ...entry })));
  });

  it('has the reason of the change that ends a delay', () => {
    const causes = new CauseLog();
    causes.add('/node', 90, { type: 'retry' }, { addedAt: 20 });
    causes.add('/node', 40, { type: 'update' });
    causes.add('/node', 45, { type: 'resync' });
    expect(stateOf(causes, 50).waiting).toEqual([
      { namespace: '', name: 'node', since: epoch + 20, reason: 'change' },
    ]);
  });

  it.each([
    ['few keys', 3, 0],
    ['as many keys as it shows', 100, 0],
    ['many keys', 1_234, 1_134],
  ])('has the keys that are ready first, and the number of the others: %s', (_, count, more) => {
    const causes = new CauseLog();
    // In a mixed order: 7 and each count have no common divisor.
    for (let number = 0; number < count; number += 1) {
      const at = (number * 7) % count;
      causes.add(`shop/${at}`, at, { type: 'retry' });
    }
    const state = stateOf(causes, 50);
    expect(state.waiting.map(({ name }) => Number(name))).toEqual(
      Array.from({ length: count - more }, (_, index) => index),
    );
    expect(state.more).toBe(more);
  });
});
