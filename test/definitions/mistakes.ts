/** Mistakes in schemas and objects of which API servers report several, or select one. */
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import type { Json, JsonObject } from '@kgen/schema/values/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crd } from '../support/crd.ts';
import { installed, type Kind, verdictOf } from '../support/sample-attempts.ts';

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const preserve: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const unique: JsonObject = { type: 'array', items: text, uniqueItems: true };

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

function list(items: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'array', items, ...more };
}

function ruled(schema: JsonObject, ...rules: readonly JsonObject[]): JsonObject {
  return { ...schema, 'x-kubernetes-validations': rules };
}

const wrong = { rule: 'self.nothing == 1' };
const faulty = ruled(object({ a: text }), wrong);
const all = { rule: 'self.all(x, self.all(y, self.all(z, x == y && y == z)))' };
const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] };

type SchemaRow = readonly [title: string, schema: JsonObject, want: readonly string[]];

/** Errors as `field: kind`, below the root of the schema, without the path of rules. */
const schemas: readonly SchemaRow[] = [
  [
    'beside an error',
    object({ a: faulty, b: unique }),
    ['[a] 0 rule: Invalid', '[b].uniqueItems: Forbidden'],
  ],
  [
    'above an error, which is not compiled',
    object({ a: ruled(object({ b: unique }), wrong) }),
    ['[a].properties[b].uniqueItems: Forbidden'],
  ],
  [
    'below an error',
    object({ a: object({ b: faulty }, { 'x-kubernetes-map-type': 'x' }) }),
    ['[a].properties[b] 0 rule: Invalid', '[a].x-kubernetes-map-type: Unsupported'],
  ],
  [
    'at an error, which is not compiled',
    object({ a: { ...faulty, 'x-kubernetes-map-type': 'x' } }),
    ['[a].x-kubernetes-map-type: Unsupported'],
  ],
  [
    'of items that their list refuses',
    object({ a: list(faulty, { 'x-kubernetes-list-type': 'set' }) }),
    ['[a].items 0 rule: Invalid', '[a].items.x-kubernetes-map-type: Invalid'],
  ],
  [
    'of a key that has no default',
    object({ a: list(object({ id: ruled(text, wrong) }), keyed) }),
    ['[a].items.properties[id] 0 rule: Invalid', '[a].items.properties[id].default: Required'],
  ],
  [
    'beside a rule without an expression',
    object({ a: faulty, b: ruled(text, { rule: ' ' }) }),
    ['[a] 0 rule: Invalid', '[b] 0 rule: Required'],
  ],
  [
    'of a schema with an invalid reason, which is not compiled',
    object({ a: ruled(object({ b: text }), wrong, { rule: 'true', reason: 'x' }) }),
    ['[a] 1 reason: Unsupported'],
  ],
  [
    'of a schema that is not structural, which is not compiled',
    object({ a: faulty, b: { ...text, anyOf: [text] } }),
    ['[b].anyOf[0].type: Forbidden'],
  ],
  [
    'beside an invalid default, which is not compiled',
    object({ a: faulty, b: { ...text, default: 1 } }),
    ['[b].default: Invalid'],
  ],
  [
    'beside a keyword of JSON Schema, which is not compiled, as defaults are not validated',
    object({ a: faulty, b: { ...text, id: 'b', default: 1 } }),
    ['[b].id: Forbidden'],
  ],
  ['beside $schema, which is not compiled', { ...object({ a: faulty }), $schema: 'x' }, [': Invalid']],
  [
    'of a schema that is nullable at the root',
    { ...object({ a: faulty }), nullable: true },
    ['.nullable: Forbidden', '[a] 0 rule: Invalid'],
  ],
  [
    'of the root above an error, which is not compiled',
    ruled(object({ a: unique, b: faulty }), wrong),
    ['[a].uniqueItems: Forbidden', '[b] 0 rule: Invalid'],
  ],
  [
    'that is expensive beside an error',
    object({ a: ruled(list(text), all), b: unique }),
    [': Forbidden', '[a] 0 rule: Forbidden', '[a] 0 rule: Forbidden', '[b].uniqueItems: Forbidden'],
  ],
  ['of values without a type', object({ a: ruled(preserve, { rule: 'true' }) }), ['[a]: Internal']],
  [
    'below values without a type',
    object({ a: { ...preserve, properties: { b: faulty } } }),
    ['[a].properties[b] 0 rule: Invalid'],
  ],
  [
    'of values without a type, and below them',
    object({ a: ruled({ ...preserve, properties: { b: faulty } }, { rule: 'true' }) }),
    ['[a]: Internal', '[a].properties[b]: Internal'],
  ],
  [
    'of a list of values without a type',
    object({ a: ruled(list(preserve), { rule: 'true' }) }),
    ['[a]: Internal'],
  ],
  [
    'of properties that expressions cannot name',
    ruled(object({ 'a-b': faulty, é: faulty }), { rule: 'has(self.a__dash__b)' }),
    ['[a-b] 0 rule: Invalid', '[é] 0 rule: Invalid'],
  ],
];

