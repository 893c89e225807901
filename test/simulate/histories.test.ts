/** Histories that are the same, byte for byte, in every run and process and with every version of Node.js. */
import { createHash } from 'node:crypto';
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { myApp } from './example-operators.ts';

/** Hashes by seed. A change of the schedules, of the server in memory or of the operator may change them. */
const expected = new Map([
  [1, '31df4ea76f8929d26abad9d2beb9e87abaa2a817ea890d47a12f1a83c33d2e26'],
  [2, '016f3ce69cfc5e1626ef9891afc6927a9b6456c722fd98eef907fd419371eeef'],
  [3, '45211a82d13c67ce43e979bb4a525858f8cc502f3c5918b66569a42f68496c96'],
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
  // Twice after each of ten other seeds.
  const count = rounds(20, 2);
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
