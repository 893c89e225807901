import { describe, expect, it, vi } from 'vitest';
import { parseText } from '../integers/keep-digits.ts';
import { StringPool } from '../string-pool.ts';
import { PartPool } from './part-pool.ts';

interface Shape {
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: { readonly name?: string; readonly list?: readonly object[]; readonly resources?: object };
}

const shapeOf = (text: string, name = 'a'): Shape =>
  Object(parseText(`{"kind":"Shape","metadata":{"name":"${name}","labels":{"app":"web"}},"spec":${text}}`));

/** Returns objects after their parts have been shared. */
function shared(...specs: readonly string[]): Shape[] {
  const pool = new PartPool(new StringPool());
  const shapes = specs.map((spec, index) => shapeOf(spec, `name-${index}`));
  for (const shape of shapes) pool.share(shape);
  expect(shapes).toEqual(specs.map((spec, index) => shapeOf(spec, `name-${index}`)));
  return shapes;
}

const equal = '{"name":"x","list":[{"a":1,"b":[true,null]},{"a":1,"b":[true,null]}]}';

describe('parts of objects', () => {
  it('that are equal are the same, and frozen at every depth', () => {
    const [one, other] = shared(equal, equal);
    expect(one?.spec).toBe(other?.spec);
    expect(one?.spec.list?.[0]).toBe(one?.spec.list?.[1]);
    expect(one?.metadata.labels).toBe(other?.metadata.labels);
    expect(one?.metadata).not.toBe(other?.metadata);
    expect(one).not.toBe(other);
    for (const part of [one?.spec, one?.spec.list, one?.spec.list?.[0], one?.metadata.labels]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    for (const own of [one, other, one?.metadata]) expect(Object.isFrozen(own)).toBe(false);
  });

  it('that no other object has are not frozen', () => {
    const [one, other] = shared('{"name":"x"}', '{"name":"y"}');
    expect([one, other].map((shape) => Object.isFrozen(shape?.spec))).toEqual([false, false]);
  });

  it.each<[one: string, other: string]>([
    ['{"a":1}', '{"a":2}'],
    ['{"a":1}', '{"b":1}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":true}'],
    ['{"a":0}', '{"a":null}'],
    ['{"a":{}}', '{"a":[]}'],
    ['{"a":1}', '{"a":1,"b":2}'],
    ['{"a":1,"b":2}', '{"a":1}'],
    ['{"a":{"0":1}}', '{"a":[1]}'],
    ['{"a":[1]}', '{"a":[1,2]}'],
    ['{"__proto__":{}}', '{}'],
    ['{"a":9007199254740993}', '{"a":9007199254740993}'],
    ['{"b":{"a":9007199254740993}}', '{"b":{"a":9007199254740992}}'],
  ])('that differ, or have integers beyond 2^53, are not shared: %s and %s', (one, other) => {
    const [first, second] = shared(one, other);
    expect(first?.spec).not.toBe(second?.spec);
  });

  it('share their strings, like their metadata', () => {
    const strings = new StringPool();
    const share = vi.spyOn(strings, 'shared');
    const shape = { kind: 'Shape', metadata: { name: 'a' }, spec: { text: 'x', list: ['y', 1] } };
    new PartPool(strings).share(shape);
    expect(share.mock.calls.map(([text]) => text)).toEqual(['Shape', 'x', 'y', 'a']);
  });

  it('that many objects have stay in a pool of limited size', () => {
    const pool = new PartPool(new StringPool());
    const first = shapeOf(equal);
    pool.share(first);
    for (let index = 0; index < 20_000; index += 1) {
      const other = { metadata: {}, spec: { own: { index } }, status: shapeOf(equal).spec };
      pool.share(other);
    }
    const last = shapeOf(equal);
    pool.share(last);
    expect(last.spec).toBe(first.spec);
  });

  it('that are nested deep do not exhaust the stack', () => {
    const deep = { metadata: {}, spec: JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) };
    const pool = new PartPool(new StringPool());
    pool.share(deep);
    expect(Object.isFrozen(deep.spec)).toBe(false);
  });
});
