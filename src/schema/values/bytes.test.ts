import { describe, expect, test } from 'vitest';
import { base64Bytes, compareBytes, hexOf, textOf, utf8, utf8Length } from './bytes.ts';

const strings = [
  '',
  'a',
  'ä',
  'ß€',
  '\ufeffa',
  '😀',
  'a😀b',
  '\ud800',
  '\udc00a',
  '\u0000\u007f\u0080\u07ff\u0800\uffff',
];

describe.each(strings)('the string %j', (text) => {
  const expected = Buffer.from(text);

  test('has the bytes, length and digits of Buffer', () => {
    expect(utf8(text)).toEqual(new Uint8Array(expected));
    expect(utf8Length(text)).toBe(expected.length);
    expect(hexOf(utf8(text))).toBe(expected.toString('hex'));
    expect(base64Bytes(expected.toString('base64'))).toEqual(new Uint8Array(expected));
  });

  test('is decoded from its bytes', () => {
    expect(textOf(utf8(text))).toBe(expected.toString('utf8'));
  });

  test.each(strings)('has the order of Buffer beside %j', (other) => {
    const order = compareBytes(utf8(text), utf8(other));
    expect(Math.sign(order)).toBe(Buffer.compare(expected, Buffer.from(other)));
  });
});

test.each(['YQ', 'YQ=', 'Y Q\n==', 'YWI', 'YWJj', 'YWJjY', '!', ''])('decodes %j as Buffer does', (text) => {
  expect(base64Bytes(text)).toEqual(new Uint8Array(Buffer.from(text, 'base64')));
});
