import { describe, expect, test } from 'vitest';
import { mulberry32 } from '../../../test/support/random.ts';
import { isIdentifier } from '../common/words.ts';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { buildModel } from './build.ts';
import type { Model, NamedType, Schema } from './ir.ts';
import { built, crdOf, specText } from './model.fixture.ts';
import { maxLevels, maxSchemas } from './walk/walk.ts';

const string = { type: 'string' };

function nested(levels: number, wrap: (inner: JsonValue) => JsonValue): JsonObject {
  let schema: JsonValue = string;
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return { type: 'object', properties: { spec: schema } };
}

const wraps: readonly { title: string; wrap: (inner: JsonValue) => JsonValue }[] = [
  { title: 'properties', wrap: (inner) => ({ type: 'object', properties: { a: inner } }) },
  { title: 'items', wrap: (inner) => ({ type: 'array', items: inner }) },
  { title: 'additionalProperties', wrap: (inner) => ({ type: 'object', additionalProperties: inner }) },
  {
    title: 'rest',
    wrap: (inner) => ({ type: 'object', properties: { a: string }, additionalProperties: inner }),
  },
  { title: 'allOf', wrap: (inner) => ({ allOf: [inner] }) },
  { title: 'anyOf', wrap: (inner) => ({ anyOf: [inner, { type: 'boolean' }] }) },
  {
    title: 'anyOf below a type',
    wrap: (inner) => ({ type: 'object', properties: { a: string }, anyOf: [inner] }),
  },
  { title: 'not', wrap: (inner) => ({ not: inner }) },
];

describe('ten thousand levels of nesting', () => {
  test.each(wraps)('do not overflow the stack: $title', ({ wrap }) => {
    const { groupVersion } = built([crdOf({ schema: nested(10_000, wrap) })]);
    expect(groupVersion.types.length).toBeLessThan(maxLevels + 10);
  });

  test('are cut with one warning that has their path', () => {
    const { warnings } = built([
      crdOf({ schema: nested(10_000, (inner) => ({ type: 'array', items: inner })) }),
    ]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /openAPIV3Schema\/properties\/spec\/items\/.*nested more than 200 levels deep/,
    );
  });
});

test('are followed to the depth of published CRDs', () => {
  const { warnings } = built([
    crdOf({ schema: nested(100, (inner) => ({ type: 'object', properties: { a: inner } })) }),
  ]);
  expect(warnings).toEqual([]);
});

test('cuts a schema with shared parts at the limit of nodes', () => {
  let shared: JsonObject = { type: 'object', properties: { leaf: string } };
  for (let level = 0; level < 60; level += 1)
    shared = { type: 'object', properties: { a: shared, b: shared } };
  const { groupVersion, warnings } = built([
    crdOf({ schema: { type: 'object', properties: { spec: shared } } }),
  ]);
  expect(warnings).toEqual([expect.stringContaining(`more than ${maxSchemas} nodes`)]);
  const places = groupVersion.types.reduce((sum, { aliases }) => sum + 1 + aliases.length, 0);
  expect(places).toBeLessThan(maxSchemas);
});

test('counts long names as several nodes', () => {
  const name = 'a'.repeat(50_000);
  const schema = nested(150, (inner) => ({ type: 'object', properties: { [name]: inner, b: inner } }));
  const { groupVersion } = built([crdOf({ schema })]);
  const characters = groupVersion.types.flatMap(({ name, aliases }) => [name, ...aliases]).join('').length;
  expect(characters).toBeLessThan(60_000_000);
});

