import { describe, expect, test } from 'vitest';
import { applied, CompactContents, type Contents, deltaOf, PlainContents } from './contents.ts';

test.each<readonly [string, unknown, unknown, unknown]>([
  ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, undefined],
  ['a member', { a: 1, b: 2 }, { a: 1, b: 3 }, { m: { b: { v: 3 } } }],
  ['an added and a removed member', { a: 1 }, { b: 1 }, { m: { b: { v: 1 } }, d: ['a'] }],
  ['an item', { a: [1, 2] }, { a: [1, 3] }, { m: { a: { m: { 1: { v: 3 } } } } }],
  ['an array of another length', [1], [1, 2], { v: [1, 2] }],
  ['another type', { a: {} }, { a: [] }, { m: { a: { v: [] } } }],
  ['a value and none', {}, undefined, {}],
  [
    'a member named __proto__',
    JSON.parse('{"__proto__":1}'),
    JSON.parse('{"__proto__":2}'),
    JSON.parse('{"m":{"__proto__":{"v":2}}}'),
  ],
])('the delta of %s', (_, from, to, delta) => {
  expect(deltaOf(from, to)).toEqual(delta);
  expect(applied(deltaOf(from, to), from)).toEqual(to);
});

describe.each<readonly [string, () => Contents]>([
  ['plain', () => new PlainContents()],
  ['compact', () => new CompactContents()],
])('%s contents', (_, create) => {
  test('have each state, also when the oldest ones are dropped', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = randomOf(seed);
      const contents = create();
      const states: unknown[] = [];
      for (let step = 0; step < 30; step += 1) {
        const state = random() < 0.1 ? undefined : generated(random, 3);
        contents.add(state);
        states.push(state);
        if (random() < 0.3) {
          contents.drop();
          states.shift();
        }
        expect(states.map((_state, index) => contents.at(index))).toEqual(states);
      }
    }
  });
});

test('compact contents return the bytes that older states need', () => {
  const contents = new CompactContents();
  const added = [{ a: 1 }, { a: 2 }, undefined, { a: 3 }].map((state) => contents.add(state));
  expect(added).toEqual([0, '{"m":{"a":{"v":1}}}'.length, '{"v":{"a":2}}'.length, '{}'.length]);
  expect(added.map(() => contents.drop())).toEqual([...added.slice(1), 0]);
});

/** Numbers from 0 to 1, by a linear congruential generator. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function generated(random: () => number, depth: number): unknown {
  const kind = depth === 0 ? random() * 2 : random() * 4;
  if (kind < 1) return Math.floor(random() * 3);
  if (kind < 2) return random() < 0.5 ? null : 'text';
  const items = Array.from({ length: Math.floor(random() * 3) }, () => generated(random, depth - 1));
  return kind < 3
    ? items
    : Object.fromEntries(items.map((item, index) => [`m${index + (random() < 0.5 ? 1 : 0)}`, item]));
}
