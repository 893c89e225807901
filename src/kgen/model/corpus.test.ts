import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CrdDefinition } from '../input/crd/crd.ts';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { loadCrds } from '../input/load.ts';
import { type Built, buildModel } from './build.ts';
import type { GroupVersion, NamedType, Schema } from './ir.ts';
import { asObject } from './schema/json.ts';

const corpus = process.env['KGEN_CORPUS'];

/** Returns the number of unknown values below a schema of the model. Object types are counted separately. */
function unknownsIn(schema: Schema): number {
  switch (schema.shape) {
    case 'unknown':
      return 1;
    case 'array':
      return unknownsIn(schema.items);
    case 'map':
      return unknownsIn(schema.values);
    case 'union':
      return schema.members.reduce((sum, member) => sum + unknownsIn(member), 0);
    default:
      return 0;
  }
}

/** Returns the number of unknown values in all types of a group version. */
function unknownsOf({ types }: GroupVersion): number {
  const ofType = ({ properties, rest, aliases }: NamedType): number => {
    const members = [...properties.map(({ schema }) => schema), ...(rest === undefined ? [] : [rest])];
    return members.reduce((sum, member) => sum + unknownsIn(member), 0) * (1 + aliases.length);
  };
  return types.reduce((sum, type) => sum + ofType(type), 0);
}

/**
 * Returns the number of nodes of a CRD's schema that have no type, are free-form or preserve unknown fields.
 * Independent of the walker.
 */
function vagueNodes(value: JsonValue | undefined, root = false): number {
  const node = asObject(value);
  if (node === undefined) return value === undefined ? 0 : 1;
  const embedded = node['x-kubernetes-embedded-resource'] === true;
  const properties = Object.entries(asObject(node['properties']) ?? {});
  const own = properties.filter(([name]) => !(name === 'metadata' && (root || embedded)));
  const inner = own.reduce((sum, [, property]) => sum + vagueNodes(property), 0);
  const below = inner + vagueNodes(node['items']) + vagueNodes(node['additionalProperties']);
  if (node['x-kubernetes-int-or-string'] === true || (embedded && properties.length === 0)) return below;
  const open =
    node['additionalProperties'] === undefined && node['type'] === 'object' && properties.length === 0;
  const preserved =
    node['x-kubernetes-preserve-unknown-fields'] === true && node['additionalProperties'] === undefined;
  return below + (open || preserved || node['type'] === undefined ? 1 : 0);
}

describe.skipIf(corpus === undefined)('real CRDs', () => {
  let crds: readonly CrdDefinition[] = [];
  let all: Built;

  beforeAll(async () => {
    const input = await loadCrds({ input: [join(corpus ?? '', 'crds')], cwd: '/', stdin: Readable.from([]) });
    crds = input.crds;
    all = buildModel({ crds });
  });

  test('are read without a problem', () => {
    expect(crds).toHaveLength(46);
    expect(all.problems).toEqual([]);
    expect(all.model.groupVersions.flatMap(({ resources }) => resources)).not.toHaveLength(0);
  });

  test('have an unknown type for each node without a type only', () => {
    for (const groupVersion of all.model.groupVersions) {
      const { group, version } = groupVersion;
      const schemas = crds
        .filter((crd) => crd.group === group)
        .flatMap((crd) => crd.versions.filter(({ name, served }) => served && name === version));
      const vague = schemas.reduce((sum, { schema }) => sum + vagueNodes(schema, true), 0);
      expect([group, version, unknownsOf(groupVersion)]).toEqual([group, version, vague]);
    }
  });

  test('result in the same model in any order', () => {
    expect(JSON.stringify(buildModel({ crds: [...crds].reverse() }).model)).toBe(JSON.stringify(all.model));
  });

  test('have equal types alone and together', () => {
    for (const groupVersion of all.model.groupVersions) {
      const alone = buildModel({ crds }, { include: [`${groupVersion.group}/${groupVersion.version}`] });
      expect(alone.model.groupVersions.map(({ types }) => types)).toEqual([groupVersion.types]);
    }
  });

  test('ApplicationSet: 1,609 objects result in 77 types', () => {
    const { model } = buildModel({ crds }, { include: ['*/*/ApplicationSet'] });
    const nested = model.groupVersions.flatMap(({ types }) => types.filter(({ role }) => role === 'nested'));
    expect(nested).toHaveLength(77);
    expect(nested.reduce((sum, { aliases }) => sum + 1 + aliases.length, 0)).toBe(1_609);
  });
});
