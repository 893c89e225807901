/**
 * Random definitions with structural schemas, which API servers accept with few exceptions. No schema has
 * objects without properties, or values of any type beside typed ones: servers drop the fields of these,
 * while their types are free-form.
 */
import { fromEntries, type Json, type JsonObject } from '@kgen/schema/values/json';
import { crd } from './crd.ts';
import type { Random } from './random.ts';

const preserve = { 'x-kubernetes-preserve-unknown-fields': true };
const embedded = { 'x-kubernetes-embedded-resource': true };
const intOrString = { 'x-kubernetes-int-or-string': true };
const pair = [{ type: 'integer' }, { type: 'string' }];

/** Returns a definition with the version `v1` of a kind. */
export function anyDefinition(kind: string, group: string, random: Random): object {
  const properties = {
    spec: objectSchema(random, 3),
    ...(random.chance(0.2) && { extra: anySchema(random, 2) }),
  };
  const schema = { type: 'object', properties, ...(random.chance(0.5) && { required: ['spec'] }) };
  return crd({ kind, group, versions: [{ schema }] });
}

/** Returns a schema of any type, with at most `depth` schemas inside each other. */
export function anySchema(random: Random, depth: number): JsonObject {
  const [bare, samples] = depth <= 0 || random.chance(0.45) ? leaf(random) : branch(random, depth);
  const nullable: JsonObject = random.chance(0.2) ? { nullable: true } : {};
  const defaults: readonly Json[] = nullable['nullable'] === true ? [...samples, null] : samples;
  const [first, ...others] = defaults;
  return {
    ...bare,
    ...nullable,
    ...(first !== undefined && random.chance(0.2) && { default: random.pick([first, ...others]) }),
  };
}

/** A schema, and values that it accepts; a few that it refuses, too. */
type Drawn = readonly [schema: JsonObject, values: readonly Json[]];

