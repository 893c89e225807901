import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import {
  apiOf,
  definitionOf,
  kindSchema,
  listSchema,
  meta,
  modelOf,
  object,
  ref,
  resourceOf,
} from '../api.fixture.ts';
import { buildModel } from '../build.ts';
import type { GroupVersionSchemas } from '../ir.ts';
import { crdOf } from '../model.fixture.ts';
import { anyObject, publishedSchema } from '../schema/published-schema.ts';

function customOf(schema: JsonObject | undefined): GroupVersionSchemas | undefined {
  const crds = [crdOf(schema === undefined ? {} : { schema })];
  const [module] = buildModel({ crds }).model.schemas;
  return module;
}

describe('the schema of a custom resource', () => {
  test('has the name that API servers publish', () => {
    const module = customOf({ type: 'object' });
    expect([...(module?.kinds ?? [])]).toEqual([['Foo', 'com.example.v1.Foo']]);
    expect(module?.definitions.get('com.example.v1.Foo')).toEqual({ type: 'object' });
    expect(module?.imports).toEqual([]);
  });

  test('keeps validation, defaults and properties with the name of a keyword', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        description: { type: 'string', description: 'Text.', default: { description: 'kept' } },
        list: { type: 'array', items: { type: 'string', title: 'T' }, 'x-kubernetes-list-type': 'set' },
        big: { type: 'integer', maximum: 9223372036854775807n },
      },
      'x-kubernetes-validations': [{ rule: 'true', message: 'fails' }],
    };
    expect(publishedSchema({ ...schema, description: 'Prose.', example: {}, 'x-vendor': 1 })).toEqual({
      ...schema,
      properties: {
        description: { type: 'string', default: { description: 'kept' } },
        list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        big: { type: 'integer', maximum: 9223372036854775807n },
      },
    });
  });

  test('has one object for its equal parts', () => {
    const part = (): JsonObject => ({
      type: 'object',
      properties: { 'a"b': { type: 'string', enum: ['x', 'y'] } },
    });
    const others: readonly JsonObject[] = [
      { type: 'object', properties: { 'a"b': { type: 'string', enum: ['x,y'] } } },
      { type: 'object', properties: { 'a"b': { type: 'string', enum: ['y', 'x'] } } },
      { maximum: 1 },
      { maximum: 1n },
      { default: '1' },
      { default: 1 },
      { default: null },
      { default: 'null' },
      { default: [[]] },
      { default: [] },
    ];
    const properties = { a: part(), b: { items: part() }, ...Object.fromEntries(others.entries()) };
    const module = customOf({ type: 'object', properties });
    const published = module?.definitions.get('com.example.v1.Foo')?.['properties'];
    const [, ...found] = Object.values(published ?? {});
    expect(new Set(found).size).toBe(others.length + 2);
    expect(published).toMatchObject(properties);
    expect(published).toHaveProperty('a');
    // seam: the line above checks it
    const { a, b } = published as { readonly a: JsonObject; readonly b: JsonObject };
    expect(a).toBe(b['items']);
  });

  test('has names for long parts that occur more than once', () => {
    const values = Array.from({ length: 60 }, (_, index) => `value ${index}`);
    const inner = (): JsonObject => ({ type: 'string', enum: values });
    const outer = (): JsonObject => ({ type: 'object', properties: { a: inner() }, required: values });
    const short: JsonObject = { type: 'object', properties: { b: { type: 'string' } } };
    const partsOf = (properties: JsonObject) => [...(customOf({ type: 'object', properties })?.parts ?? [])];
    const parts = partsOf({ x: outer(), y: { items: outer() }, z: short, zz: short });
    expect(parts).toEqual([[outer(), expect.stringMatching(/^part_[0-9a-f]{6}$/)]]);
    const more = partsOf({ alone: { not: { items: outer() } }, other: inner(), x: outer(), y: outer() });
    expect(more.map(([part]) => part)).toEqual([inner(), outer()]);
    expect(more[1]?.[1]).not.toBe(parts[0]?.[1]);
    expect(partsOf({ w: outer(), a: inner(), z: outer() })).toEqual(more);
    expect(partsOf({ x: outer(), z: short })).toEqual([]);
  });

  test('drops null, except in a default', () => {
    expect(publishedSchema({ type: 'object', nullable: true, default: null, items: null })).toEqual({
      type: 'object',
      nullable: true,
      default: null,
    });
  });

  test('keeps a property named __proto__', () => {
    const schema = JSON.parse('{ "properties": { "__proto__": { "type": "string" } } }');
    expect(JSON.stringify(publishedSchema(schema))).toBe(JSON.stringify(schema));
  });
});

test('a custom resource without a schema accepts every object', () => {
  expect(customOf(undefined)?.definitions.get('com.example.v1.Foo')).toEqual(anyObject);
});

describe('definitions of an API', () => {
  const app = 'com.example.apps.v1.App';
  const part = 'com.example.core.v1.Part';
  const size = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
  const api = apiOf(
    [
      definitionOf(app, kindSchema({ part: ref(part) }), ['apps.example.com/v1/App']),
      definitionOf(`${app}List`, listSchema(app), ['apps.example.com/v1/AppList']),
      definitionOf(part, object({ size: ref(size), part: ref(part) })),
      definitionOf('com.example.core.v1.Other', kindSchema(), ['core.example.com/v1/Other']),
      definitionOf(size, { type: 'string' }),
    ],
    {
      'apps.example.com/v1': [
        resourceOf('apps.example.com/v1/App', 'apps', { definition: app, listDefinition: `${app}List` }),
      ],
    },
  );
  const summary = (options: { readonly include?: readonly string[] }): JsonValue =>
    modelOf(api, options).model.schemas.map(({ home, definitions, kinds, imports }) => ({
      home: `${home.group}/${home.version}`,
      definitions: [...definitions.keys()],
      kinds: Object.fromEntries(kinds),
      imports: imports.map(({ group, version }) => `${group}/${version}`),
    }));
  const apps = {
    home: 'apps.example.com/v1',
    definitions: [app, `${app}List`],
    kinds: { App: app },
    imports: ['core.example.com/v1', 'meta/v1'],
  };

  test('are in the modules of their group versions, which import each other', () => {
    expect(summary({})).toEqual([
      apps,
      {
        home: 'core.example.com/v1',
        definitions: ['com.example.core.v1.Other', part],
        kinds: {},
        imports: ['meta/v1'],
      },
      {
        home: 'meta/v1',
        definitions: [size, `${meta}.ListMeta`, `${meta}.ObjectMeta`],
        kinds: {},
        imports: [],
      },
    ]);
  });

  test('are reduced to those of selected kinds', () => {
    expect(summary({ include: ['apps.example.com'] })).toMatchObject([
      apps,
      { definitions: [part] },
      { definitions: [size, `${meta}.ListMeta`, `${meta}.ObjectMeta`] },
    ]);
  });
});

describe('a schema beyond the limits accepts every object', () => {
  const string: JsonObject = { type: 'string' };

  test('if it is nested too deeply', () => {
    let schema: JsonValue = string;
    for (let level = 0; level < 10_000; level += 1) schema = { type: 'array', items: schema };
    expect(publishedSchema({ type: 'object', properties: { spec: schema } })).toEqual(anyObject);
  });

  test('if its shared parts multiply', () => {
    let shared: JsonObject = string;
    for (let level = 0; level < 60; level += 1) shared = { properties: { a: shared, b: shared } };
    expect(publishedSchema(shared)).toEqual(anyObject);
  });
});