const pair = [{ type: 'integer' }, { type: 'string' }];
const intOrString = { 'x-kubernetes-int-or-string': true };
const optional = object({ p: text, q: integer });
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, ...preserve };

type ValueRow = readonly [schema: JsonObject, value: Json, want: readonly string[]];

/** The parts of messages by which an alternative is recognized, in order. */
const values: readonly ValueRow[] = [
  [{ ...intOrString, anyOf: pair }, true, ['integer,string: "boolean"', '(anyOf)', 'integer: "boolean"']],
  [
    { ...intOrString, anyOf: pair },
    1.5,
    ['integer,string: "number"', '(anyOf)', 'integer: "number"', 'integer (default format)'],
  ],
  [{ ...intOrString, anyOf: pair, format: 'ipv4' }, true, ['ipv4: ""', '(anyOf)', 'integer: "boolean"']],
  [{ ...intOrString, anyOf: [{ format: 'ipv4' }, { maximum: 3 }] }, 4, ['(anyOf)', 'ipv4: "int64"']],
  [{ ...text, anyOf: [{ pattern: '^a' }, { format: 'ipv4' }] }, 'y', ['(anyOf)', 'ipv4: "y"']],
  [
    { ...text, oneOf: [{ enum: ['a'] }, { minLength: 3 }, { format: 'date' }] },
    'y',
    ['Found none valid', 'date: "y"'],
  ],
  [
    list(text, { anyOf: [{ minItems: 3 }, { items: { minLength: 3 } }] }),
    ['b'],
    ['(anyOf)', 'at least 3 chars'],
  ],
  [
    { ...optional, anyOf: [{ required: ['p'] }, { properties: { q: { maximum: 1 } } }] },
    { q: 2 },
    ['(anyOf)', 'a.q in body should be less'],
  ],
  [
    {
      ...optional,
      anyOf: [{ required: ['q'] }, { properties: { p: { anyOf: [{ enum: ['a'] }, { pattern: 'b' }] } } }],
    },
    { p: 'x' },
    ['"a" must validate', '"a.p" must validate', 'supported values: "a"'],
  ],
  [{ type: 'number', format: 'float' }, 1e39, ['number with format float']],
  [{ ...integer, format: 'other' }, 1.5, ['integer: "number"', 'integer (default format)']],
  [{ ...text, format: 'int32' }, 1, ['string: "integer"']],
  [{ ...text, format: 'byte' }, '', ['of type byte: ""']],
  [
    object({ m: { type: 'object', additionalProperties: embedded } }),
    { m: { k: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 1 } } } },
    ['a.m[k].metadata: Invalid value: {"name":1}: json: cannot unmarshal number'],
  ],
];

const group = 'mistakes.example.com';

const kindsOfValues = values.map(([schema], index) =>
  crd({ kind: `Value${index}`, group, versions: [{ schema: object({ a: schema }) }] }),
);

/** The tables are the same for a server in memory and a real one. */
export function mistakesSuite(config: () => ClusterConfig): void {
  let rest: RESTClient;
  let kinds: readonly Kind[] = [];
  beforeAll(async () => {
    rest = new RESTClient(config());
    kinds = await installed(rest, kindsOfValues);
  });
  afterAll(() => rest?.close());

  describe('expressions of a definition', () => {
    it.each(schemas)('are compiled by their place: one %s', async (_, schema, want) => {
      const [kind] = await installed(rest, [crd({ kind: 'Mistake', group, versions: [{ schema }] })]);
      expect(kind?.refused.map(placeAndReason).sort()).toEqual([...want].sort());
    });
  });

  describe('an object that no alternative accepts', () => {
    it.each(values.map((row, index) => [index, ...row] as const))(
      'has the errors of the one with the most checks: %s %j %j',
      async (index, _, value, want) => {
        const kind = kinds[index];
        if (kind === undefined) throw new Error('no kind');
        const body = { apiVersion: `${group}/v1`, kind: kind.kind, metadata: { name: 'a' }, a: value };
        const { messages } = await verdictOf(rest, kind.resource, body);
        expect(messages).toEqual(want.map((part) => expect.stringContaining(part)));
      },
    );
  });
}

function placeAndReason(message: string): string {
  const [, field = '', reason = ''] = /^spec\.validation\.openAPIV3Schema(\S*): (\w+)/.exec(message) ?? [];
  return `${field
    .replace(/^\.properties/, '')
    .replace(/\.x-kubernetes-validations(?:\[(\d)\]\.)?/, ' $1 ')
    .trimEnd()}: ${reason}`;
}
