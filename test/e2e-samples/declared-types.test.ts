/**
 * Random TypeScript types: a real server accepts the definitions that kgen accepts, and equal objects as the
 * server in memory.
 */
import { RESTClient } from '@kgen/runtime';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { expect, test } from 'vitest';
import { moduleOf, readModules } from '../../src/kgen/manifests/declared.fixture.ts';
import { anySpec } from '../support/declared-types.ts';
import { campaign, randomOf } from '../support/random.ts';
import { attemptsOf, installed, verdictOf } from '../support/sample-attempts.ts';

const kinds = 40;
const seeds = campaign('declared types on servers', { rounds: 2, few: 1 });
const isAvailable = controlPlaneAvailability().available || process.env['KGEN_NOTHING_SKIPPED'] !== undefined;

test.runIf(isAvailable)('have definitions that servers accept', { timeout: 600_000 }, async () => {
  const [plane, server] = await Promise.all([startControlPlane(), startTestServer({ controllers: false })]);
  try {
    const [real, memory] = [new RESTClient(plane.config), new RESTClient(server.config)];
    const figures = { definitions: 0, refused: 0, objects: 0, accepted: 0 };
    for (const seed of seeds) {
      const random = randomOf(seed);
      const modules = Array.from({ length: kinds }, (_, index): [string, string] => {
        const { members, others } = anySpec(random);
        const text = moduleOf(members, others).replace('example.com', `k${index}.s${seed}.example.com`);
        return [String(index), text];
      });
      const read = [...(await readModules(new Map(modules))).values()];
      const definitions = read.map(({ definition }) => definition ?? {});
      const [onReal, onMemory] = await Promise.all([
        installed(real, definitions),
        installed(memory, definitions),
      ]);
      for (const [index, { definition, refused, resource }] of onReal.entries()) {
        const problems = read[index]?.problems ?? [];
        const isRefused = refused.length > 0;
        expect.soft({ definition, refused }).toEqual({ definition, refused: onMemory[index]?.refused });
        expect
          .soft({ definition, problems, isRefused })
          .toEqual({ definition, problems, isRefused: problems.length > 0 });
        figures.definitions += 1;
        figures.refused += isRefused ? 1 : 0;
        if (isRefused) continue;
        for (const { body } of await attemptsOf(resource, random)) {
          const [want, got] = await Promise.all([
            verdictOf(real, resource, body),
            verdictOf(memory, resource, body),
          ]);
          expect.soft({ definition, body, ...got }).toEqual({ definition, body, ...want });
          figures.objects += 1;
          figures.accepted += want.messages.length === 0 ? 1 : 0;
        }
      }
    }
    console.log(JSON.stringify(figures));
    expect(figures.accepted).toBeGreaterThan(0);
  } finally {
    await Promise.all([plane.stop(), server.stop()]);
  }
});
