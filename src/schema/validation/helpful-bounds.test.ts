import { expect, test } from 'vitest';
import type { JsonObject } from '../values/json.ts';
import { schemaViolations } from './definition.ts';
import { helpfulBounds } from './helpful-bounds.ts';

const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const all = 'self.all(a, self.all(b, a == b))';

function list(items: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'array', items, ...more };
}

function map(additionalProperties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', additionalProperties, ...more };
}

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

function ruled(schema: JsonObject, rule: string, more: JsonObject = {}): JsonObject {
  return { ...schema, 'x-kubernetes-validations': [{ rule, ...more }] };
}

function violations(schema: JsonObject): readonly string[] {
  return found(schema).map(({ detail }) => detail);
}

function found(schema: JsonObject): ReturnType<typeof schemaViolations<Parameters<typeof helpfulBounds>[1]>> {
  return schemaViolations(schema, false, {
    objection: (each) => each,
    invalidDefault: () => [],
    fieldOf: () => '',
    coerce: (metadata) => ({ metadata, unknown: [] }),
  });
}

/** Returns the schema with the keywords. */
function bounded(schema: JsonObject, bounds: readonly (readonly [string, string, number])[]): JsonObject {
  const copy = structuredClone(schema);
  for (const [path, keyword, value] of bounds) {
    const node = path.split('/').reduce<object>((at, key) => Reflect.get(at, key), copy);
    Reflect.set(node, keyword, value);
  }
  return copy;
}

const node = 'properties/a';

test.each<[title: string, a: JsonObject, want: readonly string[] | undefined]>([
  ['a list', ruled(list(integer), all), [`${node} maxItems`]],
  ['a list and its strings', ruled(list(text), all), [`${node} maxItems`, `${node}/items maxLength`]],
  [
    'a list with a limit and its strings',
    ruled(list(text, { maxItems: 100 }), all),
    [`${node}/items maxLength`],
  ],
  ['a list of strings with a limit', ruled(list({ ...text, maxLength: 8 }), all), [`${node} maxItems`]],
  ['a list of enumerated strings', ruled(list({ ...text, enum: ['b', 'c'] }), all), [`${node} maxItems`]],
  ['a map', ruled(map(integer), 'self.all(k, self.all(l, self[k] == self[l]))'), [`${node} maxProperties`]],
  ['a list around the rule', list(ruled(list(integer), all)), [`${node} maxItems`, `${node}/items maxItems`]],
  [
    'a list around the rule, of properties that are named as keywords',
    list(object({ properties: object({ items: ruled(list(integer), all) }) })),
    [`${node} maxItems`, `${node}/items/properties/properties/properties/items maxItems`],
  ],
  [
    'a rule of items',
    list(ruled(text, "self.matches('^a*b*c*d*$')")),
    [`${node} maxItems`, `${node}/items maxLength`],
  ],
  [
    'a field whose name is escaped',
    ruled(object({ 'b-c': list(integer) }), 'self.b__dash__c.all(x, self.b__dash__c.all(y, x == y))'),
    [`${node}/properties/b-c maxItems`],
  ],
  [
    'a field that the rule does not use',
    ruled(object({ b: list(integer), c: list(text) }), 'self.b.all(x, self.b.all(y, x == y))'),
    [`${node}/properties/b maxItems`],
  ],
  [
    'the expression of a message',
    ruled(list(integer), 'true', { messageExpression: `${all} ? 'b' : 'c'` }),
    [`${node} maxItems`],
  ],
  ['an old value', ruled(list(integer), 'self.all(a, oldSelf.all(b, a == b))'), [`${node} maxItems`]],
  ['a size that is not of the schema', ruled(text, "[1,2,3].all(a, ['x'].all(b, true))"), undefined],
  ['a limit that is too high', ruled(list(integer, { maxItems: 10_000 }), all), [`${node} maxItems`]],
  [
    'a limit that is too high, and a missing one',
    ruled(list(text, { maxItems: 90_000 }), all),
    [`${node} maxItems`, `${node}/items maxLength`],
  ],
  [
    'limits around the rule that are too high',
    list(ruled(list(integer, { maxItems: 1000 }), all), { maxItems: 1000 }),
    [`${node} maxItems`, `${node}/items maxItems`],
  ],
  [
    'one of two limits',
    list(ruled(list(integer, { maxItems: 2000 }), all), { maxItems: 2 }),
    [`${node}/items maxItems`],
  ],
])('the limits that lower the cost of a rule are found: %s', (_, a, want) => {
  const schema = object({ a });
  const [objection] = found(schema);
  const result = objection && helpfulBounds(schema, objection);
  const bounds = result?.bounds.map(({ keys, keyword }) => [keys.join('/'), keyword] as const);
  expect(bounds?.map((bound) => bound.join(' '))).toEqual(want);
  if (result === undefined || bounds === undefined) return;
  const withValue = (value: number): readonly string[] =>
    violations(
      bounded(
        schema,
        bounds.map(([path, keyword]) => [path, keyword, value]),
      ),
    );
  // The value is the largest one.
  expect(withValue(result.value)).toEqual([]);
  expect(withValue(result.value + 1)).not.toEqual([]);
});
