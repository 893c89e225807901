import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { built, crdOf, namesOf, propertyOf, typeOf } from '../model.fixture.ts';

const string = { type: 'string' };
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('equal objects', () => {
  const port = object({ name: string, port: { type: 'integer' } });
  const typesOf = (schema: JsonObject): ReadonlyMap<string, readonly string[]> => {
    const { types } = built([crdOf({ schema })]).groupVersion;
    return new Map(types.filter(({ role }) => role === 'nested').map(({ name, aliases }) => [name, aliases]));
  };

  test('become one type at the shallowest path with aliases for the other names', () => {
    const schema = object({
      spec: object({ a: object({ x: port }), z: port, b: { type: 'array', items: port } }),
    });
    expect(typesOf(schema)).toEqual(
      new Map<string, readonly string[]>([
        ['FooSpec', []],
        ['FooSpecA', []],
        ['FooSpecB', ['FooSpecAX', 'FooSpecZ']],
      ]),
    );
  });

  test('are detected bottom-up', () => {
    const schema = object({ spec: object({ a: object({ x: port }), b: object({ x: port }) }) });
    expect(typesOf(schema)).toEqual(
      new Map<string, readonly string[]>([
        ['FooSpec', []],
        ['FooSpecA', ['FooSpecB']],
        ['FooSpecAX', ['FooSpecBX']],
      ]),
    );
  });

  const variants: readonly { title: string; other: JsonValue; equal: boolean }[] = [
    { title: 'order of properties', other: object({ port: { type: 'integer' }, name: string }), equal: true },
    { title: 'description of the object', other: { ...port, description: 'x' }, equal: true },
    { title: 'nullable object', other: { ...port, nullable: true }, equal: true },
    { title: 'required', other: { ...port, required: ['port'] }, equal: false },
    {
      title: 'description of a property',
      other: object({ name: { ...string, description: 'x' }, port: { type: 'integer' } }),
      equal: false,
    },
    {
      title: 'validation of a property',
      other: object({ name: string, port: { type: 'integer', minimum: 1 } }),
      equal: false,
    },
    {
      title: 'default',
      other: object({ name: { ...string, default: 'x' }, port: { type: 'integer' } }),
      equal: false,
    },
    {
      title: 'nullable property',
      other: object({ name: { ...string, nullable: true }, port: { type: 'integer' } }),
      equal: false,
    },
    { title: 'type', other: object({ name: string, port: { type: 'number' } }), equal: false },
    {
      title: 'enum',
      other: object({ name: { ...string, enum: ['a'] }, port: { type: 'integer' } }),
      equal: false,
    },
    { title: 'other keys', other: { ...port, additionalProperties: string }, equal: false },
    {
      title: 'one more property',
      other: object({ name: string, port: { type: 'integer' }, x: string }),
      equal: false,
    },
  ];
  test.each(variants)('are compared: $title: $equal', ({ other, equal }) => {
    expect(typesOf(object({ a: port, b: other })).get('FooA')).toEqual(equal ? ['FooB'] : []);
  });

  test.each([
    { title: 'string and number literals', a: { enum: ['1'] }, b: { enum: [1] } },
    {
      title: 'list types',
      a: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
      b: { type: 'array', items: string },
    },
    { title: 'reasons of unknown', a: {}, b: { 'x-kubernetes-preserve-unknown-fields': true } },
    {
      title: 'unions',
      a: { oneOf: [string, { type: 'boolean' }] },
      b: { oneOf: [string, { type: 'number' }] },
    },
    {
      title: 'maps and lists',
      a: { type: 'array', items: string },
      b: { type: 'object', additionalProperties: string },
    },
    {
      title: 'kinds of runtime types',
      a: { type: 'object', 'x-kubernetes-embedded-resource': true },
      b: { type: 'object' },
    },
  ])('are separate if they differ by $title', ({ a, b }) => {
    expect(typesOf(object({ p: object({ x: a }), q: object({ x: b }) })).size).toBe(2);
  });

  test.each<{ title: string; a: JsonObject; b?: JsonObject }>([
    { title: 'titles and examples', a: { properties: { x: { ...string, title: 'X', example: 'x' } } } },
    { title: 'external documentation', a: { properties: { x: { ...string, externalDocs: { url: 'x' } } } } },
    {
      title: 'values of an enum that occur twice',
      a: { properties: { x: { ...string, enum: ['a', 'a'] } } },
      b: { properties: { x: { ...string, enum: ['a'] } } },
    },
    {
      title: 'required properties with a default',
      a: { properties: { x: { ...string, default: 'x' } }, required: ['x'] },
      b: { properties: { x: { ...string, default: 'x' } } },
    },
  ])('are one type with variants if they differ in $title', ({ a, b = { properties: { x: string } } }) => {
    const schema = object({ p: { type: 'object', ...a }, q: { type: 'object', ...b } });
    const { groupVersion } = built([crdOf({ schema })]);
    expect(typeOf(groupVersion, 'FooP').aliases).toEqual(['FooQ']);
    const { properties } = typeOf(groupVersion, 'Foo');
    expect(
      properties.flatMap(({ schema: { shape, ...rest } }) => (shape === 'ref' ? ['variant' in rest] : [])),
    ).toEqual([false, true]);
  });

  test('are separate across kinds, so that a further CRD does not rename types', () => {
    const schema = object({ spec: port });
    expect(namesOf({ schema }, { kind: 'Bar', schema })).toEqual([
      'Bar',
      'BarList',
      'BarSpec',
      'Foo',
      'FooList',
      'FooSpec',
    ]);
  });

  test.each([
    { z: 'Of z.', a: 'Of a.', want: undefined },
    { z: 'Of z.', a: undefined, want: undefined },
    { z: undefined, a: 'Of a.', want: undefined },
    { z: 'Of both.', a: 'Of both.', want: 'Of both.' },
  ])('with the descriptions $z and $a have the description $want', ({ z, a, want }) => {
    const described = (text: string | undefined): JsonObject => ({
      type: 'array',
      items: text === undefined ? port : { ...port, description: text },
    });
    const schema = object({ deep: object({ a: described(a) }), z: described(z), y: described(z) });
    const { groupVersion } = built([crdOf({ schema })]);
    expect(typeOf(groupVersion, 'FooY')).toMatchObject({ path: 'Foo.y[]', aliases: ['FooDeepA', 'FooZ'] });
    expect(typeOf(groupVersion, 'FooY').facts.description).toBe(want);
  });

  test('have their descriptions and rules on the properties that contain them, not on the type', () => {
    const rules = { minProperties: 1, description: 'Of a.' };
    const { groupVersion } = built([crdOf({ schema: object({ a: { ...port, ...rules } }) })]);
    expect(typeOf(groupVersion, 'FooA').facts).toEqual({ keywords: {} });
    expect(propertyOf(typeOf(groupVersion, 'Foo'), 'a').schema.facts).toEqual({
      description: 'Of a.',
      isWhole: true,
      keywords: { ...port, ...rules },
    });
  });

  test('omit facts that are not valid at every place', () => {
    const description = 'Deprecated: use z.';
    const rules = { minProperties: 1, default: {}, description };
    const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
    const shared = object({ a: list({ ...port, ...rules }), z: list({ ...port, description }) });
    const alone = object({ a: list({ ...port, ...rules }) });
    const factsAt = (schema: JsonObject) => typeOf(built([crdOf({ schema })]).groupVersion, 'FooA').facts;
    expect(factsAt(shared)).toEqual({ description, keywords: {} });
    expect(factsAt(alone)).toEqual({ description, isWhole: true, keywords: { ...port, ...rules } });
  });
});
