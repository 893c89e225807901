/** Histories that are the same, byte for byte, in every process and with every version of Node.js. */
import { createHash } from 'node:crypto';
import { samplesOf, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { myAppOperator } from '../../examples/operators/myapp/operator.ts';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

/** Hashes by seed. A change of the schedules, of the server in memory or of the operator may change them. */
const expected = new Map([
  [1, '27fcbf2a9c4059bb8b8fb80e61da566d9fdb9eec697574946e97d9906c896c5c'],
  [2, 'e6313e6d19ddef4879f341de83bb91d7b3fed2076aa92e346af7d048862a3a17'],
  [3, '4ac78a481705975a0bb7a4df2462c1f01a47e0f335cee4efa12aed586461f630'],
]);

test('a seed has the history that it has in other processes', { timeout: 120_000 }, async () => {
  const hashes = new Map<number, string>();
  await simulate(myAppOperator, {
    crds: ['crds/myapp.yaml'],
    samples: samplesOf(myApps),
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
