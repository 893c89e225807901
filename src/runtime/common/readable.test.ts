import { describe, expect, it } from 'vitest';
import { hideCredentials, readableText, stringOf } from './readable.ts';

describe('stringOf', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  it.each<{ name: string; value: unknown; want: string }>([
    { name: 'a string', value: 'x', want: 'x' },
    { name: 'a number', value: 1, want: '1' },
    { name: 'null', value: null, want: 'null' },
    { name: 'undefined', value: undefined, want: 'undefined' },
    { name: 'an object whose toString is not a function', value: { toString: 1 }, want: '{"toString":1}' },
    { name: 'an array', value: ['a', { b: 1 }], want: '["a",{"b":1}]' },
    { name: 'an object whose toJSON is not a function', value: { toJSON: 1 }, want: '{"toJSON":1}' },
    { name: 'an object without a prototype', value: Object.create(null), want: '{}' },
    { name: 'nesting deeper than the stack', value: deep, want: '[object]' },
    { name: 'a bigint in an object', value: { a: 1n }, want: '[object]' },
    { name: 'a symbol', value: Symbol('s'), want: 'Symbol(s)' },
  ])('converts $name', ({ value, want }) => {
    expect(stringOf(value)).toBe(want);
  });
});

describe('readableText', () => {
  it.each([
    { name: 'line breaks and escape sequences', text: ' a\r\n\u001b[2Jb\u009bc\u2028d ', want: 'a [2Jb c d' },
    {
      name: 'a bearer token',
      text: 'Authorization: Bearer abc.def-1',
      want: 'Authorization: Bearer [hidden]',
    },
    { name: 'changes of the direction of text', text: 'a\u202eb\u2066c', want: 'a b c' },
    { name: 'a text within the limit', text: 'é'.repeat(1024), want: 'é'.repeat(1024) },
    {
      name: 'a character that the limit cuts in two',
      text: `a${'é'.repeat(1024)}`,
      want: `a${'é'.repeat(1023)}…`,
    },
    { name: 'more characters than are read', text: ' '.repeat(20_000), want: '…' },
  ])('cleans $name', ({ text, want }) => {
    expect(readableText(text)).toBe(want);
  });
});

it.each([
  ['bearer eyJh.bGci', 'bearer [hidden]'],
  ['basic   dXNlcjpw=', 'basic [hidden]'],
  ['{"authorization":["Bearer s3cret"]}', '{"authorization":["Bearer [hidden]"]}'],
  ['invalid bearer token, token lookup failed', 'invalid bearer token, token lookup failed'],
  ['basic auth is disabled', 'basic auth is disabled'],
  ['bearer tokens-are-not-words', 'bearer [hidden]'],
])('hides credentials: %j becomes %j', (text, want) => {
  expect(hideCredentials(text)).toBe(want);
});

it('hides the credentials of one megabyte in linear time', () => {
  const blocks = ['bearer ', 'bearer\n\n\n', 'basic a.', 'bearer tokens', ' '];
  for (const block of blocks)
    expect(hideCredentials(block.repeat(1_000_000 / block.length))).toBeTypeOf('string');
});
