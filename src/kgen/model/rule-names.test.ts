import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { rulesText, specOf } from './model.fixture.ts';
import { specialType } from './walk/special-definitions.ts';

const spec = (given: JsonValue) => specOf({ type: 'object', properties: { spec: given } });

describe('the name of the rule that a keyword becomes', () => {
  test.each<[type: string, keyword: string, value: JsonValue, rule: string]>([
    ['number', 'minimum', 1, 'minimum 1'],
    ['number', 'maximum', 1, 'maximum 1'],
    ['number', 'multipleOf', 2, 'multipleOf 2'],
    ['string', 'minLength', 1, 'minLength 1'],
    ['string', 'maxLength', 1, 'maxLength 1'],
    ['string', 'pattern', 'a', 'pattern "a"'],
    ['array', 'minItems', 1, 'minItems 1'],
    ['array', 'maxItems', 1, 'maxItems 1'],
    ['array', 'uniqueItems', true, 'uniqueItems true'],
    ['object', 'minProperties', 1, 'minProperties 1'],
    ['object', 'maxProperties', 1, 'maxProperties 1'],
    ['array', 'x-kubernetes-list-type', 'set', 'listType "set"'],
    ['object', 'x-kubernetes-map-type', 'atomic', 'mapType "atomic"'],
    ['array', 'x-kubernetes-patch-merge-key', 'name', 'patchMergeKey "name"'],
    ['array', 'x-kubernetes-patch-strategy', 'merge', 'patchStrategy "merge"'],
  ])('%s: %s', (type, keyword, value, rule) => {
    expect(rulesText(spec({ type, [keyword]: value }).schema.facts.rules)).toEqual([rule]);
  });
});

test.each<[keyword: string, value: JsonValue]>([
  ['pattern', ''],
  ['uniqueItems', false],
  ['x-kubernetes-list-map-keys', []],
])('the keyword %s is not a rule with the value %j', (keyword, value) => {
  expect(spec({ type: 'string', [keyword]: value }).schema.facts.rules).toEqual([]);
});

test('rules are in an order that does not depend on the schema', () => {
  const cel = { 'x-kubernetes-validations': [{ rule: 'self != ""' }] };
  const { facts } = spec({ ...cel, not: { enum: ['x'] }, type: 'string', pattern: 'a', minLength: 1 }).schema;
  expect(facts.rules.map(({ name }) => name)).toEqual(['minLength', 'pattern', 'constraint', 'cel']);
});

test('values below 200 levels of a schema are untyped', () => {
  let given: JsonValue = { type: 'string' };
  for (let level = 0; level < 250; level += 1) given = { type: 'array', items: given };
  let { schema } = spec(given);
  while (schema.shape === 'array') schema = schema.items;
  expect(schema).toMatchObject({ shape: 'unknown', reason: 'untyped' });
});

test('the default of a CRD is kept where it is zero, and its words make nothing immutable', () => {
  const { facts } = spec({ type: 'integer', default: 0, description: 'The count is immutable.' }).schema;
  expect(facts.default).toBe('0');
  expect(facts.immutable).toBeUndefined();
});

test.each<[name: string, shape: string | undefined]>([
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', 'int-or-string'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Duration', 'string'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1', 'map'],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.Patch', 'map'],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', 'map'],
  ['', undefined],
])('the special type of the definition %j is %s', (name, shape) => {
  expect(specialType(name, () => expect.unreachable())?.shape).toBe(shape);
});

test('a JSON value in the schema of a CRD can be anything', () => {
  const never = (): never => expect.unreachable();
  const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON';
  expect(specialType(name, never)).toEqual({ shape: 'unknown', reason: 'free-form' });
});
