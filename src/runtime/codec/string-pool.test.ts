import { afterEach, describe, expect, it } from 'vitest';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { StringPool } from './string-pool.ts';

const parse = (text: string): unknown => JSON.parse(text);

/**
 * Returns the members that are replaced: equal strings are indistinguishable, but assignments can be
 * observed.
 */
function written(pool: StringPool, object: Record<string, unknown>): string[] {
  const keys: string[] = [];
  const watched = new Proxy(object, {
    set: (target, key, value) => {
      keys.push(String(key));
      return Reflect.set(target, key, value);
    },
  });
  pool.share(watched);
  return keys;
}

const texts = (length: number, tag: string): string => tag.padEnd(length, '-');

describe('a pool of texts', () => {
  it.each<{ what: string; text: string; want: number }>([
    { what: 'short', text: '0123456789', want: 0 },
    { what: 'longer', text: '01234567890', want: 1 },
    { what: 'long', text: texts(2048, 'a'), want: 1 },
    { what: 'too long', text: texts(2049, 'a'), want: 0 },
    { what: 'with characters of several bytes', text: 'ä€😀ä€😀ä€😀', want: 1 },
  ])('shares what is not $what', ({ text, want }) => {
    const pool = new StringPool();
    expect(written(pool, { a: text })).toEqual([]);
    for (let again = 0; again < 3; again += 1) expect(written(pool, { a: text })).toHaveLength(want);
  });

  it('leaves every value what it was', () => {
    const text = JSON.stringify({
      metadata: { name: 'a name that recurs', labels: { 'a key that is long': 'a name that recurs' } },
      list: ['a name that recurs', ['a name that recurs'], { x: 'a name that recurs' }, 1, null, true],
      nothing: null,
      0: 'a name that recurs',
    });
    const hostile = '{"__proto__":"a name that recurs","constructor":"a name that recurs","toString":[]}';
    const pool = new StringPool();
    for (const given of [text, text, hostile, '"a name that recurs"', 'null', '1', '[]', hostile]) {
      const value = parse(given);
      pool.share(value);
      expect(JSON.stringify(value)).toBe(given === text ? JSON.stringify(parse(text)) : given);
      expect(Object.getPrototypeOf(Object(parse('{}')))).toBe(Object.prototype);
    }
  });

  it.each([1, 2, 3])('leaves values by chance what they were: seed %i', (seed) => {
    const random = new Seeded(seed);
    const pool = new StringPool();
    const text = (): string => texts(8 + random.below(20), String(random.below(40)));
    const value = (depth: number): unknown => {
      if (depth === 0 || random.chance(0.4)) return text();
      if (random.chance(0.5)) return Array.from({ length: random.below(5) }, () => value(depth - 1));
      return Object.fromEntries(Array.from({ length: random.below(5) }, () => [text(), value(depth - 1)]));
    };
    for (let round = 0; round < 2000; round += 1) {
      const given = JSON.stringify(value(4));
      const shared = parse(given);
      pool.share(shared);
      expect(JSON.stringify(shared), `seed ${seed}, round ${round}`).toBe(given);
    }
  });

  it('is not emptied by texts that come once', () => {
    const pool = new StringPool();
    const recurring = Array.from({ length: 200 }, (_, index) => `registry.example.com/image:${index}`);
    for (const image of [...recurring, ...recurring]) pool.share({ image });
    for (let index = 0; index < 100_000; index += 1)
      pool.share({ uid: `6a9f-${index * 7919}-${index}-b4d1` });
    const kept = recurring.filter((image) => written(pool, { image }).length === 1);
    // Two of them may share a set, in which case one is evicted by the next uid.
    expect(kept.length).toBeGreaterThan(180);
  });

  it('holds some thousands, also where one is in the way of another', () => {
    const pool = new StringPool();
    const recurring = Array.from(
      { length: 3000 },
      (_, index) => `${(index * 7919) % 9973}.example.com/${index}`,
    );
    const shared = (): number => recurring.filter((text) => written(pool, { text }).length === 1).length;
    const rounds = [shared(), shared(), shared(), shared()];
    expect(rounds[0]).toBe(0);
    expect(rounds[3]).toBeGreaterThan(2400);
  });

  it.each([
    { where: 'at the end', make: (index: number) => `registry.example.com/shop/frontend/image:${index}` },
    { where: 'in the middle', make: (index: number) => `/etc/teams/${index}/settings/application.yaml` },
    { where: 'at the beginning', make: (index: number) => `${index}.node.kubernetes.example.com/ready` },
  ])('holds what differs $where alone', ({ make }) => {
    const pool = new StringPool();
    const recurring = Array.from({ length: 90 }, (_, index) => make(index + 10));
    for (const text of [...recurring, ...recurring]) pool.share({ text });
    const kept = recurring.filter((text) => written(pool, { text }).length === 1);
    expect(kept.length).toBeGreaterThan(80);
  });

  it.each<[value: unknown, want: boolean]>([
    [Number.MAX_SAFE_INTEGER, false],
    [Number.MAX_SAFE_INTEGER + 1, true],
    [Number.MIN_SAFE_INTEGER, false],
    [Number.MIN_SAFE_INTEGER - 1, true],
    [{ a: [{ b: 2 ** 53 }, 'text'] }, true],
    [{ a: [{ b: 1 }, 'text', null, true] }, false],
    [parse(`${'['.repeat(65)}1${']'.repeat(65)}`), false],
    [parse(`${'['.repeat(66)}1${']'.repeat(66)}`), true],
  ])('returns whether a value may hold integers beyond 2^53: case %#', (value, want) => {
    const pool = new StringPool();
    expect(pool.share(value)).toBe(want);
    expect(pool.share('a text')).toBe(false);
  });

  it('looks at no more of what is nested without end than the stack allows', () => {
    const depth = 200_000;
    const nested = parse('['.repeat(depth) + ']'.repeat(depth));
    expect(() => new StringPool().share(nested)).not.toThrow();
  });
});

describe('if the program has added a member to Object.prototype', () => {
  afterEach(() => void Reflect.deleteProperty(Object.prototype, 'inherited'));

  it('it does not become a member of each', () => {
    Object.assign(Object.prototype, { inherited: 'a text that recurs' });
    const pool = new StringPool();
    for (let round = 0; round < 3; round += 1) {
      const object = { a: 'a text that recurs' };
      pool.share(object);
      expect(Object.hasOwn(object, 'inherited')).toBe(false);
    }
  });
});
