/** Histories that are the same, byte for byte, in every run and process and with every version of Node.js. */
import { createHash } from 'node:crypto';
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { myApp } from './example-operators.ts';

/** Hashes by seed. A change of the schedules, of the server in memory or of the operator may change them. */
const expected = new Map([
  [1, '88a9e5322d04195633122a01d624fe0fad09c6fec0ff604fcb0d0ee1f4fca979'],
  [2, '7419511279074051472d9d8cf62e2055b9a93819d39a7650e73be16434d034fd'],
  [3, '11ec5af44986c1c53280a787a5db49457bbf9644c2d1abaac5a65a3d62dcd5a4'],
]);

test('a seed has the history that it has in other processes', { timeout: 120_000 }, async () => {
  const hashes = new Map<number, string>();
  await simulate(myApp.operator, {
    ...myApp.options,
    seeds: [...expected.keys()],
    onSeed: ({ seed, history }) => hashes.set(seed, hashOf(history)),
  });
  expect(hashes).toEqual(expected);
});

/** Without the lines of the operator, whose paths differ between machines. */
function hashOf(history: string): string {
  return createHash('sha256')
    .update(history.replace(/ at \S+:\d+/g, ''))
    .digest('hex');
}

/** A seed with two replicas and several faults. */
const disturbed = 9;

test('a seed has the same history in every run, after other seeds', { timeout: 600_000 }, async () => {
  const count = rounds(100, 10);
  const histories: string[] = [];
  await simulate(myApp.operator, {
    ...myApp.options,
    seeds: Array.from({ length: count }, (_, index) => [disturbed, 10 + (index % 10)]).flat(),
    onSeed: ({ seed, history }) => {
      if (seed === disturbed) histories.push(history);
    },
  });
  expect(histories.length).toBe(count);
  expect(new Set(histories).size).toBe(1);
  expect(histories[0]).toContain('replica-2 starts');
  expect(histories[0]).toContain('from here on, nothing fails any more');
});
