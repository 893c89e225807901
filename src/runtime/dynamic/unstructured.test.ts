import { describe, expect, it } from 'vitest';
import { nestedField } from './unstructured.ts';

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
