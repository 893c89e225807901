/** Random changes of structural schemas. */
import { fromEntries, isObject, type Json, type JsonObject, omit, own } from '@kgen/schema/values/json';
import type { Random } from '../support/random.ts';
import { anySchema } from '../support/structural-schemas.ts';

/** Returns a schema with one node changed. */
export function mutated(schema: JsonObject, random: Random): JsonObject {
  const places = placesOf(schema, []).filter((place) => place.length > 0);
  const [first = ['properties', 'spec'], ...others] = places;
  return changedAt(schema, random.pick([first, ...others]), (node) => mutation(node, random));
}

type Steps = readonly string[];

function placesOf(schema: JsonObject, at: Steps): readonly Steps[] {
  const properties = own(schema, 'properties');
  const below = ['items', 'additionalProperties'].flatMap((key) => {
    const child = own(schema, key);
    return isObject(child) ? placesOf(child, [...at, key]) : [];
  });
  const fields = isObject(properties)
    ? Object.entries(properties).flatMap(([name, child]) =>
        isObject(child) ? placesOf(child, [...at, 'properties', name]) : [],
      )
    : [];
  return [at, ...fields, ...below];
}

function changedAt(
  value: JsonObject,
  [step, ...rest]: Steps,
  change: (node: JsonObject) => JsonObject,
): JsonObject {
  if (step === undefined) return change(value);
  const child = own(value, step);
  return fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === step && isObject(child) ? changedAt(child, rest, change) : item,
    ]),
  );
}

type Mutation = (node: JsonObject, random: Random) => JsonObject;

function mutation(node: JsonObject, random: Random): JsonObject {
  const [first = replaced, ...others] = [...general, ...(byType[String(own(node, 'type'))] ?? [])];
  return random.pick([first, ...others])(node, random);
}

const replaced: Mutation = (_, random) => anySchema(random, 1);

const rules = [
  'self == oldSelf',
  'self != oldSelf',
  'self == self',
  'type(self) == string',
  'size(self) > 1',
  'self > 2',
] as const;

const general: readonly Mutation[] = [
  replaced,
  (node) => omit(node, 'default'),
  (node, random) => ({ ...node, default: random.pick<Json>(['a', 1, true, {}, [], null]) }),
  (node) => (own(node, 'nullable') === true ? omit(node, 'nullable') : { ...node, nullable: true }),
  (node) => omit(node, 'enum', 'pattern', 'format', 'oneOf', 'anyOf', 'not'),
  (node, random) => ({ ...node, 'x-kubernetes-validations': [{ rule: random.pick(rules) }] }),
  (node) => ({
    ...omit(node, 'type', 'properties', 'required'),
    'x-kubernetes-preserve-unknown-fields': true,
  }),
];

const byType: Readonly<Record<string, readonly Mutation[]>> = {
  string: [
    (node, random) => ({ ...node, enum: random.pick([['a'], ['b', 'abc'], ['', 'X1']]) }),
    (node, random) => ({ ...node, pattern: random.pick(['^a', '^[a-z]*$', '[0-9]']) }),
    (node, random) => ({ ...node, minLength: random.int(4) }),
    (node, random) => ({ ...node, maxLength: random.int(4) }),
    (node, random) => ({
      ...node,
      format: random.pick(['date-time', 'byte', 'ipv4', 'duration', 'unknown']),
    }),
  ],
  integer: [
    (node, random) => ({ ...node, minimum: random.int(5), exclusiveMinimum: random.chance(0.3) }),
    (node, random) => ({ ...node, maximum: random.int(9), exclusiveMaximum: random.chance(0.3) }),
    (node, random) => ({ ...node, multipleOf: random.pick([2, 3, 6]) }),
    (node, random) => ({ ...node, format: random.pick(['int32', 'int64']) }),
    (node) => ({ ...node, type: 'number' }),
  ],
  number: [
    (node, random) => ({
      ...node,
      maximum: random.pick([0.5, 1, 1.5]),
      exclusiveMaximum: random.chance(0.3),
    }),
    (node) => ({ ...omit(node, 'format'), type: 'integer' }),
  ],
  object: [
    (node, random) => ({ ...node, required: [random.pick(['name', 'size', 'kind', 'foo-bar', 'x_y'])] }),
    (node, random) => withProperties(node, (fields) => random.some(fields, fields.length)),
    (node, random) =>
      withProperties(node, (fields) => [...fields, [random.pick(['size', 'fresh']), anySchema(random, 0)]]),
    (node, random) => ({ ...node, minProperties: random.int(3) }),
    (node, random) => ({ ...node, maxProperties: random.int(3) }),
    (node) => omit(node, 'required'),
    (node) => omit(node, 'x-kubernetes-preserve-unknown-fields'),
    (node) => ({ ...node, 'x-kubernetes-embedded-resource': true }),
    (node, random) => ({ ...node, 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    (node, random) => ({ ...node, [random.pick(['anyOf', 'oneOf', 'allOf'])]: [{ required: ['name'] }] }),
    (node) => ({ ...omit(node, 'properties', 'required'), additionalProperties: { type: 'string' } }),
  ],
  array: [
    (node, random) => ({ ...node, minItems: random.int(3) }),
    (node, random) => ({ ...node, maxItems: random.int(3) }),
    (node, random) => ({
      ...omit(node, ...listKeys),
      'x-kubernetes-list-type': random.pick(['set', 'atomic']),
    }),
    (node) => omit(node, ...listKeys),
  ],
};

const listKeys = ['x-kubernetes-list-type', 'x-kubernetes-list-map-keys'];

function withProperties(
  node: JsonObject,
  change: (fields: readonly (readonly [string, Json])[]) => readonly (readonly [string, Json])[],
): JsonObject {
  const properties = own(node, 'properties');
  return isObject(properties)
    ? { ...node, properties: fromEntries(change(Object.entries(properties))) }
    : node;
}
