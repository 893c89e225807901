/** Random structural schemas: the server in memory and a real one accept the same definitions and objects. */
import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { expect, test } from 'vitest';
import { campaign, randomOf } from '../support/random.ts';
import { attemptsOf, installed, verdictOf } from '../support/sample-attempts.ts';
import { anyDefinition } from '../support/structural-schemas.ts';

const kinds = 40;
const seeds = campaign('schemas on servers', { rounds: 2, few: 1 });
const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

test.runIf(isAvailable)('accept the same definitions and objects', { timeout: 600_000 }, async () => {
  const [plane, server] = await Promise.all([startControlPlane(), startTestServer({ controllers: false })]);
  try {
    const [real, memory] = [new RESTClient(plane.config), new RESTClient(server.config)];
    for (const seed of seeds) {
      const random = randomOf(seed);
      const group = `s${seed}.example.com`;
      const definitions = Array.from({ length: kinds }, (_, index) =>
        anyDefinition(`Kind${index}`, group, random),
      );
      const [onReal, onMemory] = await Promise.all([
        installed(real, definitions),
        installed(memory, definitions),
      ]);
      const [got, want] = [onMemory, onReal].map((kinds) =>
        kinds.map(({ definition, refused }) => ({ definition, refused })),
      );
      expect(got).toEqual(want);
      for (const { resource, definition } of onReal.filter(({ refused }) => refused.length === 0)) {
        for (const { body } of await attemptsOf(resource, random)) {
          const [want, got] = await Promise.all([
            verdictOf(real, resource, body),
            verdictOf(memory, resource, body),
          ]);
          expect.soft({ definition, body, ...got }).toEqual({ definition, body, ...want });
        }
      }
    }
  } finally {
    await Promise.all([plane.stop(), server.stop()]);
  }
});
