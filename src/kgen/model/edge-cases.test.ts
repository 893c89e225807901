import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd-input.ts';
import { rulesText, specOf, specText } from './model.fixture.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const pair = [integer, string];
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString = { 'x-kubernetes-int-or-string': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
const object = (properties: JsonValue, more = {}): JsonValue => ({ type: 'object', properties, ...more });

interface Case {
  readonly title: string;
  readonly given: JsonValue;
  /** `spec` of a kind whose schema has the given one there. */
  readonly want: string;
}

const cases: readonly Case[] = [
  // 57: int-or-string
  { title: '57 with anyOf', given: { ...intOrString, anyOf: pair }, want: 'spec?: int-or-string' },
  { title: '57 without anyOf', given: { ...intOrString }, want: 'spec?: int-or-string' },
  { title: '57 without the extension', given: { anyOf: pair }, want: 'spec?: int-or-string' },
  { title: '57 as oneOf', given: { oneOf: [string, integer] }, want: 'spec?: int-or-string' },
  {
    title: '57 as allOf',
    given: { ...intOrString, allOf: [{ anyOf: pair }, { pattern: 'a' }] },
    want: 'spec?: int-or-string',
  },
  { title: '57 as allOf alone', given: { allOf: [{ anyOf: pair }] }, want: 'spec?: int-or-string' },
  {
    title: '57 as a format',
    given: { type: 'string', format: 'int-or-string' },
    want: 'spec?: int-or-string',
  },
  { title: '57 as a list of types', given: { type: ['integer', 'string'] }, want: 'spec?: int-or-string' },
  {
    title: '57 in items',
    given: { type: 'array', items: { ...intOrString } },
    want: 'spec?: [int-or-string]',
  },
  {
    title: '57 in a map',
    given: { type: 'object', additionalProperties: { ...intOrString, anyOf: pair } },
    want: 'spec?: { [*]: int-or-string }',
  },
  {
    title: '57 beside a pattern',
    given: { ...intOrString, pattern: 'a', maxLength: 3 },
    want: 'spec?: int-or-string',
  },
  { title: '57 nullable', given: { ...intOrString, nullable: true }, want: 'spec?: int-or-string | null' },
  { title: '57 with enum', given: { ...intOrString, enum: [1, 'a', true] }, want: 'spec?: 1 | "a"' },
  {
    title: '57 with constrained members',
    given: { anyOf: [integer, { type: 'string', pattern: 'a' }] },
    want: 'spec?: int-or-string',
  },

  // 58: preserve-unknown
  {
    title: '58 on an object',
    given: { type: 'object', ...preserve },
    want: 'spec?: { [*]: unknown(preserve-unknown) }',
  },
  { title: '58 untyped', given: { ...preserve }, want: 'spec?: unknown(preserve-unknown)' },
  {
    title: '58 with properties',
    given: object({ a: string }, preserve),
    want: 'spec?: { a?: string; [*]: unknown(preserve-unknown) }',
  },
  {
    title: '58 with additionalProperties',
    given: { type: 'object', ...preserve, additionalProperties: string },
    want: 'spec?: { [*]: string }',
  },
  {
    title: '58 with open additionalProperties',
    given: { type: 'object', ...preserve, additionalProperties: true },
    want: 'spec?: { [*]: unknown(preserve-unknown) }',
  },
  {
    title: '58 on an array',
    given: { type: 'array', ...preserve },
    want: 'spec?: [unknown(preserve-unknown)]',
  },
  {
    title: '58 on an array with items',
    given: { type: 'array', ...preserve, items: string },
    want: 'spec?: [string]',
  },
  {
    title: '58 in items',
    given: { type: 'array', items: { type: 'object', ...preserve } },
    want: 'spec?: [{ [*]: unknown(preserve-unknown) }]',
  },
  {
    title: '58 in map values',
    given: { type: 'object', additionalProperties: { ...preserve } },
    want: 'spec?: { [*]: unknown(preserve-unknown) }',
  },

  // 59: free-form
  { title: '59 alone', given: { type: 'object' }, want: 'spec?: { [*]: unknown(free-form) }' },
  { title: '59 with empty properties', given: object({}), want: 'spec?: { [*]: unknown(free-form) }' },
  {
    title: '59 in additionalProperties',
    given: { type: 'object', additionalProperties: { type: 'object' } },
    want: 'spec?: { [*]: { [*]: unknown(free-form) } }',
  },

  // 60: embedded resources
  {
    title: '60 without properties',
    given: { type: 'object', ...embedded, ...preserve },
    want: 'spec?: EmbeddedObject',
  },
  {
    title: '60 with properties',
    given: object(
      { spec: string, apiVersion: string, metadata: { type: 'object' } },
      { ...embedded, required: ['spec'] },
    ),
    want: 'spec?: { apiVersion: string; kind: string; metadata?: ObjectMeta; spec: string }',
  },
  {
    title: '60 with properties and preserve-unknown',
    given: object(
      { kind: { type: 'string', enum: ['Pod'] } },
      { ...embedded, ...preserve, required: ['metadata'] },
    ),
    want: 'spec?: { apiVersion: string; kind: "Pod"; metadata: ObjectMeta; [*]: unknown(preserve-unknown) }',
  },
  {
    title: '60 partial ObjectMeta',
    given: object({
      metadata: object({ name: string, labels: { type: 'object', additionalProperties: string } }),
    }),
    want: 'spec?: { metadata?: { name?: string; labels?: { [*]: string } } }',
  },

  // 61: nullable
  { title: '61 scalar', given: { type: 'string', nullable: true }, want: 'spec?: string | null' },
  {
    title: '61 object',
    given: object({ a: string }, { nullable: true }),
    want: 'spec?: { a?: string } | null',
  },
  {
    title: '61 array',
    given: { type: 'array', nullable: true, items: string },
    want: 'spec?: [string] | null',
  },
  {
    title: '61 items',
    given: { type: 'array', items: { ...string, nullable: true } },
    want: 'spec?: [string | null]',
  },
  {
    title: '61 enum',
    given: { ...string, nullable: true, enum: ['a', 'b'] },
    want: 'spec?: "a" | "b" | null',
  },
  {
    title: '61 null inside enum',
    given: { ...string, nullable: true, enum: ['a', null] },
    want: 'spec?: "a" | null',
  },
  { title: '61 null inside enum alone', given: { ...string, enum: [null, 'a'] }, want: 'spec?: "a" | null' },
  { title: '61 nothing but null in enum', given: { ...string, enum: [null] }, want: 'spec?: null | null' },
  { title: '61 as a list of types', given: { type: ['string', 'null'] }, want: 'spec?: string | null' },
  { title: '61 as a type', given: { type: 'null' }, want: 'spec?: null | null' },
  {
    title: '61 required',
    given: object({ a: { ...string, nullable: true } }, { required: ['a'] }),
    want: 'spec?: { a: string | null }',
  },

  // 62: defaults
  {
    title: '62 required with a default',
    given: object({ a: { ...string, default: 'x' } }, { required: ['a'] }),
    want: 'spec?: { a=?: string }',
  },
  {
    title: '62 optional with a default',
    given: object({ a: { ...integer, default: 0 } }),
    want: 'spec?: { a=?: integer }',
  },
  {
    title: '62 default null fills nothing unless null is allowed',
    given: object(
      { a: { ...string, default: null }, b: { ...string, nullable: true, default: null } },
      { required: ['a', 'b'] },
    ),
    want: 'spec?: { a: string; b=?: string | null }',
  },

  // 63: enums
  {
    title: '63 strings',
    given: { ...string, enum: ['a b', 'A-B', 'a-b', ''] },
    want: 'spec?: "a b" | "A-B" | "a-b" | ""',
  },
  { title: '63 duplicates', given: { ...string, enum: ['a', 'a'] }, want: 'spec?: "a"' },
  { title: '63 numbers', given: { ...integer, enum: [1, 2] }, want: 'spec?: 1 | 2' },
  { title: '63 fractions', given: { type: 'number', enum: [0.5, 1, -1] }, want: 'spec?: 0.5 | 1 | -1' },
  { title: '63 booleans', given: { type: 'boolean', enum: [true] }, want: 'spec?: true' },
  { title: '63 without a type', given: { enum: ['a', 1, false] }, want: 'spec?: "a" | 1 | false' },
  {
    title: '63 without a type, not literal',
    given: { enum: ['a', { b: 1 }] },
    want: 'spec?: unknown(untyped)',
  },
  { title: '63 some values unequal to the type', given: { ...string, enum: ['a', 1] }, want: 'spec?: "a"' },
  { title: '63 all values unequal to the type', given: { ...string, enum: [1, 2] }, want: 'spec?: string' },
  { title: '63 fraction of an integer', given: { ...integer, enum: [1.5] }, want: 'spec?: integer' },
  { title: '63 beyond 2^53', given: { ...integer, enum: [2 ** 60] }, want: 'spec?: integer' },
  { title: '63 not finite', given: { type: 'number', enum: [Number.NaN, 1] }, want: 'spec?: 1' },
  {
    title: '63 on an array',
    given: { type: 'array', items: string, enum: [['a']] },
    want: 'spec?: [string]',
  },
  {
    title: '63 on an object',
    given: object({ a: string }, { enum: [{ a: 'b' }] }),
    want: 'spec?: { a?: string }',
  },
  { title: '63 in items', given: { type: 'array', items: { ...string, enum: ['a'] } }, want: 'spec?: ["a"]' },
  { title: '63 empty', given: { ...string, enum: [] }, want: 'spec?: string' },
  {
    title: '63 in several members of allOf',
    given: { ...string, allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
    want: 'spec?: "b"',
  },

  // 64: additionalProperties
  {
    title: '64 true',
    given: { type: 'object', additionalProperties: true },
    want: 'spec?: { [*]: unknown(free-form) }',
  },
  {
    title: '64 empty',
    given: { type: 'object', additionalProperties: {} },
    want: 'spec?: { [*]: unknown(free-form) }',
  },
  { title: '64 false', given: { type: 'object', additionalProperties: false }, want: 'spec?: {  }' },
  {
    title: '64 false with properties',
    given: object({ a: string }, { additionalProperties: false }),
    want: 'spec?: { a?: string }',
  },
  {
    title: '64 of maps',
    given: { type: 'object', additionalProperties: { type: 'object', additionalProperties: integer } },
    want: 'spec?: { [*]: { [*]: integer } }',
  },
  {
    title: '64 of lists',
    given: { type: 'object', additionalProperties: { type: 'array', items: { ...string, nullable: true } } },
    want: 'spec?: { [*]: [string | null] }',
  },
  {
    title: '64 of numbers',
    given: { additionalProperties: { type: 'number' } },
    want: 'spec?: { [*]: number }',
  },
  {
    title: '64 of enums',
    given: { type: 'object', additionalProperties: { ...string, enum: ['a'] } },
    want: 'spec?: { [*]: "a" }',
  },
  {
    title: '64 beside properties',
    given: object({ a: integer }, { additionalProperties: string }),
    want: 'spec?: { a?: integer; [*]: string }',
  },
  {
    title: '64 open beside properties',
    given: object({ a: integer }, { additionalProperties: true }),
    want: 'spec?: { a?: integer; [*]: unknown(free-form) }',
  },
  {
    title: '64 patternProperties',
    given: { type: 'object', patternProperties: { a: string } },
    want: 'spec?: { [*]: unknown(free-form) }',
  },
  {
    title: '64 patternProperties beside properties',
    given: object({ a: string }, { patternProperties: { b: string } }),
    want: 'spec?: { a?: string; [*]: unknown(free-form) }',
  },

  // 65: logic
  {
    title: '65 of required only',
    given: object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    want: 'spec?: { a?: string; b?: string }',
  },
  {
    title: '65 with not',
    given: object(
      { a: string },
      { anyOf: [{ not: { required: ['a'] } }], not: { properties: { a: { enum: ['b'] } } } },
    ),
    want: 'spec?: { a?: string }',
  },
  { title: '65 not an enum', given: { ...string, not: { enum: ['a'] } }, want: 'spec?: string' },
  {
    title: '65 of constrained properties: the own ones hold',
    given: object(
      { a: string },
      { oneOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { enum: ['y'] } } }] },
    ),
    want: 'spec?: { a?: string }',
  },
  {
    title: '65 of properties that only members have',
    given: object(
      { a: string },
      { anyOf: [{ properties: { b: integer } }, { properties: { c: string }, required: ['c'] }] },
    ),
    want: 'spec?: { a?: string; b?: integer; c?: string }',
  },
  {
    title: '65 of properties that members have in different types',
    given: object(
      { a: string },
      { oneOf: [{ properties: { b: integer } }, { properties: { b: { type: 'boolean' } } }] },
    ),
    want: 'spec?: { a?: string; b?: integer | boolean }',
  },
  {
    title: '65 of properties that one member types and another constrains',
    given: object(
      { a: string },
      { oneOf: [{ properties: { b: integer } }, { properties: { b: { maximum: 3 } } }] },
    ),
    want: 'spec?: { a?: string; b?: integer }',
  },
  {
    title: '65 allOf with properties',
    given: object(
      { a: string },
      { allOf: [{ properties: { b: integer }, required: ['b'] }, { required: ['a'] }] },
    ),
    want: 'spec?: { a: string; b: integer }',
  },
  {
    title: '65 allOf with constraints only',
    given: { ...string, allOf: [{ maxLength: 3 }, { pattern: 'a' }] },
    want: 'spec?: string',
  },
  { title: '65 allOf with the type', given: { allOf: [string, { maxLength: 3 }] }, want: 'spec?: string' },
  {
    title: '65 allOf with everything',
    given: { allOf: [{ properties: { a: string } }, { properties: { b: string }, required: ['b'] }] },
    want: 'spec?: { a?: string; b: string }',
  },
  {
    title: '65 of types',
    given: { oneOf: [string, { type: 'array', items: string }] },
    want: 'spec?: string | [string]',
  },
  {
    title: '65 of types and null',
    given: { anyOf: [string, { type: 'null' }] },
    want: 'spec?: string | null',
  },
  {
    title: '65 of one type twice',
    given: {
      anyOf: [
        { ...string, format: 'ipv4' },
        { ...string, format: 'ipv6' },
      ],
    },
    want: 'spec?: string',
  },
  {
    title: '65 of a type and a constraint',
    given: { anyOf: [string, { required: ['a'] }] },
    want: 'spec?: unknown(untyped)',
  },
  {
    title: '65 of objects',
    given: { oneOf: [object({ a: string }), object({ b: integer }), integer] },
    want: 'spec?: { a?: string } | { b?: integer } | integer',
  },
  {
    title: '65 of unions',
    given: { anyOf: [{ anyOf: [string, integer] }, { type: 'boolean' }] },
    want: 'spec?: int-or-string | boolean',
  },
  {
    title: '65 of types below a type',
    given: { ...string, anyOf: [integer, { type: 'boolean' }] },
    want: 'spec?: string',
  },
  {
    title: '65 a list of types',
    given: { type: ['string', 'array', 'null'], items: integer },
    want: 'spec?: string | [integer] | null',
  },

  // 66: no tuples
  {
    title: '66 one item',
    given: { type: 'array', items: string, minItems: 1, maxItems: 1 },
    want: 'spec?: [string]',
  },
  {
    title: '66 many items',
    given: { type: 'array', items: string, minItems: 64, maxItems: 4096 },
    want: 'spec?: [string]',
  },

  // 67: types that are missing or wrong
  {
    title: '67 properties without type',
    given: { properties: { a: string } },
    want: 'spec?: { a?: string }',
  },
  { title: '67 items without type', given: { items: string }, want: 'spec?: [string]' },
  { title: '67 array without items', given: { type: 'array' }, want: 'spec?: [unknown(untyped)]' },
  {
    title: '67 array with empty items',
    given: { type: 'array', items: {} },
    want: 'spec?: [unknown(untyped)]',
  },
  {
    title: '67 string with properties',
    given: { type: 'string', properties: { a: string } },
    want: 'spec?: string',
  },
  {
    title: '67 array with properties',
    given: { type: 'array', items: string, properties: { a: string } },
    want: 'spec?: [string]',
  },
  { title: '67 nothing at all', given: {}, want: 'spec?: unknown(untyped)' },
  { title: '67 a description alone', given: { description: 'Anything.' }, want: 'spec?: unknown(untyped)' },
  { title: '67 null for a schema', given: null, want: 'spec?: unknown(untyped)' },
  { title: '67 empty type', given: { type: '', properties: { a: string } }, want: 'spec?: { a?: string }' },

  // 68: formats
  ...['int32', 'int64', 'uint8', 'uint64'].map((format) => ({
    title: `68 ${format}`,
    given: { type: 'integer', format },
    want: 'spec?: integer',
  })),
  ...['double', 'float'].map((format) => ({
    title: `68 ${format}`,
    given: { type: 'number', format },
    want: 'spec?: number',
  })),
  ...['byte', 'date', 'date-time', 'duration', 'cidr', 'quantity', 'string', 'string:int64', 'no such'].map(
    (format) => ({
      title: `68 ${format}`,
      given: { type: 'string', format },
      want: 'spec?: string',
    }),
  ),

  // 70: names of properties
  {
    title: '70 any name',
    given: object(
      JSON.parse(
        '{"$ref":{"type":"string"},"a.b/c":{"type":"string"},"9lives":{"type":"string"},"a\\n\\"b\\"":{"type":"string"},"constructor":{"type":"string"},"__proto__":{"type":"integer"},"":{"type":"string"},"-":{"type":"string"}}',
      ),
      { required: ['__proto__', 'constructor'] },
    ),
    want: 'spec?: { $ref?: string; a.b/c?: string; 9lives?: string; a\n"b"?: string; constructor: string; __proto__: integer; ?: string; -?: string }',
  },
  {
    title: '70 names that camel case would join',
    given: object({ init_containers: string, initContainers: integer }),
    want: 'spec?: { init_containers?: string; initContainers?: integer }',
  },

  // 76: list types
  {
    title: '76 map',
    given: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['b', 'a'],
      items: object({ a: string, b: string }),
    },
    want: 'spec?: map b,a [{ a?: string; b?: string }]',
  },
  {
    title: '76 map with a key that no property has',
    given: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['c'],
      items: object({ a: string }),
    },
    want: 'spec?: map [{ a?: string }]',
  },
  {
    title: '76 set',
    given: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
    want: 'spec?: set [string]',
  },
  {
    title: '76 atomic',
    given: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: string },
    want: 'spec?: [string]',
  },
];

