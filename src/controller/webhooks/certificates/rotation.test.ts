import { describe, expect, it } from 'vitest';
import { seedsOf, thorough } from '../../../../test/support/seeds.ts';
import { Cluster } from './simulation.fixture.ts';

describe('a rotation', () => {
  const reasons = new Map<string, number>();

  it.each(seedsOf({ all: 60, few: 4 }))(
    'keeps every certificate trusted that a replica serves, seed %i',
    (seed) => {
      const cluster = new Cluster(seed);
      try {
        cluster.play(250);
        cluster.settle();
      } catch (error) {
        throw new Error(cluster.story.slice(-40).join('\n'), { cause: error });
      }
      for (const [reason, count] of cluster.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    },
  );

  it.runIf(thorough)('occurs in these schedules with all of its steps', () => {
    expect([...reasons.keys()].sort()).toEqual([
      'all bundles contain the next authority',
      'no bundle contains the previous authority',
      'the Secret has no authority',
      'the Secret was deleted or damaged; its last content is stored again',
      'the authority has expired',
      'the authority is due',
      'the certificate has expired, or lacks a name',
      'the certificate in the Secret is damaged',
      'the certificate is due',
    ]);
  });
});
