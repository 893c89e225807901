import { describe, expect, it } from 'vitest';
import { Exchange } from './exchange.ts';
import { Lease } from './lease.ts';

const operation = { verb: 'get', resource: 'things' };

/** Returns a lease, and the errors of the exchanges that run on it. */
function given(): {
  readonly lease: Lease;
  readonly begin: (name: string) => Exchange;
  readonly failed: string[];
  readonly released: () => number;
} {
  let released = 0;
  const failed: string[] = [];
  const connections = { dispatch: () => true, destroy: () => Promise.resolve() };
  const release = async (): Promise<void> => {
    released += 1;
  };
  const share = {
    connections: { requests: connections, streams: connections, upgrades: connections, stage: () => '' },
    release,
  };
  const lease = new Lease({}, share, () => undefined);
  const begin = (name: string): Exchange => {
    const exchange = new Exchange(operation, false, {
      started: () => undefined,
      responded: () => undefined,
      failed: () => failed.push(name),
      explain: (error) => error,
      ended: lease.ended,
    });
    lease.add(exchange);
    return exchange;
  };
  return { lease, begin, failed, released: () => released };
}

describe('a lease', () => {
  it.each([
    [[], ['a', 'b', 'c', 'd']],
    [[0], ['b', 'c', 'd']],
    [[3], ['a', 'b', 'c']],
    [[1, 3, 2], ['a']],
    [[0, 3, 1, 2], []],
    [
      [2, 2, 0],
      ['b', 'd'],
    ],
  ])('aborts running exchanges when it is closed, after %j have ended', async (over, want) => {
    const { lease, begin, failed } = given();
    const running = ['a', 'b', 'c', 'd'].map(begin);
    for (const at of over) lease.ended(running[at] ?? begin('none'));
    await lease.close(() => new Error('closed'));
    expect(failed.sort()).toEqual(want);
  });

  it('releases its share when it is retired and the last exchange has ended', async () => {
    const { lease, begin, released } = given();
    const [one, other] = [begin('one'), begin('other')];
    lease.retire();
    lease.ended(one);
    await Promise.resolve();
    expect(released()).toBe(0);
    lease.ended(other);
    await Promise.resolve();
    expect(released()).toBe(1);
  });
});
