import { describe, expect, it } from 'vitest';
import { setLazy } from '../../codec/lazy/lazy-member.ts';
import { estimateBytes as estimate } from './estimate-bytes.ts';

/** Bytes in the maps of a store. */
const entry = 64;

const estimateBytes = (slots: readonly (object | undefined)[]) =>
  estimate(slots, slots.filter((slot) => slot !== undefined).length);

describe('estimateBytes', () => {
  it.each([
    ['no object', [], 0],
    ['removed objects', [undefined, undefined], 0],
    ['an object without members', [{}], entry + 56],
    ['integers, booleans and null', [{ a: 1, b: true, c: null }], entry + 24 + 3 * 8],
    ['a fraction', [{ a: 0.5 }], entry + 32 + 16],
    ['a short string', [{ a: 'x' }], entry + 32 + 24],
    ['a string of 9 characters', [{ a: '123456789' }], entry + 32 + 32],
    ['a list', [{ a: [1, 2] }], entry + 32 + 48 + 16],
    ['an object in an object', [{ a: { b: 1 } }], entry + 32 + 32],
    ['a string that occurs twice in an object', [{ a: 'x', b: 'x' }], entry + 40 + 24],
    ['one object beside many removed ones', [...Array(70).fill(undefined), {}], entry + 56],
    ['a string of several objects', [{ a: 'x' }, undefined, { a: 'x' }, { a: 'x' }], 3 * (entry + 32) + 24],
  ])('returns the bytes of %s', (_, objects, bytes) => {
    expect(estimateBytes(objects)).toBe(bytes);
  });

  it('counts a part of several objects once, with its own parts', () => {
    const part = { b: 'text', c: ['more'] };
    const partBytes = 40 + 24 + (48 + 8) + 24;
    expect(estimateBytes([{ a: part }, { a: part }, { a: part }])).toBe(3 * (entry + 32) + partBytes);
  });

  it.each([33, 1000, 100_000])('measures some of %i objects', (count) => {
    let read = 0;
    const objects = Array.from({ length: count }, (_, index) => ({
      get a() {
        read += 1;
        return `name-${index + 100_000}`;
      },
    }));
    expect(estimateBytes(objects)).toBe(count * (entry + 32 + 32));
    expect(read).toBe(32);
  });

  it('measures members that are parsed on first access without parsing them', () => {
    const object = {};
    const bytes = new Uint8Array(100);
    setLazy(object, 'managedFields', { bytes, start: 20, end: 90 }, () => {
      throw new Error('parsed');
    });
    expect(estimateBytes([object])).toBe(entry + 24 + 8 + 70);
  });

  it('ends for an object that contains itself', () => {
    const object: { self?: object } = {};
    object.self = object;
    expect(estimateBytes([object])).toBe(entry + 32);
  });
});
