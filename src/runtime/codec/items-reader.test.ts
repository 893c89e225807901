import { afterEach, describe, expect, it, vi } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { ItemsReader } from './items-reader.ts';

afterEach(() => void vi.restoreAllMocks());

/** Reads a whole list, without its opening bracket, in chunks of random sizes. */
function read(text: string, random: Seeded): { readonly items: readonly unknown[]; readonly rest: string } {
  const bytes = Buffer.from(text);
  const reader = new ItemsReader();
  let at = 0;
  for (let step = reader.step(); step !== 'ended'; step = reader.step()) {
    if (step !== 'incomplete') continue;
    if (at >= bytes.length) reader.complete();
    const size = 1 + random.below(64 * 1024);
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  const rest = `${reader.rest.toString()}${bytes.subarray(at).toString()}`;
  return { items: reader.items, rest };
}

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',');

const filler = (length: number): string => JSON.stringify('},{"a":[\\"'.repeat(length / 10));

/** Lists of a megabyte or more, with the difficulty of each. */
const lists: readonly (readonly [what: string, text: string])[] = [
  ['items like those of a server', many(400, (n) => `{"metadata":{"name":"${n}"},"x":${filler(4000)}}`)],
  ['small items', many(50_000, (n) => `{"a":${n}}`)],
  ['numbers', many(200_000, String)],
  ['items that are larger than what is waited for', many(6, (n) => `{"a":${n},"x":${filler(300_000)}}`)],
  ['one large item at last', `${many(1000, (n) => `{"a":${n}}`)},{"a":${filler(1_500_000)}}`],
  ['items without keys', many(300_000, () => '{}')],
  ['items of which no two begin alike', many(2000, (n) => `{"key-${n}":${filler(500)}}`)],
  [
    'items in which the beginning is repeated',
    many(300, (n) => `{"a":${n},"b":[${many(300, (m) => `{"a":${m}}`)}]}`),
  ],
  [
    'items that begin like the first one, but seldom',
    many(6000, (n) => (n % 500 === 0 ? `{"a":${n}}` : `{"b":${n},"x":${filler(500)}}`)),
  ],
  ['white space', many(20_000, (n) => `\n  {\n    "a": ${n},\n    "b": {}\n  }\n`)],
  ['a text that nothing breaks off', JSON.stringify('},{"a":'.repeat(200_000))],
];

describe('a large list', () => {
  it.each(lists)('is what JSON.parse makes of it: %s', (_, text) => {
    const want: unknown = JSON.parse(`[${text}]`);
    for (const seed of [1, 2, 3]) {
      const { items, rest } = read(`${text}] , "x"`, new Seeded(seed));
      expect(rest, `seed ${seed}`).toBe(' , "x"');
      // Faster than a comparison of all values, and as strict: both strings have the same members in the same
      // order.
      expect(JSON.stringify(items) === JSON.stringify(want), `seed ${seed}`).toBe(true);
    }
  });

  it.each(lists)('is parsed about once: %s', (_, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    read(`${text}]`, new Seeded(4));
    const parsed = parse.mock.calls.reduce((sum, [one]) => sum + one.length, 0);
    expect(parsed).toBeLessThan(1.2 * text.length + 2 * 1024 * 1024);
  });

  it.each(lists)('is refused where it ends too early: %s', (_, text) => {
    expect(() => read(text.slice(0, -3), new Seeded(5))).toThrow(SyntaxError);
  });
});
