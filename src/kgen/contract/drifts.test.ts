/** Comparison of single schemas. `test/contracts/rows.ts` has the changes of custom resources on servers. */
import type { SchemaDocument } from '@kgen/runtime/gen/v1';
import { describe, expect, test } from 'vitest';
import { driftsOf } from './drifts.ts';
import type { ContractResource, ContractSchema, Drift, ServedApi } from './types.ts';

const widgets: ContractResource = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  verbs: ['create', 'get', 'list', 'update'],
  subresources: { status: ['get', 'update'] },
};

function schemaOf(field: SchemaDocument, definitions: Record<string, SchemaDocument> = {}): ContractSchema {
  const root: SchemaDocument = { type: 'object', properties: { field } };
  return { root, definition: (name) => definitions[name] };
}

function api(resource: ContractResource, schema?: ContractSchema): ServedApi {
  return {
    resources: [schema === undefined ? { resource } : { resource, schema }],
    unavailable: new Map(),
  };
}

function shown(drifts: readonly Drift[]): readonly string[] {
  return drifts.map(({ breaking, kind, path, message }) =>
    [breaking ? 'breaking' : 'note', kind, path, message].join(' '),
  );
}

function compare(before: SchemaDocument, after: SchemaDocument, resource = widgets): readonly string[] {
  return shown(driftsOf({ resource, schema: schemaOf(before) }, api(resource, schemaOf(after))));
}

describe('fields', () => {
  const big = 9_223_372_036_854_775_807n;

  test.each<[string, SchemaDocument, SchemaDocument, readonly string[]]>([
    [
      'equal limits with different precision',
      { type: 'integer', maximum: 2 ** 63 },
      { type: 'integer', maximum: big },
      [],
    ],
    [
      'a limit of the format',
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'int32', maximum: 2 ** 31 - 1 },
      [],
    ],
    [
      'an exclusive limit',
      { type: 'number', minimum: 0 },
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      ['breaking limit-tightened field minimum was 0, is 0 (exclusive)'],
    ],
    ['a divisor', { type: 'integer', multipleOf: 10 }, { type: 'integer', multipleOf: 5 }, []],
    [
      'another divisor',
      { type: 'integer', multipleOf: 10 },
      { type: 'integer', multipleOf: 4 },
      ['breaking limit-tightened field multipleOf was 10, is 4'],
    ],
    ['a wider format', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }, []],
    [
      'a narrower format',
      { type: 'integer', format: 'int64' },
      { type: 'integer', format: 'int32' },
      ['breaking format-changed field the format was int64, is int32'],
    ],
    [
      'a format that is not checked any more',
      { type: 'string', format: 'date-time' },
      { type: 'string' },
      ['note format-changed field the format was date-time, is free'],
    ],
    ['an unknown format', { type: 'string' }, { type: 'string', format: 'colour' }, []],
    [
      'an enum in another order',
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', enum: ['b', 'a'] },
      [],
    ],
    [
      'descriptions of alternatives',
      { type: 'object', anyOf: [{ required: ['a'] }] },
      { type: 'object', anyOf: [{ required: ['a'], description: 'A' }] },
      [],
    ],
    [
      'a type as alternatives',
      { 'x-kubernetes-int-or-string': true },
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
      [],
    ],
    [
      'int-or-string of OpenAPI v2',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { type: 'string', format: 'int-or-string' },
      [],
    ],
    [
      'an object as a map',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', additionalProperties: { type: 'string' } },
      [],
    ],
    [
      'an object as a map of another type',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', additionalProperties: { type: 'integer' } },
      ['breaking type-changed field.a the type was string, is integer'],
    ],
    [
      'an object that keeps unknown fields',
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      ['note type-removed field.a the server does not describe the field, and accepts any value'],
    ],
    [
      'metadata of embedded resources',
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        properties: { metadata: { type: 'object' } },
      },
      { type: 'object', 'x-kubernetes-embedded-resource': true, required: ['metadata'] },
      [],
    ],
    [
      'a property named like a member of objects',
      { type: 'object', properties: { toString: { type: 'string' } } },
      { type: 'object' },
      ['breaking field-missing field.toString the field does not exist'],
    ],
  ])('compares %s', (_, before, after, drifts) => {
    expect(compare(before, after)).toEqual(drifts);
    expect(compare(before, before)).toEqual([]);
    expect(compare(after, after)).toEqual([]);
  });

  test('are compared for readers only if the client cannot write', () => {
    const reader: ContractResource = { ...widgets, verbs: ['get', 'list'] };
    const before = { type: 'object', properties: { a: { type: 'integer', enum: [1, 2] } } };
    const tighter = {
      type: 'object',
      required: ['b'],
      properties: { a: { type: 'integer', enum: [1], maximum: 1 } },
    };
    expect(compare(before, tighter, reader)).toEqual([]);
    expect(compare(before, { type: 'object', properties: { a: { type: 'string' } } }, reader)).toEqual([
      'breaking type-changed field.a the type was integer, is string',
    ]);
  });

  test('of built-in kinds have published constraints that servers do not apply', () => {
    const builtIn: ContractResource = { ...widgets, builtIn: true };
    const field = (own: SchemaDocument, ...required: string[]): SchemaDocument => ({
      type: 'object',
      properties: { a: own },
      ...(required.length === 0 ? {} : { required }),
    });
    expect(compare(field({ type: 'string' }), field({ type: 'string', enum: ['x'] }, 'a'), builtIn)).toEqual([
      'note enum-narrowed field.a only "x" are accepted',
      'note required-added field.a the field is required',
    ]);
    expect(
      compare(field({ type: 'string', enum: ['x', 'y'] }), field({ type: 'string', enum: ['x'] }), builtIn),
    ).toEqual(['breaking enum-narrowed field.a not accepted any more: "y"']);
    expect(compare(field({ type: 'string', default: '' }, 'a'), field({ type: 'string' }), builtIn)).toEqual([
      'breaking required-removed field.a the field was required and is optional: responses may lack it',
    ]);
    expect(
      compare(field({ type: 'string', default: '' }, 'a'), field({ type: 'string', default: '' }), builtIn),
    ).toEqual([]);
  });
});

