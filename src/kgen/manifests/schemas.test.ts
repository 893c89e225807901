import { at, type Json, type JsonObject } from '@kgen/schema/values/json';
import { beforeAll, describe, expect, test } from 'vitest';
import { morphCompiler } from './declare/morph.ts';
import { createNative, moduleOf, type ReadModule, readModules } from './declared.fixture.ts';
import { rows } from './schemas.fixture.ts';

describe.each([
  { compiler: 'ts-morph', create: morphCompiler },
  { compiler: 'TypeScript 7', create: createNative },
])('a spec that $compiler reads', ({ create }) => {
  let read: ReadonlyMap<string, ReadModule>;
  beforeAll(async () => {
    const texts = rows.map(({ name, members, others }) => [name, moduleOf(members, others)] as const);
    read = await readModules(new Map(texts), create);
  }, 120_000);

  test.each(rows)('has $name', ({ name, properties, required, rules }) => {
    const { definition, problems } = read.get(name) ?? { definition: undefined, problems: ['not read'] };
    expect(problems).toEqual([]);
    const spec = at(definition, 'spec', 'versions', '0', 'schema') ?? versionOf(definition);
    const own = at(spec, 'openAPIV3Schema', 'properties', 'spec');
    expect(own).toEqual({
      type: 'object',
      properties,
      ...(required !== undefined && { required }),
      ...(rules !== undefined && { 'x-kubernetes-validations': rules }),
    });
  });
});

function versionOf(definition: JsonObject | undefined): Json | undefined {
  const versions = at(definition, 'spec', 'versions');
  return Array.isArray(versions) ? at(versions[0], 'schema') : undefined;
}
