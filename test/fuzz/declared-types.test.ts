/** Random TypeScript types: both compilers read the schemas that the types stand for. */
import { at, type JsonObject } from '@kgen/schema/values/json';
import { afterAll, expect, test } from 'vitest';
import { morphCompiler } from '../../src/kgen/manifests/declare/morph.ts';
import { createNative, moduleOf, readModules } from '../../src/kgen/manifests/declared.fixture.ts';
import { anySpec } from '../support/declared-types.ts';
import { campaign, randomOf } from '../support/random.ts';

const modules = 40;
const refused: string[] = [];
afterAll(() => {
  if (refused.length > 0) console.log(`refused: ${refused.length}\n${[...new Set(refused)].join('\n')}`);
});

test.each(campaign('declared types', { rounds: 2, few: 1 }))(
  'of seed %i are read as their schemas',
  { timeout: 600_000 },
  async (seed) => {
    const random = randomOf(seed);
    const specs = Array.from({ length: modules }, () => anySpec(random));
    const texts = new Map(
      specs.map(({ members, others }, index) => [String(index), moduleOf(members, others)]),
    );
    const [byMorph, byNative] = [
      await readModules(texts, morphCompiler),
      await readModules(texts, createNative),
    ];
    for (const [index, { schema }] of specs.entries()) {
      const text = texts.get(String(index));
      const [read, other] = [byMorph.get(String(index)), byNative.get(String(index))];
      expect.soft({ text, ...other }).toEqual({ text, ...read });
      const isRefused = read?.problems.every((problem) => knownRefusals.test(problem)) === true;
      expect.soft({ text, problems: isRefused ? [] : read?.problems }).toEqual({ text, problems: [] });
      refused.push(...(read?.problems ?? []).map((problem) => problem.replace(/^\d+:\d+: /, '')));
      expect.soft({ text, spec: specOf(read?.definition) }).toEqual({ text, spec: schema });
    }
  },
);

/** Rules of API servers that random types violate. */
const knownRefusals = /the API server rejects/;

function specOf(definition: JsonObject | undefined): unknown {
  const versions = at(definition, 'spec', 'versions');
  const [version] = Array.isArray(versions) ? versions : [];
  return at(version, 'schema', 'openAPIV3Schema', 'properties', 'spec');
}