describe('invalid schemas', () => {
  const at = 'foo.yaml#spec/versions/0/schema/openAPIV3Schema/properties/spec';
  const cases: readonly { given: JsonValue; want: string; warning?: string; error?: string }[] = [
    {
      given: 'text',
      want: 'spec?: unknown(untyped)',
      error: `${at}: "Foo.spec" has "text" instead of a schema`,
    },
    { given: 7, want: 'spec?: unknown(untyped)', error: 'has 7 instead of a schema' },
    { given: [string], want: 'spec?: unknown(untyped)', error: 'instead of a schema' },
    { given: false, want: 'spec?: unknown(untyped)', error: 'instead of a schema' },
    { given: true, want: 'spec?: unknown(untyped)', error: 'instead of a schema' },
    { given: null, want: 'spec?: unknown(untyped)' },
    { given: { $ref: '#/definitions/x' }, want: 'spec?: unknown(untyped)', warning: 'has a $ref' },
    { given: { $ref: '#/definitions/x', type: 'string' }, want: 'spec?: string', warning: 'has a $ref' },
    { given: { type: 'int' }, want: 'spec?: unknown(untyped)', warning: 'the type "int"' },
    {
      given: { type: 'int', properties: { a: string } },
      want: 'spec?: unknown(untyped)',
      warning: 'the type "int"',
    },
    { given: { type: 7 }, want: 'spec?: unknown(untyped)', warning: 'the type "7"' },
    {
      given: { type: { toString: 1, valueOf: 2 } },
      want: 'spec?: unknown(untyped)',
      warning: 'the type "{\\"toString\\":1,\\"valueOf\\":2}"',
    },
    { given: { type: ['string', 'int'] }, want: 'spec?: string', warning: 'the type "int"' },
    { given: { type: [] }, want: 'spec?: unknown(untyped)' },
    {
      given: { type: 'object', properties: [string] },
      want: 'spec?: { [*]: unknown(free-form) }',
      error: `${at}/properties: "Foo.spec" has [{"type":"string"}] as its properties`,
    },
    {
      given: { type: 'string', properties: 'text' },
      want: 'spec?: string',
      error: `${at}/properties: "Foo.spec" has "text" as its properties`,
    },
    {
      given: { type: 'object', properties: null, required: 'a', enum: 'b' },
      want: 'spec?: { [*]: unknown(free-form) }',
    },
    {
      given: { type: 'array', items: [string, string] },
      want: 'spec?: [unknown(untyped)]',
      error: 'as its items instead of a schema',
    },
    { given: { type: 'array', items: null }, want: 'spec?: [unknown(untyped)]' },
    { given: { items: null, additionalProperties: null }, want: 'spec?: unknown(untyped)' },
    {
      given: { type: 'array', items: 'text' },
      want: 'spec?: [unknown(untyped)]',
      error: `${at}/items: "Foo.spec" has "text" as its items instead of a schema`,
    },
    {
      given: { type: 'object', additionalProperties: 'text' },
      want: 'spec?: { [*]: unknown(untyped) }',
      error: `${at}/additionalProperties: "Foo.spec" has "text" as its additionalProperties`,
    },
    {
      given: { type: 'object', properties: { a: string }, additionalProperties: 5 },
      want: 'spec?: { a?: string; [*]: unknown(untyped) }',
      error: `${at}/additionalProperties: `,
    },
    { given: { anyOf: 'text', oneOf: null }, want: 'spec?: unknown(untyped)', error: `${at}/anyOf: ` },
    { given: { allOf: 7, type: 'string' }, want: 'spec?: string', error: '7 as its allOf' },
    { given: { not: 7, type: 'string' }, want: 'spec?: string', error: `${at}/not: ` },
    { given: { anyOf: ['text', string] }, want: 'spec?: unknown(untyped)', error: `${at}/anyOf/0: ` },
    {
      given: { type: 'object', allOf: [{ anyOf: [{ properties: { a: 7 } }] }] },
      want: 'spec?: { a?: unknown(untyped) }',
      error: `${at}/allOf/0/anyOf/0/properties/a: `,
    },
    {
      given: { type: 'object', properties: { a: string }, required: ['b', 'a', 7] },
      want: 'spec?: { a: string }',
      warning: 'requires "b"',
    },
  ];

  test.each(cases)('$given', ({ given, want, warning, error }) => {
    const schema = { type: 'object', properties: { spec: given } };
    const { warnings, errors } = built([crdOf({ schema })]);
    expect(specText(given)).toBe(want);
    expect(warnings).toEqual(warning === undefined ? [] : [expect.stringContaining(warning)]);
    expect(errors).toEqual(error === undefined ? [] : [expect.stringContaining(error)]);
  });

  test.each([
    { properties: 'text' },
    { properties: [1] },
    { properties: { spec: string, metadata: 3 } },
    { properties: { spec: string, apiVersion: 3 } },
    { properties: { spec: string }, additionalProperties: 'text' },
    { items: 5 },
  ])('are reported at the root: %j', (given) => {
    const { groupVersion, errors } = built([crdOf({ schema: { type: 'object', ...given } })]);
    expect(errors).toEqual([
      expect.stringMatching(/^foo\.yaml#spec\/versions\/0\/schema\/openAPIV3Schema\/\w/),
    ]);
    expect(groupVersion.types.map(({ name }) => name)).toEqual(['Foo', 'FooList']);
  });

  test('reports errors beside any number of warnings', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`p${index}`, { type: 'int' }]),
    );
    const schema = { type: 'object', properties: { ...properties, deep: { properties: { wrong: 'text' } } } };
    expect(built([crdOf({ schema })]).errors).toHaveLength(1);
  });

  test('reports a repeated mistake once', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'int' }]),
    );
    expect(built([crdOf({ schema: { type: 'object', properties } })]).warnings.length).toBeLessThanOrEqual(
      20,
    );
  });
});

