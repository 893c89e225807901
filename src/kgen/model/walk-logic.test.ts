import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../input/crd/crd-input.ts';
import { rulesText, type SpecCase, specOf, specText } from './model.fixture.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const pair = [integer, string];
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString = { 'x-kubernetes-int-or-string': true };
const object = (properties: JsonValue, more = {}): JsonValue => ({ type: 'object', properties, ...more });

/** Cases of the schema walker, numbered by topic. */
const cases: readonly SpecCase[] = [
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
    title: '65 of constrained properties: the values of all members',
    given: object(
      { a: string },
      { oneOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { enum: ['y'] } } }] },
    ),
    want: 'spec?: { a?: "x" | "y" }',
  },
  {
    title: '65 of values',
    given: { ...string, anyOf: [{ enum: ['a'] }, { enum: ['b', 'a'] }] },
    want: 'spec?: "a" | "b"',
  },
  {
    title: '65 of values of which exactly one list has a value',
    given: { ...string, oneOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] },
    want: 'spec?: "a" | "c"',
  },
  {
    title: '65 of values of which one list is constrained further',
    given: { ...string, oneOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'], minLength: 2 }] },
    want: 'spec?: "a" | "b" | "c"',
  },
  {
    title: '65 of values, and a member without any',
    given: { ...string, anyOf: [{ enum: ['a'] }, { pattern: '^b' }] },
    want: 'spec?: string',
  },
  {
    title: '65 of values, of which the own ones exclude some',
    given: { ...string, enum: ['a', 'b'], anyOf: [{ enum: ['b'] }, { enum: ['c'] }] },
    want: 'spec?: "b"',
  },
  {
    title: '65 of values in members of members',
    given: {
      ...string,
      anyOf: [{ anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }, { allOf: [{ enum: ['c'] }] }],
    },
    want: 'spec?: "a" | "b" | "c"',
  },
  {
    title: '65 of numbers',
    given: { ...integer, anyOf: [{ enum: [1] }, { enum: [2] }] },
    want: 'spec?: 1 | 2',
  },
  {
    title: '65 values that are excluded',
    given: { ...string, enum: ['a', 'b'], not: { enum: ['a'] } },
    want: 'spec?: "b"',
  },
  {
    title: '65 of values in items',
    given: { type: 'array', items: { ...string, anyOf: [{ enum: ['a'] }, { enum: ['b'] }] } },
    want: 'spec?: ["a" | "b"]',
  },
  {
    title: '65 of lists with constrained items',
    given: { type: 'array', items: string, anyOf: [{ items: { enum: ['a'] } }, { items: { enum: ['b'] } }] },
    want: 'spec?: ["a" | "b"]',
  },
  {
    title: '65 of constrained properties, one of which is free',
    given: object({ a: string }, { anyOf: [{ properties: { a: { enum: ['x'] } } }, { required: ['a'] }] }),
    want: 'spec?: { a?: string }',
  },
  {
    title: '65 of constrained properties in all members',
    given: object({ a: string }, { allOf: [{ properties: { a: { enum: ['x', 'y'] } } }] }),
    want: 'spec?: { a?: "x" | "y" }',
  },
  {
    title: '65 of constrained properties of properties',
    given: object(
      { a: object({ b: { type: 'array', items: string } }) },
      {
        anyOf: ['x', 'y'].map((value) => ({
          properties: { a: { properties: { b: { items: { enum: [value] } } } } },
        })),
      },
    ),
    want: 'spec?: { a?: { b?: ["x" | "y"] } }',
  },
  {
    title: '65 of constrained properties in members of members',
    given: object(
      { a: string },
      {
        allOf: [
          {
            anyOf: [
              { properties: { a: { enum: ['x'] } } },
              { oneOf: [{ properties: { a: { enum: ['y'] } } }] },
            ],
          },
        ],
      },
    ),
    want: 'spec?: { a?: "x" | "y" }',
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
];

describe('types with logical keywords', () => {
  test.each(cases)('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
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

describe('logic without a type', () => {
  const rules = (spec: JsonValue): readonly string[] => {
    return rulesText(specOf({ type: 'object', properties: { spec } }).schema.facts);
  };

  test.each([
    {
      title: 'oneOf beside properties',
      given: object({ a: string }, { oneOf: [{ required: ['a'] }] }),
      want: ['oneOf [{"required":["a"]}]'],
    },
    { title: 'not', given: { ...string, not: { enum: ['a'] } }, want: ['not {"enum":["a"]}'] },
    {
      title: 'enum on an array',
      given: { type: 'array', items: string, enum: [['a']] },
      want: ['enum [["a"]]'],
    },
    { title: 'enum of another type', given: { ...string, enum: [1] }, want: ['enum [1]'] },
    { title: 'enum that is the type', given: { ...string, enum: ['a'] }, want: [] },
    {
      title: 'values of members that are the type',
      given: { ...string, anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
      want: [],
    },
    {
      title: 'values of members with other constraints',
      given: { ...string, anyOf: [{ enum: ['a'] }, { enum: ['b'], pattern: 'b' }] },
      want: ['anyOf [{"enum":["a"]},{"enum":["b"],"pattern":"b"}]'],
    },
    { title: 'the pair of an IntOrString', given: { ...intOrString, anyOf: pair }, want: [] },
    { title: 'the pair within allOf', given: { ...intOrString, allOf: [{ anyOf: pair }] }, want: [] },
    { title: 'a union', given: { oneOf: [string, { type: 'array', items: string }] }, want: [] },
    {
      title: 'a union that lost members',
      given: { oneOf: [{ ...string, pattern: 'a' }, string] },
      want: ['oneOf [{"pattern":"a","type":"string"},{"type":"string"}]'],
    },
    {
      title: 'a property named description',
      given: object({ a: string }, { not: { properties: { description: {} } } }),
      want: ['not {"properties":{"description":{}}}'],
    },
  ])('$title', ({ given, want }) => {
    expect(rules(given)).toEqual(want);
  });
});

const values = (...list: readonly JsonValue[]): JsonObject => ({ enum: list });

/** Members of logical keywords that only state values, and those that a server accepts. */
const combined: readonly (readonly [title: string, more: JsonObject, want: string])[] = [
  ['not in allOf', { enum: ['a', 'b', 'c'], allOf: [{ not: values('a') }] }, '"b" | "c"'],
  ['not of anyOf', { enum: ['a', 'b', 'c'], not: { anyOf: [values('a'), values('b')] } }, '"c"'],
  ['not of not', { enum: ['a', 'b', 'c'], not: { not: values('a') } }, '"a"'],
  ['not in oneOf', { enum: ['a', 'b', 'c'], oneOf: [{ not: values('a', 'b') }, values('a')] }, '"a" | "c"'],
  [
    'not in anyOf',
    { enum: ['a', 'b', 'c'], anyOf: [{ not: values('a') }, { not: values('b') }] },
    '"a" | "b" | "c"',
  ],
  ['not with a pattern', { enum: ['a', 'b'], not: { ...values('a'), pattern: '^b' } }, '"a" | "b"'],
  ['anyOf in oneOf', { oneOf: [{ anyOf: [values('a'), values('b')] }, values('b')] }, '"a"'],
  ['allOf in oneOf', { oneOf: [values('a', 'b'), { allOf: [values('b'), values('b', 'c')] }] }, '"a"'],
  ['oneOf in oneOf', { oneOf: [{ oneOf: [values('a'), values('b')] }, values('b', 'c')] }, '"a" | "c"'],
  [
    'a value in three members of oneOf',
    { oneOf: [values('a', 'b'), values('b'), values('b', 'c')] },
    '"a" | "c"',
  ],
  [
    'oneOf in anyOf',
    { anyOf: [{ oneOf: [values('a', 'b'), values('b', 'c')] }, values('d')] },
    '"a" | "c" | "d"',
  ],
];

test.each(combined)('values of %s', (_, more, want) => {
  expect(specText({ ...string, ...more })).toBe(`spec?: ${want}`);
  expect(specText({ type: 'array', items: { ...string, ...more } })).toBe(`spec?: [${want}]`);
  expect(specText(object({ a: string }, { allOf: [{ properties: { a: more } }] }))).toBe(
    `spec?: { a?: ${want} }`,
  );
});

test('many values are read in linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => String(index));
  const oneOf = many.map((value) => values(value));
  expect(specText({ ...string, oneOf })).toBe(
    `spec?: ${many.map((value) => JSON.stringify(value)).join(' | ')}`,
  );
});
