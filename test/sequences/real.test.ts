/** Random sequences of requests have the same responses in memory and on a real server. */
import { type ControlPlane, controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { describe, expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { Pair } from './pair.ts';

const { available } = controlPlaneAvailability();

describe.runIf(available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined)('sequences', () => {
  test('have the same responses in memory and on a real server', { timeout: 600_000 }, async () => {
    let plane: ControlPlane | undefined;
    const server = await startTestServer({ controllers: false, time: 'virtual' });
    try {
      plane = await startControlPlane();
      const pair = await Pair.start(server, plane.config);
      const seeds = seedsOf({ all: 200, few: 40 });
      for (const { memory, real, ...found } of await pair.differences(seeds))
        expect.soft({ ...found, response: memory }).toEqual({ ...found, response: real });
    } finally {
      await plane?.stop();
      await server.stop();
    }
  });
});
