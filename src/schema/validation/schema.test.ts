import { fieldMessage } from '@kgen/runtime/objects';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../testserver/environment/environment.ts';
import { hasFormat } from '../formats/formats.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';
import { applyDefaults } from './defaults.ts';
import { prune } from './prune.ts';
import { validateLists } from './resource.ts';
import { validateRules } from './rules/validate.ts';
import { parseSchema } from './structural.ts';
import { validateSchema } from './validate.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const string = { type: 'string' };
const coerce = (metadata: Json) => ({ metadata: metadata as JsonObject, unknown: [] }); // Metadata of tests.

describe('applyDefaults', () => {
  const schema = object({
    a: { type: 'string', default: 'x' },
    o: object({ p: { type: 'integer', default: 1 } }),
    n: { type: 'string', nullable: true, default: 'y' },
    s: string,
  });

  test.each<[string, Json, Json]>([
    ['fills what is absent', {}, { a: 'x', n: 'y' }],
    ['reaches into what is there', { o: {} }, { o: { p: 1 }, a: 'x', n: 'y' }],
    ['replaces a stray null', { a: null }, { a: 'x', n: 'y' }],
    ['keeps a null that is allowed', { n: null }, { n: null, a: 'x' }],
    ['drops a stray null without a default', { s: null }, { a: 'x', n: 'y' }],
  ])('%s', (_name, given, want) => {
    expect(applyDefaults(given, parseSchema(schema))).toEqual(want);
  });

  test('completes a default with the defaults below it', () => {
    const nested = object({ o: { ...object({ p: { type: 'integer', default: 1 } }), default: {} } });
    expect(applyDefaults({}, parseSchema(nested))).toEqual({ o: { p: 1 } });
  });
});

describe('prune', () => {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

  test.each<[string, JsonObject, JsonObject, Json, readonly string[]]>([
    [
      'what is unknown goes',
      object({ a: string }),
      { a: 'x', b: 1, kind: 'K' },
      { a: 'x', kind: 'K' },
      ['b'],
    ],
    [
      'below lists and maps too',
      object({
        l: { type: 'array', items: object({}) },
        m: { type: 'object', additionalProperties: object({}) },
      }),
      { l: [{ x: 1 }], m: { k: { y: 1 } } },
      { l: [{}], m: { k: {} } },
      ['l[0].x', 'm.k.y'],
    ],
    ['what is preserved stays', object({ f: free }), { f: { x: { y: 1 } } }, { f: { x: { y: 1 } } }, []],
    [
      'known fields are pruned inside what is preserved',
      object({ f: { ...free, properties: { k: object({}) } } }),
      { f: { x: 1, k: { z: 1 } } },
      { f: { x: 1, k: {} } },
      ['f.k.z'],
    ],
    [
      'an embedded resource has no null metadata',
      object({ e: object({}, { 'x-kubernetes-embedded-resource': true }) }),
      { e: { apiVersion: 'v1', kind: 'A', metadata: null } },
      { e: { apiVersion: 'v1', kind: 'A' } },
      [],
    ],
    [
      'an embedded resource keeps its type and metadata',
      object({ e: object({}, { 'x-kubernetes-embedded-resource': true }) }),
      { e: { kind: 'K', apiVersion: 'v1', metadata: { name: 'n' }, x: 1 } },
      { e: { kind: 'K', apiVersion: 'v1', metadata: { name: 'n' } } },
      ['e.x'],
    ],
    [
      'names from the prototype are unknown',
      object({}),
      JSON.parse('{"__proto__":{"a":1},"constructor":1}') as JsonObject,
      {},
      ['__proto__', 'constructor'],
    ],
  ])('%s', (_name, schema, given, want, unknown) => {
    const pruned = prune(given, parseSchema(schema), (metadata) => ({
      metadata: metadata as JsonObject,
      unknown: [],
    }));
    expect(pruned).toEqual({ value: want, unknown });
  });
});

