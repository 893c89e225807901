/** Operators that keep something with each reconcile, which a simulation finds after its seeds. */
import { type Operator, type SimulateOptions, SimulationError, samplesOf, simulate } from '@kgen/testing';
import { describe, expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';
import * as bugs from '../support/operator-bugs.ts';

const options = {
  crds: ['crds/myapp.yaml'],
  samples: samplesOf(myApps),
  controllers: ['garbageCollection', 'namespaces'],
  seeds: [],
} as const satisfies SimulateOptions;

async function failureOf(operator: Operator, own: SimulateOptions = {}): Promise<SimulationError> {
  const result = await simulate(operator, { ...options, ...own }).catch((error: unknown) => error);
  if (result instanceof SimulationError) return result;
  throw new Error('the simulation has found nothing', { cause: result });
}

describe('simulate', { timeout: 300_000 }, () => {
  test.each([
    [
      'starts an interval',
      bugs.startsIntervals,
      /\d+ more timers at \S+operator-bugs\.ts:\d+ \(\d+ before\)/,
    ],
    ['opens a watch', bugs.opensWatches, /\d+ more streams at \S+operator-bugs\.ts:\d+ \(\d+ before\)/],
    ['queues a new key', bugs.queuesNewKeys, /\d+ more keys in the queue later \(\d+ before\)/],
    [
      'starts an interval after each failure',
      bugs.startsIntervalsAfterFailures,
      /\d+ more timers at \S+operator-bugs\.ts:\d+ \(\d+ before\)/,
    ],
  ])('finds an operator that %s with each reconcile', async (_, operator, held) => {
    const failure = await failureOf(operator);
    expect(failure).toMatchObject({ check: 'leak', seed: 0 });
    expect(failure.message).toMatch(held);
    expect(failure.message).toMatch(
      /after 8 more changes of MyApp default\/object-1, and 20 minutes without any/,
    );
    expect(failure.history).toContain('a user changes spec.');
  });

  test('finds an operator that takes more memory with each reconcile', async () => {
    const seeds = Array.from({ length: 100 }, () => 1);
    const failure = await failureOf(bugs.keepsTexts, { seeds, objectsPerSeed: 1, stepsPerSeed: 0 });
    expect(failure.check).toBe('memory');
    const [, bytes] = /grows by at least (\d+) bytes/.exec(failure.message) ?? [];
    expect(Number(bytes)).toBeGreaterThan(20_000);
    expect(failure.message).toMatch(/most of it stays after its allocation at \S+operator-bugs\.ts:\d+/);
  });

  test.each([
    ['nothing', bugs.correct],
    ['one timer for each object', bugs.startsOneTimerPerObject],
  ])('finds nothing in an operator that keeps %s', async (_, operator) => {
    expect(await simulate(operator, options)).toMatchObject({ seeds: 0 });
  });
});
