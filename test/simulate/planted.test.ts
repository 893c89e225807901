/** Operators with one bug each: a simulation names the wrong object, and the line of the operator. */
import { SimulationError, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { namedLines, type PlantedBug } from './planted/bug.ts';
import { plantedBugs } from './planted/index.ts';

const found = plantedBugs.filter(({ foundBy }) => foundBy !== undefined);

test.each(found.map((planted) => [planted.bug, planted] as const))(
  'finds an operator that %s',
  { timeout: 600_000 },
  async (_, planted) => {
    const failure = await failureOf(planted);
    expect(failure).toMatchObject({ check: planted.check, message: expect.stringMatching(planted.story) });
    expect(namedLines(failure.message)).toContain(planted.line);
  },
);

test('the bugs have different names', () => {
  expect(new Set(plantedBugs.map(({ bug }) => bug)).size).toBe(plantedBugs.length);
});

/** Returns the failure of the first of 200 seeds that fails. */
async function failureOf({ operator, options }: PlantedBug): Promise<SimulationError> {
  const result = await simulate(operator, { ...options, seeds: 200 }).catch((error: unknown) => error);
  if (result instanceof SimulationError) return result;
  throw new Error('the simulation has found nothing', { cause: result });
}
