import { isObject, type JsonObject, object } from '@kgen/schema/values/json';
import { type } from 'arktype';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { JsonSchemaSource } from '../../api.ts';
import { formatProblem } from '../../common/problems.ts';
import { declaredSchema } from './json-schema.ts';
import { kindSchema } from './write-schema.ts';

const place = { file: 'api/thing.ts', line: 3, column: 9 };

/** Returns the schema of the member `value` of a spec, and the problems. */
function specOf(schema: JsonObject): { readonly value: JsonObject; readonly problems: readonly string[] } {
  const written = kindSchema(declaredSchema(schema, place));
  const value = object(written.schema, 'properties', 'spec', 'properties', 'value');
  return { value, problems: written.problems.map(formatProblem) };
}

function jsonOf(source: JsonSchemaSource<unknown>): JsonObject {
  const schema: unknown = source['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  const json: unknown = JSON.parse(JSON.stringify(schema));
  if (!isJson(json)) throw new TypeError('the schema is not an object');
  return json;
}

const isJson = (value: unknown): value is JsonObject => isObject(value);

describe.each<{
  readonly title: string;
  readonly schemas: readonly JsonSchemaSource<unknown>[];
  readonly value: JsonObject;
}>([
  {
    title: 'strings with limits',
    schemas: [
      z.object({ spec: z.object({ value: z.string().min(1).max(9).regex(/^a+$/).describe('A name.') }) }),
    ],
    value: { description: 'A name.', type: 'string', minLength: 1, maxLength: 9, pattern: '^a+$' },
  },
  {
    title: 'integers',
    schemas: [z.object({ spec: z.object({ value: z.int() }) }), type({ spec: { value: 'number.integer' } })],
    value: { type: 'integer' },
  },
  {
    title: 'integers of 32 bits',
    schemas: [z.object({ spec: z.object({ value: z.int32() }) })],
    value: { type: 'integer', format: 'int32' },
  },
  {
    title: 'bounds',
    schemas: [
      z.object({ spec: z.object({ value: z.int().gt(0).max(9) }) }),
      type({ spec: { value: '0 < number.integer <= 9' } }),
    ],
    value: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9 },
  },
  {
    title: 'numbers',
    schemas: [z.object({ spec: z.object({ value: z.number() }) }), type({ spec: { value: 'number' } })],
    value: { type: 'number' },
  },
  {
    title: 'defaults, which are optional for writers',
    schemas: [z.object({ spec: z.object({ value: z.int32().default(3) }) })],
    value: { type: 'integer', format: 'int32', default: 3 },
  },
  {
    title: 'null',
    schemas: [
      z.object({ spec: z.object({ value: z.string().nullable().describe('A note.') }) }),
      type({ spec: { value: type('string|null').describe('A note.') } }),
    ],
    value: { type: 'string', nullable: true },
  },
  {
    title: 'literals',
    schemas: [
      z.object({ spec: z.object({ value: z.enum(['a', 'b']) }) }),
      z.object({ spec: z.object({ value: z.union([z.literal('a'), z.literal('b')]) }) }),
      type({ spec: { value: "'a'|'b'" } }),
    ],
    value: { type: 'string', enum: ['a', 'b'] },
  },
  {
    title: 'lists',
    schemas: [
      z.object({ spec: z.object({ value: z.array(z.string()).max(3) }) }),
      type({ spec: { value: 'string[] <= 3' } }),
    ],
    value: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
  {
    title: 'maps',
    schemas: [
      z.object({ spec: z.object({ value: z.record(z.string(), z.boolean()) }) }),
      type({ spec: { value: { '[string]': 'boolean' } } }),
    ],
    value: { type: 'object', additionalProperties: { type: 'boolean' } },
  },
  {
    title: 'objects with any members',
    schemas: [z.object({ spec: z.object({ value: z.looseObject({ a: z.string() }) }) })],
    value: {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
  {
    title: 'any value',
    schemas: [z.object({ spec: z.object({ value: z.unknown() }) }), type({ spec: { value: 'unknown' } })],
    value: { 'x-kubernetes-preserve-unknown-fields': true },
  },
  {
    title: 'integers or strings',
    schemas: [z.object({ spec: z.object({ value: z.union([z.int(), z.string()]) }) })],
    value: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
  },
  {
    title: 'formats of servers',
    schemas: [z.object({ spec: z.object({ value: z.email() }) })],
    value: { type: 'string', format: 'email', pattern: expect.any(String) },
  },
  {
    title: 'other formats, by their patterns',
    schemas: [z.object({ spec: z.object({ value: z.ulid() }) })],
    value: { type: 'string', pattern: expect.any(String) },
  },
  {
    title: 'intersections of objects',
    schemas: [
      z.object({
        spec: z.object({
          value: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() })),
        }),
      }),
    ],
    value: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a'] },
  },
  {
    title: 'keywords of Kubernetes',
    schemas: [
      z.object({
        spec: z.object({
          value: z.array(z.object({ name: z.string() })).meta({
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
          }),
        }),
      }),
    ],
    value: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
  {
    title: 'discriminated unions',
    schemas: [
      z.object({
        spec: z.object({
          value: z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('s3'), bucket: z.string() }),
            z.object({ kind: z.literal('disk'), path: z.string() }),
          ]),
        }),
      }),
      type({
        spec: { value: type({ kind: "'s3'", bucket: 'string' }).or({ kind: "'disk'", path: 'string' }) },
      }),
    ],
    value: {
      type: 'object',
      properties: {
        bucket: { type: 'string' },
        kind: { type: 'string', enum: expect.any(Array) },
        path: { type: 'string' },
      },
      required: ['kind'],
      'x-kubernetes-validations': expect.arrayContaining([
        {
          rule: "self.kind != 's3' || (has(self.bucket) && !has(self.path))",
          message: 'kind s3 requires bucket and excludes path',
        },
      ]),
    },
  },
])('$title', ({ schemas, value }) => {
  test.each(schemas.map((schema, index) => ({ schema, index })))('are structural: $index', ({ schema }) => {
    const found = specOf(jsonOf(schema));
    expect(found.problems).toEqual([]);
    expect(found.value).toMatchObject(value);
    expect(Object.keys(found.value).sort()).toEqual(
      [...new Set([...Object.keys(value), ...('description' in found.value ? ['description'] : [])])].sort(),
    );
  });
});