describe('parts that a schema does not change', () => {
  const item = object({ a: { type: 'string', default: 'x' }, b: { type: 'string', nullable: true } });
  const list = {
    type: 'array',
    items: item,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['a'],
  };
  const open = object({
    a: string,
    l: { type: 'array', items: object({ c: { type: 'integer', default: 1 } }) },
  });
  const schemas = [
    object({ o: item, l: list, m: object({}, { additionalProperties: item }) }),
    object({ o: open, l: list }),
    open,
  ];

  test('are returned as they are, also after the other parts have changed', () => {
    const schema = parseSchema(schemas[0] ?? {});
    const value = { o: { a: 'y', b: null }, l: [{ a: 'z' }], m: { k: { a: 'k' } } };
    expect(applyDefaults(value, schema)).toBe(value);
    expect(prune(value, schema, coerce).value).toBe(value);
    const next = applyDefaults({ ...value, o: {} }, schema) as typeof value; // An object like the value.
    expect(next).toEqual({ ...value, o: { a: 'x' } });
    expect([next.l, next.m]).toEqual([value.l, value.m]);
    expect(next.l).toBe(value.l);
    expect(next.m).toBe(value.m);
    const pruned = prune({ ...value, o: { a: 'y', d: 1 } }, schema, coerce);
    expect(pruned).toEqual({ value: { ...value, o: { a: 'y' } }, unknown: ['o.d'] });
    expect((pruned.value as typeof value).l).toBe(value.l);
  });

  test('do not change the results for parts that several schemas and objects have in common', () => {
    const random = seededRandom(19);
    const parts: Json[] = [
      null,
      1,
      'x',
      {},
      [],
      { a: null },
      { a: 'x', b: null },
      [{ a: 'x' }, { a: 'x', c: null }],
    ];
    const pick = (): Json => parts[Math.floor(random() * parts.length)] ?? null;
    const parsed = schemas.map((schema) => parseSchema(schema));
    for (let round = 0; round < 1_000; round += 1) {
      const known = pick();
      const members = ['a', 'b', 'c', 'o', 'l', 'm'].filter(() => random() < 0.6);
      const value = isObject(known) ? known : Object.fromEntries(members.map((key) => [key, pick()]));
      const schema = parsed[Math.floor(random() * parsed.length)] ?? parseSchema({});
      const copy = structuredClone(value);
      const nulls = random() < 0.5 ? 'removed' : 'kept';
      expect(applyDefaults(value, schema, nulls)).toEqual(applyDefaults(copy, schema, nulls));
      expect(prune(value, schema, coerce)).toEqual(prune(structuredClone(copy), schema, coerce));
      expect(validateLists(value, schema)).toEqual(validateLists(structuredClone(copy), schema));
      for (const part of [value, applyDefaults(value, schema, nulls), prune(value, schema, coerce).value])
        if (JSON.stringify(part).length < 200) parts.push(part);
      parts.splice(8, Math.max(parts.length - 20, 0));
    }
  });
});