describe('types of schemas', () => {
  test.each(cases)('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
  });

  test('required without a default stays required', () => {
    expect(specText(string, true)).toBe('spec: string');
  });
});

describe('required names without a property', () => {
  test.each([
    {
      title: 'typed by additionalProperties',
      given: { type: 'object', additionalProperties: integer, required: ['a'] },
      want: 'spec?: { a: integer; [*]: integer }',
    },
    {
      title: 'open',
      given: object({ b: string }, { ...preserve, required: ['a'] }),
      want: 'spec?: { b?: string; a: unknown(preserve-unknown); [*]: unknown(preserve-unknown) }',
    },
    { title: 'closed', given: object({ b: string }, { required: ['a'] }), want: 'spec?: { b?: string }' },
    {
      title: 'free-form',
      given: { type: 'object', required: ['a'] },
      want: 'spec?: { [*]: unknown(free-form) }',
    },
  ])('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
  });
});

describe('logic that types cannot say is documentation', () => {
  const rules = (spec: JsonValue): readonly string[] => {
    return rulesText(specOf({ type: 'object', properties: { spec } }).schema.facts.rules);
  };

  test.each([
    {
      title: 'oneOf beside properties',
      given: object({ a: string }, { oneOf: [{ required: ['a'] }] }),
      want: ['constraint {"oneOf":[{"required":["a"]}]}'],
    },
    { title: 'not', given: { ...string, not: { enum: ['a'] } }, want: ['constraint {"not":{"enum":["a"]}}'] },
    {
      title: 'enum on an array',
      given: { type: 'array', items: string, enum: [['a']] },
      want: ['constraint {"enum":[["a"]]}'],
    },
    { title: 'enum of another type', given: { ...string, enum: [1] }, want: ['constraint {"enum":[1]}'] },
    { title: 'enum that is the type', given: { ...string, enum: ['a'] }, want: [] },
    { title: 'the pair of an IntOrString', given: { ...intOrString, anyOf: pair }, want: [] },
    { title: 'the pair within allOf', given: { ...intOrString, allOf: [{ anyOf: pair }] }, want: [] },
    { title: 'a union', given: { oneOf: [string, { type: 'array', items: string }] }, want: [] },
    {
      title: 'a union that lost members',
      given: { oneOf: [{ ...string, pattern: 'a' }, string] },
      want: ['constraint {"oneOf":[{"type":"string","pattern":"a"},{"type":"string"}]}'],
    },
    {
      title: 'without prose',
      given: { ...string, anyOf: [{ description: 'x', pattern: 'a' }] },
      want: ['constraint {"anyOf":[{"pattern":"a"}]}'],
    },
    {
      title: 'a property named description',
      given: object({ a: string }, { not: { properties: { description: {} } } }),
      want: ['constraint {"not":{"properties":{"description":{}}}}'],
    },
  ])('$title', ({ given, want }) => {
    expect(rules(given)).toEqual(want);
  });
});