test('does not change the prototype of objects', () => {
  const schema: JsonObject = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"polluted":{"type":"string"},"toString":{"type":"integer"}}},"constructor":{"type":"object","properties":{"prototype":{"type":"string"}}}},"required":["__proto__","hasOwnProperty"]}',
  );
  const { groupVersion } = built([crdOf({ schema })]);
  expect(groupVersion.types.map(({ name }) => name)).toEqual([
    'Foo',
    'FooConstructor',
    'FooList',
    'Foo__proto__',
  ]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const words = [
  'a',
  'aB',
  'b-c',
  'b_c',
  'bC',
  '',
  '--',
  '__proto__',
  'value',
  'client',
  'watchEvent',
  'list',
  'status',
  'spec',
  '$ref',
  'é',
  '9',
];
const scalars: readonly JsonValue[] = [
  null,
  true,
  'x',
  '',
  1,
  1.5,
  -1,
  'string',
  'object',
  'array',
  'integer',
  'null',
  'int',
];
const keywords = [
  ...[
    'type',
    'type',
    'type',
    'properties',
    'properties',
    'items',
    'additionalProperties',
    'patternProperties',
  ],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'required', 'nullable', 'default', 'description', 'minimum'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-int-or-string', 'x-kubernetes-embedded-resource'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations', 'format', '$ref'],
];

function randomSchema(next: () => number, depth: number): JsonValue {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(next() * items.length)];
  const below = (): JsonValue =>
    depth > 5 || next() < 0.05 ? (pick(scalars) ?? null) : randomSchema(next, depth + 1);
  const several = <T>(make: () => T): T[] => Array.from({ length: Math.floor(next() * 4) }, make);
  const valueFor = (keyword: string): JsonValue => {
    if (next() < 0.05) return pick(scalars) ?? null;
    if (keyword === 'type')
      return (
        pick(['object', 'object', 'array', 'string', 'integer', ['string', 'null'], ['object', 'array']]) ??
        'object'
      );
    if (keyword === 'properties') return Object.fromEntries(several(() => [pick(words) ?? 'a', below()]));
    if (['items', 'additionalProperties', 'not', 'patternProperties'].includes(keyword)) return below();
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return several(below);
    if (['enum', 'x-kubernetes-validations'].includes(keyword)) return several(() => pick(scalars) ?? null);
    if (['required', 'x-kubernetes-list-map-keys'].includes(keyword))
      return several(() => pick(words) ?? 'a');
    return keyword.startsWith('x-') ? true : (pick(scalars) ?? null);
  };
  return Object.fromEntries(
    several(() => pick(keywords) ?? 'type')
      .concat('properties')
      .map((keyword) => [keyword, valueFor(keyword)]),
  );
}

