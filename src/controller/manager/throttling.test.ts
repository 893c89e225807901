import { channel } from 'node:diagnostics_channel';
import { type AttemptTrace, attemptChannel } from '@kgen/runtime/observe';
import { expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { throttlingOf, watchThrottling } from './throttling.ts';

type Attempt = Pick<AttemptTrace, 'operation' | 'status' | 'limitedMs'>;

const list = { verb: 'list', resource: 'pods', namespace: 'shop' };
const refused = 'throttled by the API server: list pods had the response 429';
const delayed = 'throttled by rateLimit of the client: list pods waited for 1001 ms';

it.each<readonly [string, Attempt, string | undefined]>([
  ['is not throttled', { operation: list, status: 200 }, undefined],
  ['fails', { operation: list, status: undefined }, undefined],
  ['is refused for its number', { operation: list, status: 429 }, refused],
  ['is delayed for a second', { operation: list, status: 200, limitedMs: 1000 }, undefined],
  ['is delayed for longer', { operation: list, status: 200, limitedMs: 1000.6 }, delayed],
  ['is delayed, and refused', { operation: list, status: 429, limitedMs: 1001 }, refused],
  [
    'is an eviction for which a budget has no room',
    { operation: { verb: 'evict', resource: 'pods/eviction', namespace: 'shop', name: 'a' }, status: 429 },
    undefined,
  ],
])('an attempt that %s', (_, attempt, message) => {
  expect(throttlingOf(attempt)?.message).toBe(message);
});

it('is logged once a minute of each kind, until the manager ends', () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const warn = (fields: object, message: string): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`);
  const other = (): void => expect.unreachable();
  const end = watchThrottling(clock, { debug: other, info: other, error: other, warn });
  onTestFinished(end);
  const attempt = (changes: Partial<Attempt>): void =>
    channel(attemptChannel).publish({ operation: list, server: 'https://a', status: 200, ...changes });
  for (let second = 0; second < 61; second += 1) {
    attempt({ status: 429 });
    attempt({ limitedMs: 1001 });
    attempt({});
    clock.leap(1000);
  }
  const fields = (failures: number): string => JSON.stringify({ server: 'https://a', failures });
  expect(lines).toEqual(
    [1, 60].flatMap((count) => [refused, delayed].map((text) => `${text} ${fields(count)}`)),
  );
  end();
  clock.leap(60_000);
  attempt({ status: 429 });
  expect(lines).toHaveLength(4);
});
