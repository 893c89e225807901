import { describe, expect, test } from 'vitest';
import { fnv1a64, matchesShards, parseShardSelector } from './shards.ts';

const range = (start: string, end: string, field = 'uid') =>
  `shardRange(object.metadata.${field}, '${hex(start)}', '${hex(end)}')`;
const hex = (value: string): string => `0x${value.slice(2).padStart(16, '0')}`;
const all = range('0x0', '0x10000000000000000');
const object = { metadata: { uid: 'a', namespace: 'b' } };

describe('fnv1a64', () => {
  // Vectors of http://www.isthe.com/chongo/tech/comp/fnv/
  test.each([
    ['', 0xcbf29ce484222325n],
    ['a', 0xaf63dc4c8601ec8cn],
    ['foobar', 0x85944171f73967e8n],
  ])('hashes %j', (text, want) => {
    expect(fnv1a64(text)).toBe(want);
  });
});

describe('shard selectors', () => {
  test.each([
    ['', true],
    [all, true],
    [range('0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d'), true],
    [range('0x0', '0xaf63dc4c8601ec8c'), false],
    [range('0xaf63dc4c8601ec8d', '0x10000000000000000'), false],
    [`${range('0x0', '0x1')} || ${range('0xa000000000000000', '0xb000000000000000')}`, true],
    [range('0xaf63df4c8601f1a5', '0xaf63df4c8601f1a6', 'namespace'), true],
  ])('%s: %s', (selector, want) => {
    expect(matchesShards(object, parseShardSelector(selector))).toBe(want);
  });

  test('of two halves select each object once', () => {
    const halves = [range('0x0', '0x8000000000000000'), range('0x8000000000000000', '0x10000000000000000')];
    for (const uid of Array.from({ length: 100 }, (_, index) => `uid-${index}`)) {
      const matches = halves.filter((half) => matchesShards({ metadata: { uid } }, parseShardSelector(half)));
      expect(matches.length).toBe(1);
    }
  });
});