/** Returns the references of a type, at any depth. */
function refsIn(value: unknown): readonly string[] {
  const types = JSON.stringify(value, (key, item: unknown) => (key === 'facts' ? undefined : item));
  return [...types.matchAll(/"shape":"ref","name":("(?:[^"\\]|\\.)*")/g)].map((match) =>
    JSON.parse(match[1] ?? '""'),
  );
}

function membersOf({ properties, rest }: NamedType): readonly Schema[] {
  return [...properties.map(({ schema }) => schema), ...(rest === undefined ? [] : [rest])];
}

/** Returns violations of the invariants of the IR. */
function faultsIn(model: Model): readonly string[] {
  return model.groupVersions.flatMap(({ types, resources, names: own }) => {
    const names = types.flatMap(({ name, aliases }) => [name, ...aliases]);
    const printed = new Set(types.map(({ name }) => name));
    const used = resources.flatMap(({ names: { client, lister, informer, event } }) => [
      ...[client, lister, informer, event],
    ]);
    const values = resources.flatMap(({ names: { constant, watch } }) => [constant, watch]);
    return [
      ...[...names, ...used].filter((name) => !/^[\p{Lu}_][\p{ID_Continue}]*$/u.test(name)),
      ...[...names, ...used, ...values, ...Object.values(own)]
        .filter((name, index, all) => all.indexOf(name) !== index)
        .map((name) => `twice ${name}`),
      ...types
        .flatMap(membersOf)
        .flatMap(refsIn)
        .filter((name) => !printed.has(name))
        .map((name) => `dangling ${name}`),
      ...resources
        .flatMap(({ names: { accessor, constant, watch } }) => [accessor, constant, watch])
        .filter((name) => !isIdentifier(name)),
    ];
  });
}

/** Returns a value with the keys of its objects in another order. The order of lists is kept. */
function shuffled(value: JsonValue, next: () => number): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => shuffled(item, next));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).map(([key, item]) => ({
    key,
    item: shuffled(item, next),
    order: next(),
  }));
  return Object.fromEntries(entries.sort((a, b) => a.order - b.order).map(({ key, item }) => [key, item]));
}

const seeds = Array.from({ length: 200 }, (_, index) => 7_000 + index);

describe('random schemas', () => {
  const kinds = ['Foo', 'FooSpec', 'FooList', 'FooClient', 'Bar', 'WatchFoo'];
  interface Sketch {
    readonly kind: string;
    readonly schema: JsonObject;
  }

  const crdsOf = (next: () => number): readonly Sketch[] =>
    kinds.map((kind) => ({ kind, schema: { ...(randomSchema(next, 0) as JsonObject), type: 'object' } }));

  test.each(seeds)('have valid types and unique names: seed %i', (seed) => {
    const crds = crdsOf(mulberry32(seed)).map((sketch) => crdOf(sketch));
    expect(faultsIn(buildModel({ crds }).model)).toEqual([]);
  });

  test.each(seeds)('have the same types in any order: seed %i', (seed) => {
    const next = mulberry32(seed);
    const sketches = crdsOf(next);
    const outline = (given: readonly Sketch[]): unknown =>
      buildModel({ crds: given.map((sketch) => crdOf(sketch)) }).model.groupVersions.map(({ types }) =>
        types.map(({ name, path, aliases, properties }) => [
          name,
          path,
          aliases,
          properties.map((each) => each.name).sort(),
        ]),
      );
    const other = sketches
      .map(({ kind, schema }) => ({ kind, schema: shuffled(schema, next) as JsonObject, order: next() }))
      .sort((a, b) => a.order - b.order);
    expect(outline(other)).toEqual(outline(sketches));
  });
});
