import { describe, expect, it } from 'vitest';
import { loadYaml } from '../yaml/load.ts';
import { nestedField, removeNestedField, setNestedField } from './nested-field.ts';

const object = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: {},
  items: [{ name: 'a' }, null],
  text: 'abc',
  nothing: null,
};

describe('a nested field', () => {
  it.each<[readonly (string | number)[], unknown]>([
    [['kind'], 'X'],
    [['items', 0, 'name'], 'a'],
    [['items', '0', 'name'], 'a'],
    [['items', 1], null],
    [['items', 1, 'name'], undefined],
    [['items', 2], undefined],
    [['nothing', 'more'], undefined],
    [['text', 'length'], undefined],
    [['missing', 'deeper'], undefined],
    [['constructor'], undefined],
    [['metadata', '__proto__'], undefined],
    [[], object],
  ])('%j', (path, want) => {
    expect(nestedField(object, ...path)).toBe(want);
  });

  it('with the key __proto__ is returned unchanged', () => {
    const sent: object = JSON.parse('{"spec":{"__proto__":{"a":1}}}');
    expect(nestedField(sent, 'spec', '__proto__', 'a')).toBe(1);
  });
});

type Path = readonly (string | number)[];

describe('setNestedField', () => {
  it.each<[string, object, Path, object]>([
    ['a member', {}, ['kind'], { kind: 1 }],
    ['a member that exists', { kind: 'X' }, ['kind'], { kind: 1 }],
    ['a member of a member', { spec: { a: 2 } }, ['spec', 'b'], { spec: { a: 2, b: 1 } }],
    ['parts that are missing', {}, ['spec', 'a', 'b'], { spec: { a: { b: 1 } } }],
    ['a part that is null', { spec: null }, ['spec', 'a'], { spec: { a: 1 } }],
    ['an item', { items: [{}, {}] }, ['items', 1, 'a'], { items: [{}, { a: 1 }] }],
    ['an item after the last one', { items: [0] }, ['items', 1], { items: [0, 1] }],
    ['a list that is missing', {}, ['items', 0, 'a'], { items: [{ a: 1 }] }],
    ['a name of digits', { data: {} }, ['data', '0', 'a'], { data: { 0: { a: 1 } } }],
    ['names of built-in members', {}, ['constructor', 'prototype'], { constructor: { prototype: 1 } }],
  ])('sets %s', (_, target, path, want) => {
    setNestedField(target, 1, ...path);
    expect(target).toEqual(want);
    expect(nestedField(target, ...path)).toBe(1);
  });

  it.each<[string, Path, string | RegExp]>([
    ['an empty path', [], 'the path is empty'],
    ['__proto__', ['__proto__', 'polluted'], 'must not contain __proto__'],
    ['__proto__ at the end', ['spec', '__proto__'], 'must not contain __proto__'],
    ['__proto__ below parts that are missing', ['a', 'b', '__proto__', 'c'], 'must not contain __proto__'],
    ['a string within the path', ['text', 'a'], /^text is not an object or a list$/],
    ['an index beyond the end', ['items', 3], /^items is a list of 1 item, which has no index 3$/],
    ['a negative index', ['items', -1], 'has no index -1'],
    ['a name in a list', ['items', 'length'], 'has no index length'],
    ['a new list that begins at 1', ['a', 1], 'a is a list of 0 items'],
  ])('throws TypeError for %s and changes nothing', (_, path, message) => {
    const target = { text: 'abc', items: [1], spec: {} };
    expect(() => setNestedField(target, 1, ...path)).toThrow(message);
    expect(() => setNestedField(target, 1, ...path)).toThrow(TypeError);
    expect(target).toEqual({ text: 'abc', items: [1], spec: {} });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('throws TypeError for a frozen object', () => {
    expect(() => setNestedField(Object.freeze({}), 1, 'a')).toThrow(TypeError);
  });
});

describe('removeNestedField', () => {
  it.each<[string, object, Path, object]>([
    ['a member', { spec: { a: 1, b: 2 } }, ['spec', 'a'], { spec: { b: 2 } }],
    ['an item', { items: [1, 2, 3] }, ['items', 1], { items: [1, 3] }],
    ['nothing, if a part is missing', { spec: {} }, ['spec', 'a', 'b'], { spec: {} }],
    ['nothing, if a part is not an object', { spec: 'abc' }, ['spec', 'length'], { spec: 'abc' }],
    ['nothing, for an index beyond the end', { items: [1] }, ['items', 1], { items: [1] }],
    ['nothing, for inherited members', {}, ['constructor', 'name'], {}],
  ])('removes %s', (_, target, path, want) => {
    removeNestedField(target, ...path);
    expect(target).toEqual(want);
    expect(Object.name).toBe('Object');
  });

  it('keeps the digits of the other items', async () => {
    const target = await loadYaml<{ items: unknown[] }>('items: [1, 9007199254740993]');
    removeNestedField(target, 'items', 0);
    expect(target.items).toEqual([9007199254740993n]);
  });

  it('throws TypeError for an empty path', () => {
    expect(() => removeNestedField({})).toThrow('the path is empty');
  });
});
