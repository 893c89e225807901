import { expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { specOf } from './model.fixture.ts';
import { specialType } from './walk/special-definitions.ts';

const spec = (given: JsonValue) => specOf({ type: 'object', properties: { spec: given } });

test('values below 200 levels of a schema are untyped', () => {
  let given: JsonValue = { type: 'string' };
  for (let level = 0; level < 250; level += 1) given = { type: 'array', items: given };
  let { schema } = spec(given);
  while (schema.shape === 'array') schema = schema.items;
  expect(schema).toMatchObject({ shape: 'unknown', reason: 'untyped' });
});

test('the default of a CRD is kept where it is zero, and its words make nothing immutable', () => {
  const { facts } = spec({ type: 'integer', default: 0, description: 'The count is immutable.' }).schema;
  expect(facts.keywords['default']).toBe(0);
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
