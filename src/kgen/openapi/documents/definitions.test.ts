import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { claim, described, schemaIn, v2, v3, v3Home } from '../openapi.fixture.ts';

const thing = { type: 'object', properties: { name: { type: 'string' } } };
const ref = (name: string): JsonObject => ({ $ref: `${v3Home}${name}` });

describe('normalization of definitions', () => {
  const cases: readonly { title: string; given: JsonObject; want: JsonObject }[] = [
    {
      title: 'A1: $ref with siblings',
      given: { ...ref('a.Thing'), description: 'x' },
      want: { $ref: 'a.Thing', description: 'x' },
    },
    {
      title: 'A2: allOf around a reference, with siblings',
      given: { allOf: [ref('a.Thing')], default: {}, description: 'x' },
      want: { $ref: 'a.Thing', default: {}, description: 'x' },
    },
    {
      title: 'A4: the same in items and in values',
      given: {
        type: 'array',
        items: { allOf: [ref('a.Thing')], default: {} },
        additionalProperties: { allOf: [ref('a.Thing')] },
      },
      want: {
        type: 'array',
        items: { $ref: 'a.Thing', default: {} },
        additionalProperties: { $ref: 'a.Thing' },
      },
    },
    {
      title: 'wrappers in wrappers',
      given: { description: 'outer', allOf: [{ description: 'inner', allOf: [ref('a.Thing')] }] },
      want: { $ref: 'a.Thing', description: 'outer' },
    },
    {
      title: 'an intersection stays one',
      given: { type: 'object', properties: { x: { type: 'string' } }, allOf: [ref('a.Thing')] },
      want: { type: 'object', properties: { x: { type: 'string' } }, allOf: [{ $ref: 'a.Thing' }] },
    },
    {
      title: 'members of unions',
      given: { anyOf: [ref('a.Thing'), { type: 'string' }], not: ref('a.Thing') },
      want: { anyOf: [{ $ref: 'a.Thing' }, { type: 'string' }], not: { $ref: 'a.Thing' } },
    },
    {
      title: 'A6 and A7: formats and unions stay',
      given: { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' },
      want: { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' },
    },
    {
      title: 'A11: properties named like keywords are properties',
      given: {
        type: 'object',
        properties: { $ref: { type: 'string' }, allOf: { type: 'array', items: ref('a.Thing') } },
      },
      want: {
        type: 'object',
        properties: { $ref: { type: 'string' }, allOf: { type: 'array', items: { $ref: 'a.Thing' } } },
      },
    },
    {
      title: 'values are no schemas',
      given: { default: ref('x'), enum: [ref('y')] },
      want: { default: ref('x'), enum: [ref('y')] },
    },
    { title: 'escapes in references', given: ref('odd~1na%7Ee%20x'), want: { $ref: 'odd/na~e x' } },
  ];
  test.each(cases)('$title', ({ given, want }) => {
    const result = described([
      v3({ 'a.Thing': thing, 'odd/na~e x': thing, 'a.Under': { properties: { test: given } } }),
    ]);
    expect(result.stated).toEqual([]);
    expect(schemaIn(result, 'a.Under')).toEqual({ properties: { test: want } });
  });

  test('does not modify documents', () => {
    const document = v3({
      'a.Thing': thing,
      'a.Under': { properties: { test: { allOf: [ref('a.Thing')] } } },
    });
    const before = JSON.stringify(document.value);
    described([document]);
    expect(JSON.stringify(document.value)).toBe(before);
  });

  test('accepts __proto__ as a name', () => {
    const text = `{"__proto__": {"properties": {"__proto__": {"$ref": "${v3Home}__proto__"}}}}`;
    const result = described([v3(JSON.parse(text) as JsonObject)]);
    expect(JSON.stringify(schemaIn(result, '__proto__'))).toBe(
      '{"properties":{"__proto__":{"$ref":"__proto__"}}}',
    );
    expect(result.stated).toEqual([]);
  });

  test('A40: resolves definitions that are aliases', () => {
    const result = described([
      v2({
        'a.Thing': thing,
        'old.Thing': { $ref: '#/definitions/a.Thing', description: 'Deprecated. Use a.Thing.' },
        'older.Thing': { $ref: '#/definitions/old.Thing' },
        'a.User': { properties: { thing: { $ref: '#/definitions/older.Thing', description: 'x' } } },
      }),
    ]);
    expect([...result.api.definitions.keys()]).toEqual(['a.Thing', 'a.User']);
    expect(schemaIn(result, 'a.User')).toEqual({
      properties: { thing: { $ref: 'a.Thing', description: 'x' } },
    });
  });
});

describe('invalid references', () => {
  const cases: readonly { title: string; given: JsonObject; want: JsonObject; stated: readonly RegExp[] }[] =
    [
      {
        title: 'to nothing',
        given: { 'a.User': { properties: { x: { description: 'y', ...ref('a.Gone') } } } },
        want: { properties: { x: { description: 'y' } } },
        stated: [/^v3\.json: error: "a\.User\.x" refers to "a\.Gone", which no document defines/],
      },
      {
        title: 'to something else',
        given: { 'a.User': { properties: { x: { $ref: 'https://example.com/x' } } } },
        want: { properties: { x: {} } },
        stated: [/"a\.User\.x" refers to "https:\/\/example\.com\/x"/],
      },
      {
        title: 'from a definition to itself',
        given: { 'a.User': { description: 'x', allOf: [ref('a.User')] } },
        want: { description: 'x' },
        stated: [/error: the definition "a\.User" consists of itself and is typed as unknown/],
      },
      {
        title: 'of two definitions to each other',
        given: { 'a.User': ref('b.User'), 'b.User': ref('a.User') },
        want: {},
        stated: [/error: the definition "a\.User" consists of itself/],
      },
      {
        title: 'round an intersection',
        given: {
          'a.User': { properties: {}, allOf: [ref('b.User')] },
          'b.User': { properties: {}, allOf: [ref('a.User')] },
        },
        want: {},
        stated: [/error: the definition "a\.User" consists of itself/],
      },
      {
        title: 'round an intersection further in',
        given: { 'a.User': { properties: { x: { allOf: [ref('a.User'), { properties: {} }] } } } },
        want: {},
        stated: [/error: the definition "a\.User" consists of itself/],
      },
      {
        title: 'from a list to itself',
        given: { 'a.User': { type: 'array', items: ref('a.User') } },
        want: {},
        stated: [/error: the definition "a\.User" consists of itself/],
      },
      {
        title: 'round maps and lists',
        given: {
          'a.User': { additionalProperties: { type: 'array', items: ref('b.User') } },
          'b.User': { items: ref('a.User') },
        },
        want: {},
        stated: [/error: the definition "a\.User" consists of itself/],
      },
    ];
  test.each(cases)('$title', ({ given, want, stated }) => {
    const result = described([v3(given)]);
    expect(schemaIn(result, 'a.User')).toEqual(want);
    expect(result.stated).toHaveLength(stated.length);
    for (const [index, pattern] of stated.entries()) expect(result.stated[index]).toMatch(pattern);
  });

  test('accept a recursive type', () => {
    const tree = { properties: { children: { type: 'array', items: ref('a.Tree') }, not: ref('a.Tree') } };
    const list = { type: 'array', items: ref('a.Tree') };
    const branch = {
      type: 'object',
      allOf: [{ properties: { branch: ref('a.Branch'), list: ref('a.List') } }],
    };
    expect(described([v3({ 'a.Tree': tree, 'a.List': list, 'a.Branch': branch })]).stated).toEqual([]);
  });
});

describe('A36: copies of a definition', () => {
  const path = (apiVersion: string): JsonObject => ({ [`/apis/${apiVersion}/things`]: {} });

  test('are merged with the kinds of all copies', () => {
    const result = described([
      v3({ 'meta.Options': { ...thing, ...claim('a/v1/Options', 'b/v1/Options') } }, {}, 'a.json'),
      v3({ 'meta.Options': { ...thing, ...claim('b/v1/Options', 'c/v1/Options') } }, {}, 'b.json'),
    ]);
    expect(result.stated).toEqual([]);
    expect(result.api.definitions.get('meta.Options')?.kinds.map(({ group }) => group)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('that differ are read from their own group version, with one warning', () => {
    const own = { ...thing, description: 'own', ...claim('b/v1/Thing') };
    const copies = [
      v3(
        { 'x.b.v1.Thing': { ...own, description: 'other' }, 'x.b.v1.Part': { description: 'other' } },
        path('a/v1'),
        'a.json',
      ),
      v3({ 'x.b.v1.Thing': own, 'x.b.v1.Part': { description: 'own' } }, path('b/v1'), 'b.json'),
    ];
    for (const documents of [copies, [...copies].reverse()]) {
      const result = described(documents);
      expect(schemaIn(result, 'x.b.v1.Thing')).toEqual(own);
      expect(schemaIn(result, 'x.b.v1.Part')).toEqual({ description: 'own' });
      expect(result.stated).toEqual([
        expect.stringMatching(
          /^warning: 2 definitions differ between the documents: "x\.b\.v1\.Thing" in a\.json and b\.json/,
        ),
      ]);
    }
  });

  test('that differ without a group version are read from the first file', () => {
    const copies = [
      v3({ a: { description: 'b' } }, {}, 'b.json'),
      v3({ a: { description: 'a' } }, {}, 'a.json'),
    ];
    expect(schemaIn(described(copies), 'a')).toEqual({ description: 'a' });
  });
});