describe('references', () => {
  const named = (type: string): SchemaDocument => ({ type: 'object', properties: { size: { type } } });

  test('are equal with and without a wrapper, and with other names', () => {
    const before = schemaOf({ $ref: 'a.Part', default: {} }, { 'a.Part': named('integer') });
    const after = schemaOf(
      { allOf: [{ $ref: '#/components/schemas/b.Part' }], default: {}, description: 'The part.' },
      { 'b.Part': named('integer') },
    );
    expect(shown(driftsOf({ resource: widgets, schema: before }, api(widgets, after)))).toEqual([]);
  });

  test('are compared at each place, and once in recursive definitions', () => {
    const definitions = (type: string): Record<string, SchemaDocument> => ({
      Node: {
        type: 'object',
        properties: {
          size: { type },
          next: { $ref: 'Node' },
          all: { type: 'array', items: { $ref: 'Node' } },
        },
      },
    });
    const before = schemaOf({ $ref: 'Node' }, definitions('integer'));
    const after = schemaOf({ $ref: 'Node' }, definitions('string'));
    expect(shown(driftsOf({ resource: widgets, schema: before }, api(widgets, after)))).toEqual([
      'breaking type-changed field.size the type was integer, is string',
    ]);
  });

  test('to missing definitions accept any value', () => {
    const before = schemaOf({ type: 'string' });
    const after = schemaOf({ $ref: 'Missing' });
    expect(shown(driftsOf({ resource: widgets, schema: before }, api(widgets, after)))).toEqual([
      'note type-removed field the type was string, is not described',
    ]);
  });

  test('that double at each level end with a note', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => {
        const next = { $ref: `L${level + 1}` };
        return [`L${level}`, { type: 'object', properties: { a: next, b: next } }];
      }),
    );
    const schema = schemaOf({ $ref: 'L0' }, definitions);
    expect(shown(driftsOf({ resource: widgets, schema }, api(widgets, schema)))).toEqual([
      'note unavailable  the schema has more than 200000 fields, of which the first ones are compared',
    ]);
  });
});

describe('resources', () => {
  test.each<[string, ServedApi, readonly string[]]>([
    [
      'without a verb',
      api({ ...widgets, verbs: ['create', 'get', 'list'] }),
      ['breaking verb-missing  the verb update is not supported'],
    ],
    [
      'without a verb of a subresource',
      api({ ...widgets, subresources: { status: ['get'], scale: ['get'] } }),
      ['breaking verb-missing  the subresource status does not support the verb update'],
    ],
    [
      'that discovery does not describe',
      { resources: [], unavailable: new Map([['example.com/v1', 'the request timed out']]) },
      ['breaking unavailable  the server does not describe it: the request timed out'],
    ],
    [
      'in other versions',
      api({ ...widgets, version: 'v2' }),
      ['breaking version-missing  version v1 is not served; the server has v2'],
    ],
    [
      'that do not exist',
      api({ ...widgets, group: 'other.com' }),
      ['breaking resource-missing  the kind is not served'],
    ],
  ])('%s are reported', (_, served, drifts) => {
    expect(shown(driftsOf({ resource: widgets }, served))).toEqual(drifts);
  });

  test('without a published schema are reported', () => {
    expect(shown(driftsOf({ resource: widgets, schema: schemaOf({}) }, api(widgets)))).toEqual([
      'note unavailable  fields are not compared: the server publishes no schema',
    ]);
  });
});
