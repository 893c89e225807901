/** Histories that are the same, byte for byte, in every run and process and with every version of Node.js. */
import { createHash } from 'node:crypto';
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { myApp } from './example-operators.ts';

/** Hashes by seed. A change of the schedules, of the server in memory or of the operator may change them. */
const expected = new Map([
  [1, 'a5e7a6e4faf7252d725fc3dbb87ca34bc0cc3484e808b810284ac9806a4e40c9'],
  [2, 'ec3aab5becb62f87bdfb8300d5228692e03df9e9a8ae0ec916a45a05620eaa62'],
  [3, '5a6c2ef0192df82baef9721b45524e07dd6ada8f451eff380de189594c28c8c0'],
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
