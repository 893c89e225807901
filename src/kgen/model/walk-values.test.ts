import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { type SpecCase, specText } from './model.fixture.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const pair = [integer, string];
const intOrString = { 'x-kubernetes-int-or-string': true };
const object = (properties: JsonValue, more = {}): JsonValue => ({ type: 'object', properties, ...more });

/** Cases of the schema walker, numbered by topic. */
const cases: readonly SpecCase[] = [
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
    title: '57 as a format, which servers ignore',
    given: { type: 'string', format: 'int-or-string' },
    want: 'spec?: string',
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
    want: 'spec?: "a" | "b"',
  },
  {
    title: '61 null inside enum',
    given: { ...string, nullable: true, enum: ['a', null] },
    want: 'spec?: "a"',
  },
  { title: '61 null inside enum alone', given: { ...string, enum: [null, 'a'] }, want: 'spec?: "a"' },
  { title: '61 nothing but null in enum', given: { ...string, enum: [null] }, want: 'spec?: never' },
  { title: '61 as a list of types', given: { type: ['string', 'null'] }, want: 'spec?: string | null' },
  { title: '61 as a type', given: { type: 'null' }, want: 'spec?: null' },
  {
    title: '61 enum in items',
    given: { type: 'array', items: { ...string, nullable: true, enum: ['a', null] } },
    want: 'spec?: ["a"]',
  },
  {
    title: '61 enum in values of a map',
    given: { type: 'object', additionalProperties: { ...integer, nullable: true, enum: [1] } },
    want: 'spec?: { [*]: 1 }',
  },
  {
    title: '61 enum with null as the default',
    given: object({ a: { ...string, nullable: true, enum: ['a'], default: null } }, { required: ['a'] }),
    want: 'spec?: { a: "a" }',
  },
  {
    title: '61 enum of another node: servers accept null',
    given: { ...string, nullable: true, allOf: [{ enum: ['a'] }] },
    want: 'spec?: "a" | null',
  },
  {
    title: '61 enum of members: servers accept null',
    given: { ...string, nullable: true, anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
    want: 'spec?: "a" | "b" | null',
  },
  {
    title: '61 enum of members of the object: servers refuse null',
    given: object(
      { a: { ...string, nullable: true } },
      { anyOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { enum: ['y'] } } }] },
    ),
    want: 'spec?: { a?: "x" | "y" }',
  },
  {
    title: '61 enum of one of the members of the object: servers accept null',
    given: object(
      { a: { ...string, nullable: true } },
      { anyOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { maxLength: 3 } } }] },
    ),
    want: 'spec?: { a?: string | null }',
  },
  { title: '61 empty enum', given: { ...string, nullable: true, enum: [] }, want: 'spec?: string | null' },
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
  {
    title: '63 digits beyond 2^53',
    given: { ...integer, enum: [1, 9007199254740993n] },
    want: 'spec?: integer',
  },
  {
    title: '63 digits beyond 2^53 of a number',
    given: { type: 'number', enum: [9007199254740993n] },
    want: 'spec?: number',
  },
  {
    title: '63 digits beyond 2^53 without a type',
    given: { enum: ['a', 9007199254740993n] },
    want: 'spec?: unknown(untyped)',
  },
  { title: '63 large numbers', given: { type: 'number', enum: [0.5, 1e21] }, want: 'spec?: 0.5 | 1e+21' },
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
];

describe('types of values', () => {
  test.each(cases)('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
  });

  test('keep a required property without a default required', () => {
    expect(specText(string, true)).toBe('spec: string');
  });
});
