import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { hasErrors, maxListed } from '../common/problems.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { describeApi } from './describe.ts';
import { maxLevels } from './documents/dialect.ts';
import { claim, described, operation, schemaIn, v2, v3, v3Home } from './openapi.fixture.ts';
import type { ApiDocument } from './types.ts';

function nested(levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return schema;
}

describe('a hundred thousand levels of nesting', () => {
  test.each<{ title: string; wrap: (inner: JsonObject) => JsonObject }>([
    { title: 'properties', wrap: (inner) => ({ properties: { a: inner } }) },
    { title: 'items', wrap: (inner) => ({ items: inner }) },
    { title: 'allOf', wrap: (inner) => ({ allOf: [inner] }) },
    { title: 'anyOf', wrap: (inner) => ({ anyOf: [inner] }) },
    { title: 'additionalProperties', wrap: (inner) => ({ additionalProperties: inner }) },
  ])('of $title are cut with one error', ({ wrap }) => {
    const result = described([v3({ Deep: nested(100_000, wrap) })]);
    expect(result.stated).toEqual([
      expect.stringContaining(`"Deep" is nested more than ${maxLevels} levels deep`),
    ]);
    expect(JSON.stringify(schemaIn(result, 'Deep')).length).toBeLessThan(10_000);
  });

  test('are ignored in values, and copies with them differ', () => {
    const value = nested(100_000, (inner) => ({ a: inner }));
    const again = nested(100_000, (inner) => ({ a: inner }));
    const result = described([
      v3({ Deep: { default: value } }, {}, 'a.json'),
      v3({ Deep: { default: again } }, {}, 'b.json'),
    ]);
    expect(result.stated).toEqual([expect.stringContaining('a definition differs between the documents')]);
  });
});

test('resolves a chain of a hundred thousand references', () => {
  const chain = Array.from(
    { length: 100_000 },
    (_, index) => [`T${index}`, { $ref: `${v3Home}T${index + 1}` }] as const,
  );
  const result = described([
    v3({
      ...Object.fromEntries(chain),
      T100000: { type: 'string' },
      User: { items: { $ref: `${v3Home}T0` } },
    }),
  ]);
  expect([...result.api.definitions.keys()]).toEqual(['T100000', 'User']);
  expect(schemaIn(result, 'User')).toEqual({ items: { $ref: 'T100000' } });
});

test('counts faults beyond the limit', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { $ref: '#/definitions/Gone' }]),
  );
  expect(described([v2({ T: { properties } })]).stated).toHaveLength(maxListed + 1);
});

const sound: readonly ApiDocument[] = [
  v3(
    {
      A: {
        ...claim('x.io/v1/A'),
        properties: { b: { allOf: [{ $ref: `${v3Home}B` }] }, c: { items: { $ref: `${v3Home}A` } } },
      },
      B: { $ref: `${v3Home}C` },
      C: { oneOf: [{ type: 'string' }, { $ref: `${v3Home}A` }] },
    },
    {
      '/apis/x.io/v1/namespaces/{namespace}/as/{name}': {
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
        get: operation('get', 'x.io/v1/A', {
          responses: { 200: { content: { 'application/json': { schema: { $ref: `${v3Home}A` } } } } },
        }),
        patch: operation('patch', 'x.io/v1/A', {
          requestBody: { content: { 'application/merge-patch+json': {} } },
        }),
      },
      '/apis/x.io/v1/as/{name}/log': { get: operation('connect', 'x.io/v1/A') },
    },
  ),
  v2(
    { A: { ...claim('x.io/v1/A') } },
    {
      '/apis/x.io/v1/as': {
        get: operation('list', 'x.io/v1/A', { consumes: ['a'], parameters: [{ $ref: '#/parameters/p' }] }),
      },
    },
    { parameters: { p: {} } },
  ),
];

const poison: readonly JsonValue[] = [
  null,
  true,
  -1,
  Number.POSITIVE_INFINITY,
  '',
  '__proto__',
  '*/ $\u007bx} `\u2028',
  [],
  {},
  [null],
  { $ref: 3 },
  { $ref: '#/' },
  { $ref: `${v3Home}%` },
  { $ref: `${v3Home}A` },
  { allOf: [{ $ref: `${v3Home}C` }] },
  JSON.parse('{"__proto__": {"constructor": {"prototype": 1}}}') as JsonValue,
];

/** Returns the value with some of its nodes replaced, moved or renamed. */
function spoilt(value: JsonValue, random: () => number): JsonValue {
  if (random() < 0.04) return poison[Math.floor(random() * poison.length)] ?? null;
  if (Array.isArray(value)) return value.map((item: JsonValue) => spoilt(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const key = (name: string): string =>
    random() < 0.02 ? (['__proto__', '$ref', 'allOf', '{x}', '..'][Math.floor(random() * 5)] ?? name) : name;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [key(name), spoilt(item, random)]));
}

const seed = Number(process.env['KGEN_SEED'] ?? 4_711);

test(`never throws, and every reference resolves, for random documents (KGEN_SEED=${seed})`, () => {
  const random = mulberry32(seed);
  let faulty = 0;
  for (let round = 0; round < 2_000; round += 1) {
    const documents = sound.map((document, index) => {
      const value = spoilt(document.value, random);
      return {
        ...document,
        value:
          typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {},
        file: `${index}.json`,
      };
    });
    const { value, problems } = describeApi({ documents, crds: [] });
    faulty += hasErrors(problems) ? 1 : 0;
    for (const name of referencesIn([...value.api.definitions.values()].map(({ schema }) => schema))) {
      expect(value.api.definitions.has(name), name).toBe(true);
    }
    for (const { group, version, resources } of value.api.groupVersions) {
      const names = [group, version, ...resources.flatMap(({ plural, kind }) => [plural, kind.kind])];
      expect(names.join('')).toMatch(/^[-.a-zA-Z0-9]*$/);
    }
  }
  expect(faulty).toBeGreaterThan(100);
});

/**
 * Returns the references of schemas at every position that may hold a schema. Independent of the code under
 * test.
 */
function referencesIn(schemas: readonly JsonValue[]): readonly string[] {
  return schemas.flatMap((schema) => {
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
    const node = schema as JsonObject;
    const maps = [node['properties'], node['patternProperties']].flatMap((map) =>
      typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.values(map) : [],
    );
    const lists = [
      node['allOf'],
      node['anyOf'],
      node['oneOf'],
      node['items'],
      node['additionalProperties'],
      node['not'],
    ].flat();
    const inner = [...maps, ...lists].filter((value) => value !== undefined);
    const ref = node['$ref'];
    return [...(typeof ref === 'string' ? [ref] : []), ...referencesIn(inner as readonly JsonValue[])];
  });
}
