/**
 * Informers against a server with random faults, chosen by seeds.
 * `KGEN_SEED=123 npx vitest run test/informers` runs one of them, and prints its steps.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { rounds } from '../support/seeds.ts';
import { Play, warmUp } from './play.ts';
import { acts, scheduleOf } from './schedule.ts';
import { traced } from './trace.ts';

const batches = rounds(20, 2);
const batchSize = 100;
/** Steps that are not faults, or that depend on time only. */
const ordinary: ReadonlySet<string> = new Set(['write', 'pass', 'other resources change']);
const seed = process.env['KGEN_SEED'];

beforeAll(warmUp);

if (seed === undefined) {
  const met = new Map<string, number>();

  describe('informers converge, and call handlers consistently', () => {
    test.each(Array.from({ length: batches }, (_, batch) => batch * batchSize + 1))(
      'converge for seeds from %i',
      async (from) => {
        const failures: string[] = [];
        for (let next = from; next < from + batchSize; next += 1) {
          const outcome = await new Play(scheduleOf(next)).run();
          for (const [name, times] of outcome.met) met.set(name, (met.get(name) ?? 0) + times);
          const [problem] = outcome.problems;
          if (problem !== undefined) failures.push(`KGEN_SEED=${next}: ${problem}`);
        }
        expect(failures).toEqual([]);
      },
      120_000,
    );
  });

  test.each(acts.filter((act) => !ordinary.has(act)))('covered often: %s', (act) => {
    expect(met.get(act) ?? 0).toBeGreaterThan(batches);
  });
} else {
  test(`converge for seed ${seed}`, async () => {
    const { lines, problems } = await traced(scheduleOf(Number(seed)));
    console.log(lines.join('\n'));
    expect(problems).toEqual([]);
  });
}
