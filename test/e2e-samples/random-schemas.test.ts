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
      expect(onMemory.map(refusal)).toEqual(onReal.map(refusal));
      for (const { resource, definition } of onReal.filter(({ refused }) => refused.length === 0)) {
        for (const { body } of await attemptsOf(resource, random)) {
          const [want, got] = await Promise.all([
            verdictOf(real, resource, body),
            verdictOf(memory, resource, body),
          ]);
          const [given, expected] = [got, want].map((verdict) => ({
            ...verdict,
            messages: comparable(verdict.messages),
          }));
          expect.soft({ definition, body, ...given }).toEqual({ definition, body, ...expected });
        }
      }
    }
  } finally {
    await Promise.all([plane.stop(), server.stop()]);
  }
});

/**
 * Returns the errors of a definition. A real server also compiles rules beside some other errors, which the
 * server in memory reports alone.
 */
function refusal({ refused, definition }: Awaited<ReturnType<typeof installed>>[number]): object {
  const others = refused.filter((message) => !/x-kubernetes-validations.*compilation failed/s.test(message));
  return { definition, refused: others.length === 0 ? refused : others };
}

/**
 * Returns the messages without the causes of the best of several failed types, which a real server chooses by
 * the number of checks that it happens to make.
 */
function comparable(messages: readonly string[]): readonly string[] {
  if (!messages.some((message) => message.includes('at least one schema (anyOf)'))) return messages;
  return messages.filter((message) => !/must be of type (integer|string)(: | \(default)/.test(message));
}