const node: z.ZodType = z.object({
  name: z.string(),
  get next() {
    return node.optional();
  },
});

test.each([
  ['tuples', z.tuple([z.string()]), 'is a tuple, which a schema cannot express'],
  ['other unions', z.union([z.string(), z.object({})]), 'is a union that a schema cannot express'],
  ['recursion', node, 'is recursive ('],
  ['null', z.null(), 'has only the value null'],
  ['names of members', z.record(z.string().regex(/^a/), z.string()), 'restricts the names of members'],
  [
    'members of both kinds',
    z.object({ a: z.string() }).catchall(z.int()),
    'has properties and a schema of other members',
  ],
  ['other keywords', z.string().meta({ contentSchema: {} }), 'has the keyword contentSchema'],
])('%s are refused with the path and the place of the call', (_, value, text) => {
  const { problems } = specOf(jsonOf(z.object({ spec: z.object({ list: z.array(z.object({ value })) }) })));
  expect(problems.length).toBeGreaterThan(0);
  expect(problems[0]).toContain('api/thing.ts:3:9: error: spec.list[].value');
  expect(problems[0]).toContain(text);
});

test('references are followed', () => {
  const shared = z.object({ a: z.string() }).meta({ id: 'Shared' });
  const schema = z.object({ spec: z.object({ value: shared, other: shared.nullable() }) });
  expect(specOf(jsonOf(schema))).toMatchObject({
    problems: [],
    value: { type: 'object', properties: { a: { type: 'string' } } },
  });
});
