import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseLineLazily, readItemLazily } from './lazy-json.ts';
import { setLazy, untouchedSlice } from './lazy-member.ts';

type Holder = { name: string; managedFields: unknown };

const entries = [{ manager: 'kubectl', fieldsV1: { 'f:data': {} } }];
const json = Buffer.from(JSON.stringify({ metadata: { name: 'a', managedFields: entries } }));

/** Metadata whose member was read from JSON; that of protobuf is tested in `managed-fields.test.ts`. */
function metadata(): Holder {
  // seam: the value is the JSON above.
  return (readItemLazily(json, 0, json.length) as { metadata: Holder }).metadata;
}

/** Metadata whose list is `[1]`, and the number of times it was parsed. */
function counted(): { readonly holder: Holder; readonly count: () => number } {
  let count = 0;
  const holder: Holder = JSON.parse('{"name":"a"}');
  setLazy(holder, 'managedFields', { bytes: Buffer.from('[1]'), start: 0, end: 3 }, ({ bytes }) => {
    count += 1;
    return JSON.parse(Buffer.from(bytes).toString());
  });
  return { holder, count: () => count };
}

describe('a lazy member', () => {
  it.each<[string, (holder: Holder) => Holder]>([
    ['the object', (holder) => holder],
    ['a proxy', (holder) => new Proxy(holder, {})],
    ['a proxy that wraps each value', (holder) => wrapped(holder)],
    ['a frozen object', (holder) => Object.freeze(holder)],
    ['an object that inherits it', (holder) => Object.create(holder)],
    ['a spread', (holder) => ({ ...holder })],
    ['structuredClone', (holder) => structuredClone(holder)],
    ['JSON', (holder) => JSON.parse(JSON.stringify(holder))],
    ['Object.assign', (holder) => Object.assign({ name: '', managedFields: 0 }, holder)],
    ['all property descriptors', (holder) => withDescriptors(holder)],
  ])('is read through %s', (_, through) => {
    const { managedFields } = through(metadata());
    expect(managedFields).toEqual(entries);
  });

  it('is equal to an ordinary one', () => {
    const want = { name: 'a', managedFields: entries };
    expect(metadata()).toStrictEqual(want);
    expect(isDeepStrictEqual(metadata(), want)).toBe(true);
    expect(Object.keys(metadata())).toEqual(Object.keys(want));
  });

  it('is parsed once, on first access, also through a proxy', () => {
    const { holder, count } = counted();
    const proxy = new Proxy(Object.freeze(holder), {});
    expect(count()).toBe(0);
    expect(proxy.managedFields).toEqual([1]);
    expect([holder.managedFields === proxy.managedFields, count()]).toEqual([true, 1]);
  });

  it.each<[string, (holder: Holder) => Holder, changes: boolean]>([
    ['the object', (holder) => holder, true],
    ['a proxy', (holder) => new Proxy(holder, {}), true],
    ['a sealed object', (holder) => Object.seal(holder), true],
    ['an object that inherits it', (holder) => Object.create(holder), false],
    ['a copy of the property descriptors', (holder) => withDescriptors(holder), false],
    ['a spread', (holder) => ({ ...holder }), false],
  ])('is assigned through %s', (_, through, changes) => {
    const holder = metadata();
    const other = through(holder);
    other.managedFields = 5;
    expect([other.managedFields, holder.managedFields]).toEqual([5, changes ? 5 : entries]);
    expect(Object.keys(other)).toContain('managedFields');
    expect(untouchedSlice(holder, 'managedFields')).toBeUndefined();
  });

  it('is deleted like another member', () => {
    const holder = metadata();
    Reflect.deleteProperty(holder, 'managedFields');
    expect(holder).toStrictEqual({ name: 'a' });
  });

  it('throws a TypeError if it is assigned in a frozen object, and by its property descriptor alone', () => {
    const holder = Object.freeze(metadata());
    expect(() => Object.assign(holder, { managedFields: [] })).toThrow(TypeError);
    const descriptor = Object.getOwnPropertyDescriptor(holder, 'managedFields') ?? {};
    expect(() =>
      Reflect.get(Object.defineProperty({}, 'managedFields', descriptor), 'managedFields'),
    ).toThrow('managedFields has a property descriptor of another object');
  });
});

/** Like the reactive objects of user interfaces: its values are proxies. */
function wrapped<T extends object>(object: T): T {
  return new Proxy(object, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver);
      const isPlain = typeof key === 'string' && typeof value === 'object' && value !== null;
      return isPlain ? wrapped(value) : value;
    },
  });
}

function withDescriptors<T extends object>(object: T): T {
  return Object.defineProperties(Object.create(Object.prototype), Object.getOwnPropertyDescriptors(object));
}

describe('managedFields in JSON', () => {
  const read = (text: string): unknown => readItemLazily(Buffer.from(text), 0, Buffer.byteLength(text));

  it.each([
    ['{"metadata":{"name":"a","managedFields":[1]}}', true],
    ['{"metadata":{"name":"a","managedFields":[1]},"spec":{"metadata":1}}', true],
    ['{"metadata":{"name":"a","managedFields":[1],"uid":"b"}}', false],
    ['{"metadata":{"managedFields":[1]}}', false],
    ['{"metadata":{"name":"a","managedFields":[1]},"metadata":{"name":"a","managedFields":[2]}}', false],
  ])('of %s are lazy: %o', (text, isLazy) => {
    const { metadata: holder } = Object(read(text));
    const { get } = Object.getOwnPropertyDescriptor(holder, 'managedFields') ?? {};
    expect(get !== undefined).toBe(isLazy);
    expect(JSON.stringify(holder)).toBe(JSON.stringify(JSON.parse(text).metadata));
  });

  it('keep the digits of large integers, which do not affect those around them', () => {
    const { metadata: holder, spec } = Object(
      read(
        '{"metadata":{"name":"a","managedFields":[12345678901234567890]},"spec":{"a":98765432109876543210}}',
      ),
    );
    const digits = Symbol.for('@kgen/runtime/int64');
    expect(holder.managedFields[digits]).toEqual({ 0: '12345678901234567890' });
    expect(spec[digits]).toEqual({ a: '98765432109876543210' });
  });

  it('throw a SyntaxError on each access if they are malformed', () => {
    const event = Object(
      parseLineLazily(Buffer.from('{"type":"ADDED","object":{"metadata":{"a":1,"managedFields":[x]}}}')),
    );
    expect(event.type).toBe('ADDED');
    for (const _ of [1, 2]) expect(() => event.object.metadata.managedFields).toThrow(SyntaxError);
  });

  it('do not reference the bytes of the line', () => {
    const line = Buffer.from(`{"type":"ADDED","object":${json}}`);
    const event = Object(parseLineLazily(line));
    line.fill(0);
    expect(event.object.metadata.managedFields).toEqual(entries);
  });
});
