import { describe, expect, test } from 'vitest';
import { EqualValues } from './equal-values.ts';

/** Parses JSON, and returns the members of the object with their equal parts shared. */
function sharedIn(text: string): Readonly<Record<string, unknown>> {
  const document: Readonly<Record<string, unknown>> = JSON.parse(text);
  new EqualValues().share(document);
  return document;
}

describe('equal parts of a document', () => {
  test('are one object', () => {
    const text = '{"a": {"x": [1, {"y": null}]}, "b": {"c": {"x": [1, {"y": null}]}}, "d": [1, {"y": null}]}';
    const { a, b, d } = sharedIn(text);
    expect(b).toHaveProperty('c');
    expect(Object(b).c).toBe(a);
    expect(Object(a).x).toBe(d);
    expect({ a, b, d }).toEqual(JSON.parse(text));
  });

  test.each([
    ['{"a": {"x": 1}, "b": {"x": "1"}}'],
    ['{"a": {"x": 1, "y": 2}, "b": {"y": 2, "x": 1}}'],
    ['{"a": ["0"], "b": {"0": "0"}}'],
    ['{"a": [], "b": {}}'],
    ['{"a": [null], "b": ["null"]}'],
    ['{"a": [[1], 2], "b": [[1, 2]]}'],
    ['{"a": [true], "b": ["true"]}'],
  ])('are not those of %s', (text) => {
    const { a, b } = sharedIn(text);
    expect(a).not.toBe(b);
    expect({ a, b }).toEqual(JSON.parse(text));
  });

  test('may have the key __proto__', () => {
    const text = '{"a": {"__proto__": {"x": 1}}, "b": {"__proto__": {"x": 1}}, "c": {"x": 1}}';
    const { a, b, c } = sharedIn(text);
    expect(a).toBe(b);
    expect(Object.getOwnPropertyDescriptor(a, '__proto__')?.value).toBe(c);
    expect(JSON.stringify({ a, b, c })).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('are found in time that is linear in the size of the aliases', () => {
    const parts: object[] = [{ x: 1 }];
    for (let level = 0; level < 300; level += 1) parts.push({ a: parts[level], b: parts[level] });
    const document = { first: parts[300], second: { x: 1 } };
    new EqualValues().share(document);
    expect(document.second).toBe(parts[0]);
  });
});

test('parts of several documents are shared', () => {
  const values = new EqualValues();
  const [first, second] = [{ a: { x: [1n] } }, { b: { x: [1n] }, c: { x: [1] } }];
  values.share(first);
  values.share(second);
  expect(second.b).toBe(first.a);
  expect(second.c).toEqual({ x: [1] });
});
