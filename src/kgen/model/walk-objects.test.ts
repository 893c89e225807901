import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { type SpecCase, specText } from './model.fixture.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
const object = (properties: JsonValue, more = {}): JsonValue => ({ type: 'object', properties, ...more });

/** Cases of the schema walker, numbered by topic. */
const cases: readonly SpecCase[] = [
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
    want: 'spec?: { metadata?: { labels?: { [*]: string }; name?: string } }',
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

  // 70: names of properties
  {
    title: '70 any name',
    given: object(
      JSON.parse(
        '{"$ref":{"type":"string"},"a.b/c":{"type":"string"},"9lives":{"type":"string"},"a\\n\\"b\\"":{"type":"string"},"constructor":{"type":"string"},"__proto__":{"type":"integer"},"":{"type":"string"},"-":{"type":"string"}}',
      ),
      { required: ['__proto__', 'constructor'] },
    ),
    want: 'spec?: { ?: string; $ref?: string; -?: string; 9lives?: string; __proto__: integer; a\n"b"?: string; a.b/c?: string; constructor: string }',
  },
  {
    title: '70 names that camel case would join',
    given: object({ init_containers: string, initContainers: integer }),
    want: 'spec?: { initContainers?: integer; init_containers?: string }',
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
    title: '76 map of values that are not objects',
    given: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
      items: { type: 'string', properties: { a: string } },
    },
    want: 'spec?: map [string]',
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

describe('types of objects and lists', () => {
  test.each(cases)('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
  });
});