describe('validateSchema', () => {
  test.each<[JsonObject, Json, readonly string[]]>([
    [string, 'x', []],
    [
      object({ a: string }),
      { a: 1 },
      ['a: Invalid value: "integer": a in body must be of type string: "integer"'],
    ],
    [object({}, { required: ['a'] }), {}, ['a: Required value']],
    [
      object({ a: { type: 'string', enum: ['x', 'y'] } }),
      { a: 'z' },
      ['a: Unsupported value: "z": supported values: "x", "y"'],
    ],
    [
      object({ a: { type: 'string', nullable: true, enum: ['x', null] } }),
      { a: null },
      ['a: Unsupported value: null: supported values: "x", "null"'],
    ],
    [object({ a: { type: 'string', nullable: true, enum: [] } }), { a: null }, []],
    [object({ a: { type: 'string', enum: [] } }), { a: 'z' }, []],
    [object({ a: { type: 'string', pattern: '(?i)^[[:alpha:]]+$' } }), { a: 'Ab' }, []],
    [
      object({ a: { type: 'string', pattern: '\\A[a-z]+\\z' } }),
      { a: 'A' },
      ['a: Invalid value: "A": a in body should match \'\\A[a-z]+\\z\''],
    ],
    [
      object({ a: { type: 'string', maxLength: 1 } }),
      { a: '😀😀' },
      ['a: Too long: may not be more than 1 byte'],
    ],
    [
      object({ a: { type: 'integer', minimum: 1 } }),
      { a: 0 },
      ['a: Invalid value: 0: a in body should be greater than or equal to 1'],
    ],
    [object({ a: { 'x-kubernetes-int-or-string': true } }), { a: '5%' }, []],
    [
      object({ a: { 'x-kubernetes-int-or-string': true } }),
      { a: true },
      ['a: Invalid value: "boolean": a in body must be of type integer,string: "boolean"'],
    ],
    [
      object({ a: { type: 'array', items: string, minItems: 1 } }),
      { a: [] },
      ['a: Invalid value: 0: a in body should have at least 1 items'],
    ],
    [
      object({ a: { type: 'object', additionalProperties: { type: 'integer' } } }),
      { a: { k: 'x' } },
      ['a.k: Invalid value: "string": a.k in body must be of type integer: "string"'],
    ],
    [
      object({ a: object({}, { anyOf: [{ required: ['x'] }, { required: ['y'] }] }) }),
      { a: {} },
      ['<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)', 'a.x: Required value'],
    ],
    [
      object({ a: { type: 'string', not: { enum: ['x'] } } }),
      { a: 'x' },
      ['<nil>: Invalid value: "": "a" must not validate the schema (not)'],
    ],
    [object({ a: { type: 'string', nullable: true } }), { a: null }, []],
  ])('%j with %j', (schema, value, want) => {
    expect(validateSchema(value, parseSchema(schema), undefined).map(fieldMessage)).toEqual(want);
  });

  test('accepts unchanged invalid values on update', () => {
    const schema = parseSchema(object({ a: { type: 'string', maxLength: 1 }, b: string }));
    expect(validateSchema({ a: 'long', b: '2' }, schema, { a: 'long', b: '1' })).toEqual([]);
    expect(validateSchema({ a: 'longer', b: '1' }, schema, { a: 'long', b: '1' })).toHaveLength(1);
  });

  const free = { 'x-kubernetes-preserve-unknown-fields': true };
  const keyed = (id: JsonObject): JsonObject => ({
    ...{ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] },
    items: object({ id: string, a: id }, { required: ['id'] }),
  });
  const short = { type: 'string', maxLength: 1 };

  test.each<[string, JsonObject, Json, boolean]>([
    ['a list without keys', { type: 'array', items: short, maxItems: 0 }, ['long'], true],
    ['a list map', keyed(short), [{ id: 'x', a: 'long' }], true],
    ['an item of a list map without its key', keyed(string), [{ a: 'x' }], false],
    ['an object with fields that have no schema', object({}, { ...free, maxProperties: 0 }), { a: 1 }, false],
    [
      'an object that preserves unknown fields, and has none',
      object({ a: short }, free),
      { a: 'long' },
      true,
    ],
    [
      'an alternative that only an unchanged value violates',
      { ...free, oneOf: [{ properties: { a: { enum: ['x'] } } }, { required: ['a'] }] },
      { a: 'y' },
      true,
    ],
  ])('compares %s with the old value as API servers do', (_, field, value, isAccepted) => {
    const schema = parseSchema(object({ field, other: string }));
    const errors = validateSchema({ field: value, other: 'b' }, schema, { field: value, other: 'a' });
    expect(errors.length === 0).toBe(isAccepted);
  });
});

