import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { built, crdOf, rulesText, type SpecCase, specOf, specText, typeOf } from './model.fixture.ts';

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
      want: 'spec?: null | null',
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
        'constraint {"anyOf":[{"type":"string"},{"type":"string","enum":["a"]},{"x-kubernetes-preserve-unknown-fields":true}]}',
      ],
    },
    {
      title: 'an IntOrString with a pattern in allOf',
      given: { 'x-kubernetes-int-or-string': true, allOf: [{ pattern: 'a' }] },
      rules: ['constraint {"allOf":[{"pattern":"a"}]}'],
    },
  ])('keeps as a rule: $title', ({ given, rules }) => {
    const spec = specOf({ type: 'object', properties: { spec: given } });
    expect(rulesText(spec.schema.facts.rules)).toEqual(rules);
  });
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

  test('have no description where it is empty', () => {
    const made = types({ a: { type: 'object', description: '', properties: { x: string } } });
    expect(typeOf(made, 'FooSpecA')).not.toHaveProperty('description');
  });
});
