/** Operators with one bug each: a simulation names the wrong object, and the line of the operator. */
import { readFileSync } from 'node:fs';
import { SimulationError, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import type { PlantedBug } from './planted/bug.ts';
import { plantedBugs } from './planted/index.ts';

const found = plantedBugs.filter(({ foundBy }) => foundBy !== undefined);

test.each(found.map((planted) => [planted.bug, planted] as const))(
  'finds an operator that %s',
  { timeout: 600_000 },
  async (_, planted) => {
    const failure = await failureOf(planted);
    expect(failure).toMatchObject({ check: planted.check, message: expect.stringMatching(planted.story) });
    expect(namedLines(failure.message).join('\n')).toContain(planted.line);
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

/** Returns the lines of the operators that a story names. */
function namedLines(story: string): readonly string[] {
  return [...story.matchAll(/(\/\S+\/planted\/\w+\.ts|\bplanted\/\w+\.ts):(\d+)/g)].map(
    ([, path = '', line]) => {
      const file = new URL(`planted/${path.split('/').at(-1)}`, import.meta.url);
      return readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
    },
  );
}