test('validateLists reports the second of equal elements', () => {
  const schema = parseSchema(
    object({
      s: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
      m: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        items: object({ k: string }),
      },
    }),
  );
  const value = {
    s: ['a', 'b', 'a', 'a'],
    m: [
      { k: 'x', v: 1 },
      { k: 'x', v: 2 },
    ],
  };
  expect(validateLists(value, schema).map(fieldMessage)).toEqual([
    's[2]: Duplicate value: "a"',
    'm[1]: Duplicate value: {"k":"x"}',
  ]);
});

describe('validateRules', () => {
  const check = (
    rule: JsonObject,
    properties: JsonObject,
    value: JsonObject,
    old?: JsonObject,
  ): readonly string[] => {
    const schema = parseSchema(object({ spec: object(properties, { 'x-kubernetes-validations': [rule] }) }));
    const before = old === undefined ? undefined : { spec: old };
    return validateRules({ spec: value }, before, schema).errors.map(fieldMessage);
  };
  const numbers = {
    a: { type: 'integer' },
    b: { type: 'integer' },
    f: { type: 'number' },
    s: string,
    namespace: string,
    'x-y': string,
    l: { type: 'array', items: { type: 'integer' } },
  };

  test.each<[string, JsonObject, readonly string[]]>([
    ['self.a < self.b', { a: 1, b: 2 }, []],
    ['self.a < self.b', { a: 2, b: 1 }, ['spec: Invalid value: failed rule: self.a < self.b']],
    ['!has(self.a) || self.a > 0', {}, []],
    ['self.f > 0.5', { f: 1 }, []],
    ["self.__namespace__ == 'n' && self.x__dash__y == 'd'", { namespace: 'n', 'x-y': 'd' }, []],
    ["self.s.matches('^[a-z]+$')", { s: 'abc' }, []],
    ['self.l.isSorted() && self.l.sum() == 6 && self.l.max() == 3', { l: [1, 2, 3] }, []],
    ['self.l.all(x, x > 0) && self.l.exists(x, x == 2)', { l: [1, 2] }, []],
    ['sets.contains(self.l, [2])', { l: [1, 2] }, []],
    ['self.b == 1', { a: 1 }, ['spec: Invalid value: "object": no such key: b evaluating rule: self.b == 1']],
  ])('%s with %j', (rule, value, want) => {
    expect(check({ rule }, numbers, value)).toEqual(want);
  });

  test('evaluates transition rules with an old object only, other rules on changes', () => {
    expect(check({ rule: 'self.a >= oldSelf.a' }, numbers, { a: 1 })).toEqual([]);
    expect(
      check({ rule: 'self.a >= oldSelf.a', message: 'no way back' }, numbers, { a: 1 }, { a: 2 }),
    ).toEqual(['spec: Invalid value: no way back']);
    expect(check({ rule: 'self.a > 5' }, numbers, { a: 1 }, { a: 1 })).toEqual([]);
  });

  test('supports messageExpression, reason and fieldPath', () => {
    const rule = {
      rule: 'self.a > 5',
      messageExpression: "'a is ' + string(self.a)",
      reason: 'FieldValueForbidden',
      fieldPath: '.a',
    };
    expect(check(rule, numbers, { a: 1 })).toEqual(['spec.a: Forbidden: a is 1']);
  });
});

test.each<[string, string, boolean]>([
  ['date-time', '2024-02-29T12:00:00Z', true],
  ['date-time', '2023-02-29T12:00:00Z', false],
  ['date', '2024-13-01', false],
  ['duration', '1h30m', true],
  ['duration', 'soon', false],
  ['ipv4', '10.0.0.256', false],
  ['cidr', '10.0.0.0/8', true],
  ['cidr', 'fe80::/129', false],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', true],
  ['byte', 'YWJj', true],
  ['byte', 'YWJ', false],
  ['byte', '', false],
  ['email', 'a@b.example', true],
  ['hostname', 'a_b', false],
  ['isbn13', '978-0321751041', true],
  ['made-up', 'anything', true],
])('validates format %s of %s: %s', (format, value, want) => {
  expect(hasFormat(format, value)).toBe(want);
});
