import { describe, expect, it } from 'vitest';
import { Lru } from './lru.ts';

/** Returns a map of four entries that contains these keys, in their order. */
function filled(keys: string): Lru<string> {
  const lru = new Lru<string>(4);
  for (const key of keys) lru.set(key, key);
  return lru;
}

describe('a map of limited size', () => {
  it.each<[used: string, keys: string, more: string, forgotten: string]>([
    ['', 'abcd', 'ef', 'ab'],
    ['a', 'abcd', 'e', 'b'],
    ['ba', 'abcd', 'ef', 'cd'],
    ['', 'abcdab', 'e', 'c'],
  ])('after uses of %j of %j forgets the least recently used one for %j', (used, keys, more, forgotten) => {
    const lru = filled(keys);
    for (const key of used) expect(lru.get(key)).toBe(key);
    expect([...more].flatMap((key) => lru.set(key, key) ?? []).join('')).toBe(forgotten);
    expect(lru.size).toBe(4);
  });

  it('does not count uses before it is half full', () => {
    const lru = filled('a');
    lru.get('a');
    lru.set('a', 'A');
    for (const key of 'bcd') lru.set(key, key);
    expect([...lru.values()]).toEqual(['A', 'b', 'c', 'd']);
    expect(lru.set('e', 'e')).toBe('A');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a capacity of %s', (capacity) => {
    expect(() => new Lru(capacity)).toThrow(
      new RangeError(`capacity must be an integer >= 1, got ${capacity}`),
    );
  });
});
