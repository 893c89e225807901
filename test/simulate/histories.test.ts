/** Histories that are the same, byte for byte, in every run and process and with every version of Node.js. */
import { createHash } from 'node:crypto';
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { rounds, rows } from '../support/seeds.ts';
import { myApp } from './example-operators.ts';

/** Hashes by seed. A change of the schedules, of the server in memory or of the operator may change them. */
const known: readonly (readonly [seed: number, hash: string])[] = [
  [1, '650c11776bbdedf5419ecd6eb083c5f8dda3a47d5067e5631db965f7e63de924'],
  [2, '5edf2aef2a60258d5c9e6d07da6b48ab8bb491b1f9cd4aecd49e059cdc67644b'],
  [3, 'd5f1bea72305295afe12a17658b2e2dbd1170509e8017e9d48542f19c87e679d'],
];

test('a seed has the history that it has in other processes', { timeout: 120_000 }, async () => {
  const expected = new Map(rows(known, ([seed]) => seed === 1));
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
  // After other seeds, one of them twice.
  const count = rounds(6, 2);
  const histories: string[] = [];
  await simulate(myApp.operator, {
    ...myApp.options,
    seeds: Array.from({ length: count }, (_, index) => [disturbed, 10 + (index % 5)]).flat(),
    onSeed: ({ seed, history }) => {
      if (seed === disturbed) histories.push(history);
    },
  });
  expect(histories.length).toBe(count);
  expect(new Set(histories).size).toBe(1);
  expect(histories[0]).toContain('replica-2 starts');
  expect(histories[0]).toContain('from here on, nothing fails any more');
});
