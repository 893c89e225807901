/** Two controllers of one operator: a simulation steers to their interleavings, and counts them. */
import { SimulationError, simulate, simulationReport } from '@kgen/testing';
import { expect, test } from 'vitest';
import { correctOperators } from './correct/index.ts';
import { interleaved } from './planted/interleaved.ts';

const others = ['fault', 'crash', 'restart', 'hold', 'interrupt', 'isolate', 'tamper', 'detour'] as const;

test.each(interleaved)('a seed is steered to it: $bug', { timeout: 120_000 }, async (planted) => {
  const { operator, options, check, story } = planted;
  const simulated = simulate(operator, { ...options, without: others, seeds: 30 });
  const failure = await simulated.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SimulationError);
  expect(failure).toMatchObject({ check, message: expect.stringMatching(story) });
  expect(failure).toMatchObject({ message: expect.stringContaining('waits for update configmaps') });
});

test('a report has the pairs of writes of two controllers', { timeout: 120_000 }, async () => {
  const { operator, options } = correctOperators['cooperating'] ?? {};
  if (operator === undefined) throw new Error('the operator is missing');
  const report = await simulate(operator, { ...options, seeds: 20 });
  const met = report.interleavings.filter(({ count }) => count > 0);
  expect(met.length).toBeGreaterThan(report.interleavings.length / 2);
  for (const { between, write } of met) expect(between).not.toEqual(write);
  const title = `Writes of one controller during a reconcile of another one: ${met.length} of ${report.interleavings.length} pairs met`;
  expect(simulationReport(report, 'text')).toContain(title);
});