const texts: readonly [Drawn, ...Drawn[]] = [
  [{ type: 'string' }, ['', 'a']],
  [{ type: 'string', minLength: 1, maxLength: 5 }, ['abc', '']],
  [{ type: 'string', pattern: '^[a-z]+$' }, ['abc', 'A']],
  [{ type: 'string', pattern: '^(?i)x[[:digit:]]\\z' }, ['X1', 'y']],
  [{ type: 'string', format: 'date-time' }, ['2024-01-01T00:00:00Z', 'never']],
  [{ type: 'string', format: 'duration' }, ['5s']],
  [{ type: 'string', format: 'ipv4' }, ['10.0.0.1']],
  [{ type: 'string', format: 'byte' }, ['YQ==']],
  [{ type: 'string', format: 'uuid' }, []],
  [{ type: 'string', format: 'unknown-format' }, ['x']],
  [{ type: 'string', format: 'int-or-string' }, ['x']],
  [{ type: 'string', enum: ['a', 'b'] }, ['a', 'c']],
  [{ type: 'string', enum: ['', 'a'] }, ['']],
  [{ type: 'string', enum: ['a', null] }, ['a']],
  [{ type: 'string', enum: [] }, ['a']],
  [{ type: 'string', allOf: [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, ['b', 'a']],
  [{ type: 'string', anyOf: [{ enum: ['a'] }, { enum: ['b'] }] }, ['b', 'c']],
  [{ type: 'string', oneOf: [{ enum: ['a', 'b'] }, { enum: ['b'] }] }, ['a', 'b']],
  [{ type: 'string', not: { enum: ['a'] }, enum: ['a', 'b'] }, ['b', 'a']],
  [{ type: 'string', anyOf: [{ pattern: '^a' }, { maxLength: 2 }] }, ['bb', 'bcd']],
];

const numbers: readonly [Drawn, ...Drawn[]] = [
  [{ type: 'integer' }, [0, 1]],
  [{ type: 'integer', format: 'int32', minimum: 1, maximum: 10 }, [3, 11]],
  [{ type: 'integer', format: 'int64', multipleOf: 3 }, [3, 4]],
  [{ type: 'integer', enum: [1, 2] }, [1, 3]],
  [{ type: 'integer', minimum: 0, exclusiveMinimum: true }, [1, 0]],
  [{ type: 'number' }, [0.5, 1]],
  [{ type: 'number', format: 'double', maximum: 1.5 }, [1.5, 2]],
  [{ type: 'number', enum: [0.5, 2.25] }, [0.5]],
  [{ type: 'boolean' }, [true, false]],
  [{ type: 'boolean', enum: [true] }, [true, false]],
];

const others: readonly [Drawn, ...Drawn[]] = [
  [intOrString, [1, 'a']],
  [{ ...intOrString, anyOf: pair }, ['a', 2]],
  [{ ...intOrString, anyOf: pair, pattern: '^[0-9]+%?$' }, [5, '5%', 'x']],
  [{ ...intOrString, allOf: [{ anyOf: pair }, { maxLength: 3 }] }, [1, 'abc', 'abcd']],
  [{ ...intOrString, enum: [1, 'a'] }, [1, 'a', 2]],
  [preserve, [1, {}, 'x', [null]]],
  [{ type: 'object', ...preserve }, [{}, { a: 1 }]],
  [{ type: 'object', ...embedded, ...preserve }, [{ apiVersion: 'v1', kind: 'Pod' }, {}]],
  [
    {
      type: 'object',
      ...embedded,
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    },
    [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { a: 'b' } }, { apiVersion: 'v1' }],
  ],
  [{ type: 'object', enum: [{ a: 1 }, {}], ...preserve }, [{ a: 1 }]],
];

function leaf(random: Random): Drawn {
  return random.pick(random.pick([texts, texts, numbers, others]));
}

function branch(random: Random, depth: number): Drawn {
  return random.pick<() => Drawn>([
    () => [objectSchema(random, depth), [{}]],
    () => [objectSchema(random, depth), [{}]],
    () => [
      { type: 'object', additionalProperties: anySchema(random, depth - 1), ...bounds('Properties', random) },
      [{}],
    ],
    () => [listSchema(random, depth), [[]]],
    () => [listSchema(random, depth), [[]]],
    () => [{ type: 'array', items: preserve, ...preserve }, [[], [1, {}]]],
  ])();
}

function bounds(name: 'Items' | 'Properties', random: Random): JsonObject {
  return random.chance(0.3) ? { [`min${name}`]: 1, [`max${name}`]: 3 } : {};
}

function listSchema(random: Random, depth: number): JsonObject {
  const list = (items: JsonObject, type?: string): JsonObject => ({
    ...{ type: 'array', items },
    ...(type !== undefined && { 'x-kubernetes-list-type': type }),
    ...bounds('Items', random),
  });
  return random.pick<() => JsonObject>([
    () => list(anySchema(random, depth - 1)),
    () => list(anySchema(random, depth - 1), 'atomic'),
    () =>
      list(
        random.pick<JsonObject>([
          { type: 'string' },
          { type: 'integer' },
          { ...intOrString },
          { type: 'string', enum: ['a', 'b'] },
        ]),
        'set',
      ),
    () => keyed(objectSchema(random, depth - 1), list, random),
  ])();
}

function keyed(
  item: JsonObject,
  list: (items: JsonObject, type: string) => JsonObject,
  random: Random,
): JsonObject {
  const key = random.pick<JsonObject>([
    { type: 'string' },
    { type: 'integer' },
    { type: 'string', default: 'a' },
  ]);
  const required = random.chance(0.8) ? ['id'] : [];
  const { properties, required: more } = item;
  const items = {
    ...item,
    properties: { ...(typeof properties === 'object' ? properties : {}), id: key },
    required: [...(Array.isArray(more) ? more : []), ...required],
  };
  return { ...list(items, 'map'), 'x-kubernetes-list-map-keys': ['id'] };
}

const names = ['name', 'size', 'foo-bar', 'default', 'a.b/c', '__proto__', 'kind', 'spec', 'имя', 'x_y'];

function objectSchema(random: Random, depth: number): JsonObject {
  const chosen = random.some(names, 4);
  const own = chosen.length > 0 ? chosen : ['name'];
  const required = random.chance(0.5) ? random.some(own, 2) : [];
  return {
    type: 'object',
    properties: fromEntries(own.map((name) => [name, anySchema(random, depth - 1)])),
    ...(required.length > 0 && { required }),
    ...(random.chance(0.1) && preserve),
    ...(random.chance(0.1) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...(random.chance(0.3) && logic(own, random)),
    ...(random.chance(0.15) && { 'x-kubernetes-validations': [rule(own, random)] }),
  };
}

/** Alternatives over the properties of an object. */
function logic(own: readonly string[], random: Random): JsonObject {
  const [first = 'name', second = first] = own;
  return random.pick<JsonObject>([
    { oneOf: [{ required: [first] }, { required: [second] }] },
    { anyOf: [{ required: [first] }, { required: [second] }] },
    { not: { required: own.slice(0, 2) } },
    { allOf: [{ required: [first] }] },
    { allOf: [{ properties: { [first]: { enum: ['a', 1, true] } } }] },
    { allOf: [{ properties: { [first]: { not: { enum: ['a'] } } } }] },
    {
      oneOf: [
        { properties: { [first]: { enum: ['a'] } } },
        { properties: { [first]: { enum: ['b'] } }, required: [second] },
      ],
    },
    { anyOf: [{ properties: { [first]: { minLength: 1 } } }, { minProperties: 1 }] },
    { allOf: [{ anyOf: [{ required: [first] }, { required: ['absent'] }] }] },
    { required: [first, 'absent'] },
  ]);
}

const plain: readonly string[] = ['name', 'size', 'spec', 'kind', 'x_y'];

function rule(own: readonly string[], random: Random): JsonObject {
  const field = own.find((name) => plain.includes(name)) ?? 'name';
  return random.pick<JsonObject>([
    { rule: `has(self.${field})`, message: 'is required' },
    { rule: `!has(self.${field})` },
    { rule: 'self == oldSelf' },
    { rule: 'has(self.metadata)' },
  ]);
}
