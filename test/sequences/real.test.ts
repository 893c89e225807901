/** Requests have the same responses in memory and on a real server. */
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { changeSteps } from './change-steps.ts';
import { flowSteps } from './flow-steps.ts';
import { nullSteps } from './null-steps.ts';
import { sequenceOf } from './operations.ts';
import { Pair } from './pair.ts';
import { partSteps } from './part-steps.ts';
import { policySteps } from './policy-steps.ts';
import { rootSteps } from './root-paths.ts';
import { ruleSteps } from './rule-steps.ts';
import { sampledSequenceOf } from './sampled-steps.ts';
import { search } from './search.ts';
import type { Step } from './step.ts';
import { strictSteps } from './strict-steps.ts';

const { available } = controlPlaneAvailability();

let server: TestServer;
let plane: ControlPlane | undefined;
let pair: Pair;

describe.runIf(available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined)('requests', () => {
  beforeAll(async () => {
    server = await startTestServer({ controllers: false, time: { start: Date.parse('2027-01-01') } });
    plane = await startControlPlane();
    pair = await Pair.start(server, plane.config);
  }, 600_000);
  afterAll(async () => {
    pair?.close();
    await plane?.stop();
    await server?.stop();
  });

  test.each<[string, readonly Step[]]>([
    ['to paths without a resource', rootSteps],
    ['with unknown and duplicate fields', strictSteps],
    ['with invalid admission policies', policySteps],
    ['that FlowSchemas classify', flowSteps],
    ['that violate rules of kinds', ruleSteps],
    ['of nulls and wrong names', nullSteps],
    ['that change what a search found', changeSteps],
    ['of samples with one change', partSteps],
  ])('%s have the same responses in memory and on a real server', { timeout: 300_000 }, async (_, steps) => {
    for (const { memory, real, ...found } of await pair.differing(steps))
      expect.soft({ ...found, response: memory }).toEqual({ ...found, response: real });
  });

  const minutes = Number(process.env['KGEN_SEARCH_MINUTES'] ?? 0);
  test.each(minutes > 0 ? [minutes] : [])(
    'of new seeds have the same responses in memory and on a real server for %s minutes',
    { timeout: minutes * 60_000 + 3_600_000 },
    async () => {
      const first = Number(process.env['KGEN_SEARCH_FIRST'] ?? 1);
      const file = process.env['KGEN_SEARCH_FILE'] ?? 'search.txt';
      // Most gaps are those of kinds.
      const sequences = [sampledSequenceOf, sampledSequenceOf, sampledSequenceOf, sequenceOf];
      const { classes } = await search(pair, sequences, { minutes, first, file });
      expect([...classes.keys()]).toEqual([]);
    },
  );

  // Sequences about every kind search for gaps: `KGEN_SEEDS=1000` plays as many of them.
  const searched =
    Number(process.env['KGEN_SEEDS']) > 0 ? ([['about every kind', sampledSequenceOf]] as const) : [];
  test.each([['in random sequences', sequenceOf] as const, ...searched])(
    '%s have the same responses in memory and on a real server',
    { timeout: 3_600_000 },
    async (_, stepsOf) => {
      const seeds = seedsOf({ all: 200, few: 40 });
      for (const { memory, real, ...found } of await pair.differences(seeds, stepsOf))
        expect.soft({ ...found, response: memory }).toEqual({ ...found, response: real });
    },
  );
});
