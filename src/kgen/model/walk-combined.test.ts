import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { built, crdOf, rulesText, type SpecCase, specOf, specText, typeOf } from './model.fixture.ts';
import { noFacts } from './schema/facts.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const object = (properties: JsonValue): JsonValue => ({ type: 'object', properties });

describe('schemas that are put together from members', () => {
  test.each<SpecCase>([
    { title: 'a type in allOf', given: { allOf: [string] }, want: 'spec?: string' },
    {
      title: 'additionalProperties in allOf',
      given: { allOf: [{ additionalProperties: integer }] },
      want: 'spec?: { [*]: integer }',
    },
    {
      title: 'a union in a union, with a member of both',
      given: { anyOf: [{ anyOf: [string, boolean] }, string] },
      want: 'spec?: string | boolean',
    },
    {
      title: 'members of which every one is null',
      given: { anyOf: [{ enum: [null] }, { enum: [null] }] },
      want: 'spec?: null',
    },
    {
      title: 'values in allOf',
      given: { ...string, enum: ['a', 'b'], allOf: [{ enum: ['b', 'c'] }] },
      want: 'spec?: "b"',
    },
    { title: 'values of a boolean', given: { ...boolean, enum: [true, 'a'] }, want: 'spec?: true' },
    {
      title: 'values of an IntOrString',
      given: { 'x-kubernetes-int-or-string': true, enum: [1, 'a', true] },
      want: 'spec?: 1 | "a"',
    },
    {
      title: 'a union with an IntOrString',
      given: { anyOf: [{ 'x-kubernetes-int-or-string': true }, boolean] },
      want: 'spec?: int-or-string | boolean',
    },
    {
      title: 'properties of members of members',
      given: { type: 'object', anyOf: [{ allOf: [{ properties: { a: integer } }] }] },
      want: 'spec?: { a?: integer }',
    },
    {
      title: 'a property of a member without a type',
      given: { type: 'object', allOf: [{ properties: { a: { enum: ['x'] } } }] },
      want: 'spec?: { a?: "x" }',
    },
    ...[
      { member: { additionalProperties: integer }, type: '{ [*]: integer }' },
      { member: { anyOf: [string, boolean] }, type: 'string | boolean' },
      { member: { oneOf: [string, boolean] }, type: 'string | boolean' },
      { member: { allOf: [string] }, type: 'string' },
      { member: { items: string }, type: '[string]' },
      { member: { properties: { x: string } }, type: '{ x?: string }' },
    ].map(({ member, type }) => ({
      title: `a property with ${Object.keys(member)} in one of two members`,
      given: {
        type: 'object',
        oneOf: [{ properties: { a: member } }, { properties: { a: { maximum: 3 } } }],
      },
      want: `spec?: { a?: ${type} }`,
    })),
    {
      title: 'required names of members and of the object without properties',
      given: {
        type: 'object',
        additionalProperties: integer,
        required: ['c', 'a'],
        allOf: [{ required: ['b'] }],
      },
      want: 'spec?: { a: integer; b: integer; c: integer; [*]: integer }',
    },
    {
      title: 'a property of which one of two members states the type',
      given: {
        type: 'object',
        allOf: [{ properties: { a: { description: 'Only words.' } } }, { properties: { a: string } }],
      },
      want: 'spec?: { a?: string }',
    },
  ])('$title', ({ given, want }) => {
    expect(specText(given)).toBe(want);
  });

  test.each<{ title: string; given: JsonValue; rules: readonly string[] }>([
    {
      title: 'a union with a member of any type',
      given: {
        anyOf: [string, { ...string, enum: ['a'] }, { 'x-kubernetes-preserve-unknown-fields': true }],
      },
      rules: [
        'anyOf [{"type":"string"},{"enum":["a"],"type":"string"},{"x-kubernetes-preserve-unknown-fields":true}]',
      ],
    },
    {
      title: 'nothing of an IntOrString with values',
      given: { 'x-kubernetes-int-or-string': true, anyOf: [integer, string], enum: [1, 'a'] },
      rules: [],
    },
    {
      title: 'an IntOrString with a pattern in allOf',
      given: { 'x-kubernetes-int-or-string': true, allOf: [{ pattern: 'a' }] },
      rules: ['allOf [{"pattern":"a"}]'],
    },
  ])('keeps as a rule: $title', ({ given, rules }) => {
    const spec = specOf({ type: 'object', properties: { spec: given } });
    expect(rulesText(spec.schema.facts)).toEqual(rules);
  });
});

test('metadata keeps logic of every kind as a rule', () => {
  const logic = ['allOf', 'anyOf', 'oneOf'].map((keyword) => [keyword, [{ required: ['name'] }]]);
  const given = { type: 'object', ...Object.fromEntries(logic), not: { required: ['x'] } };
  const { groupVersion } = built([crdOf({ schema: { type: 'object', properties: { metadata: given } } })]);
  const metadata = typeOf(groupVersion, 'Foo').properties.find(({ name }) => name === 'metadata');
  expect(rulesText(metadata?.schema.facts ?? noFacts)).toEqual([
    'allOf [{"required":["name"]}]',
    'anyOf [{"required":["name"]}]',
    'oneOf [{"required":["name"]}]',
    'not {"required":["x"]}',
  ]);
});

test('required names without a property are a warning in a free-form object', () => {
  const spec = { type: 'object', required: ['a'] };
  const { warnings } = built([crdOf({ schema: { type: 'object', properties: { spec } } })]);
  expect(warnings).toEqual([expect.stringContaining('"Foo.spec" requires "a"')]);
});

test('at most 20 warnings of one version are reported', () => {
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'int' }]));
  expect(built([crdOf({ schema: { type: 'object', properties } })]).warnings).toHaveLength(20);
});

describe('types of nested objects', () => {
  const types = (properties: JsonValue) =>
    built([crdOf({ schema: { type: 'object', properties: { spec: object(properties) } } })]).groupVersion;

  test('differ where only a rule differs', () => {
    const made = types({
      a: object({ x: { ...string, maxLength: 1 } }),
      b: object({ x: { ...string, maxLength: 2 } }),
    });
    expect(typeOf(made, 'FooSpecA').name).toBe('FooSpecA');
    expect(typeOf(made, 'FooSpecB').name).toBe('FooSpecB');
  });

  test('differ where only the message of a rule differs', () => {
    const withMessage = (message: string): JsonValue =>
      object({ x: { ...string, 'x-kubernetes-validations': [{ rule: 'self != ""', message }] } });
    const made = types({ a: withMessage('first'), b: withMessage('second') });
    expect(['FooSpecA', 'FooSpecB'].map((name) => typeOf(made, name).aliases)).toEqual([[], []]);
  });

  test('are named before types of deeper paths, and the values of maps are not deeper', () => {
    const values = { type: 'object', additionalProperties: object({ x: string }) };
    const schema = (properties: JsonValue) => ({ type: 'object', properties });
    const { types: all } = built([
      crdOf({ kind: 'Foo', schema: schema({ sPec: values }) }),
      crdOf({ kind: 'FooS', schema: schema({ pec: object({ y: string }) }) }),
    ]).groupVersion;
    expect(all.find(({ name }) => name === 'FooSPec')?.path).toBe('Foo.sPec{}');
  });

  test('have no description where it is empty', () => {
    const made = types({ a: { type: 'object', description: '', properties: { x: string } } });
    expect(typeOf(made, 'FooSpecA')).not.toHaveProperty('description');
  });
});
