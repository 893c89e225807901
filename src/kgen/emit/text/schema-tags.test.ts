import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import type { Facts, Schema } from '../../model/ir.ts';
import { namedType, schema } from '../emit.fixture.ts';
import { schemaTags, type TagOptions, typeTags } from './schema-tags.ts';

const options: TagOptions = { types: new Map(), docs: 'full' };

function lines(given: Schema, more: Partial<TagOptions> = {}): readonly string[] {
  return schemaTags(given, { ...options, ...more }).map(({ name, text }) => `@${name} ${text}`.trimEnd());
}

function whole(keywords: JsonObject): Facts {
  return { keywords, isWhole: true };
}

function string(keywords: JsonObject): Schema {
  return schema({ shape: 'string' }, whole({ type: 'string', ...keywords }));
}

function list(items: Schema, keywords: JsonObject = {}): Schema {
  const shape = { shape: 'array', items, list: 'atomic', mapKeys: [] } as const;
  return schema(shape, whole({ type: 'array', items: items.facts.keywords, ...keywords }));
}

function map(values: Schema): Schema {
  return schema({ shape: 'map', values }, whole({ type: 'object', additionalProperties: {} }));
}

function number(shape: 'integer' | 'number', keywords: JsonObject): Schema {
  return schema({ shape }, whole({ type: shape, ...keywords }));
}

const rule = { rule: 'self.a == 1', message: 'a is 1' };

describe('tags of a custom resource', () => {
  it.each<{ of: string; given: Schema; want: readonly string[] }>([
    { of: 'a type alone', given: string({ description: 'x' }), want: [] },
    { of: 'a format', given: string({ format: 'byte' }), want: ['@format byte'] },
    {
      of: 'constraints, in a fixed order',
      given: string({ pattern: '^a', title: 'A', maxLength: 3, minLength: 0, default: 'b', example: 'c' }),
      want: ['@title A', '@default "b"', '@example "c"', '@minLength 0', '@maxLength 3', '@pattern ^a'],
    },
    { of: 'an integer', given: number('integer', {}), want: ['@integer'] },
    {
      of: 'an integer with a format',
      given: number('integer', { format: 'int32' }),
      want: ['@format int32'],
    },
    {
      of: 'a number with the format of integers',
      given: number('number', { format: 'int32' }),
      want: ['@format int32', '@number'],
    },
    {
      of: 'exclusive bounds',
      given: number('number', { minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false }),
      want: ['@exclusiveMinimum 0', '@maximum 1', '@number'],
    },
    {
      of: 'rules, with all members',
      given: string({ 'x-kubernetes-validations': [rule, { rule: 'true', reason: 'FieldValueInvalid' }] }),
      want: ['@validate self.a == 1 -- a is 1', '@validate {"reason":"FieldValueInvalid","rule":"true"}'],
    },
    {
      of: 'logical keywords',
      given: string({ not: { enum: ['b'] }, anyOf: [{ pattern: 'a' }] }),
      want: ['@constraint {"anyOf":[{"pattern":"a"}]}', '@constraint {"not":{"enum":["b"]}}'],
    },
    {
      of: 'values that are not those of the type',
      given: schema(
        { shape: 'enum', values: ['a'], open: false },
        whole({ type: 'string', enum: ['a', 'a'] }),
      ),
      want: ['@schema {"enum":["a","a"]}'],
    },
    {
      of: 'a list and its items',
      given: list(string({ maxLength: 3, description: 'An item.' }), { 'x-kubernetes-list-type': 'set' }),
      want: ['@listSet', '@maxLength 3 (items)', '@description An item. (items)'],
    },
    {
      of: 'lists in a map',
      given: map(list(string({ format: 'byte' }))),
      want: ['@format byte (items of values)'],
    },
    {
      of: 'an object that servers prune',
      given: schema(
        { shape: 'map', values: schema({ shape: 'unknown', reason: 'free-form' }) },
        whole({ type: 'object' }),
      ),
      want: ['@schema {"x-kubernetes-preserve-unknown-fields":null}'],
    },
    {
      of: 'other keywords, last',
      given: list(string({ 'x-kubernetes-y': 1, pattern: 'a' }), { 'x-kubernetes-z': 2, maxItems: 3 }),
      want: [
        '@maxItems 3',
        '@pattern a (items)',
        '@schema {"x-kubernetes-z":2}',
        '@schema {"x-kubernetes-y":1} (items)',
      ],
    },
  ])('of $of', ({ given, want }) => {
    expect(lines(given)).toEqual(want);
  });

  it('state the description if the comment does not', () => {
    expect(lines(string({ description: 'Two\nlines.' }), { describes: true })).toEqual([
      '@description Two lines.',
    ]);
  });

  it('contain no text of the author without descriptions', () => {
    const given = string({ title: 'A', example: 'c', maxLength: 3, 'x-kubernetes-validations': [rule] });
    expect(lines(given, { docs: 'facts' })).toEqual(['@maxLength 3', '@validate self.a == 1']);
    expect(lines(list(number('integer', {})), { docs: 'none' })).toEqual([]);
  });
});

describe('tags of a shared type', () => {
  const keywords = { type: 'object', minProperties: 1, properties: { a: { type: 'string' } } };
  const item = schema({ shape: 'ref', name: 'Item' }, whole(keywords));
  const members = { role: 'nested', properties: [] } as const;
  const stating = namedType('Item', { ...members, facts: { ...whole(keywords), description: 'x' } });
  const silent = namedType('Item', members);
  const types = (type: typeof silent): TagOptions['types'] => new Map([[type.name, type]]);

  it('are part of the type if it has the same ones everywhere', () => {
    expect(typeTags(stating, { ...options, types: new Map() }).map(({ name }) => name)).toContain(
      'minProperties',
    );
    expect(lines(list(item), { types: types(stating) })).toEqual([]);
  });

  it('are part of the property if the type has different ones', () => {
    expect(lines(list(item), { types: types(silent) })).toEqual(['@minProperties 1 (items)']);
  });

  it('contain the properties if those of the type have other tags', () => {
    const other = { ...item, shape: 'ref', name: 'Item', variant: 'x' } as const;
    expect(lines(list(other), { types: types(stating) })).toEqual([
      '@constraint {"properties":{"a":{"type":"string"}}} (items)',
    ]);
  });
});

describe('tags of a built-in kind', () => {
  it('contain documented keywords only', () => {
    const keywords = { 'x-kubernetes-patch-merge-key': 'name', uniqueItems: true, maxItems: 3 };
    const given = schema({ shape: 'array', items: schema({ shape: 'string' }), list: 'atomic', mapKeys: [] });
    expect(lines({ ...given, facts: { keywords, immutable: true } })).toEqual([
      '@maxItems 3',
      '@patchMergeKey name',
      '@immutable',
      '@schema {"uniqueItems":true}',
    ]);
  });
});
