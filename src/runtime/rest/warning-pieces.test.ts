import { expect, it } from 'vitest';
import { parseWarnings } from './layers/warning-header.ts';

it.each<[header: string, texts: readonly string[]]>([
  ['299 a "one"', ['one']],
  ['nonsense,299 a "one"', ['one']],
  [',299 a "one"', ['one']],
  ['nonsense, 299 a "one",299 b "two"', ['one', 'two']],
  ['299 a "one" "Sun, 06 Nov 1994 08:49:37 GMT",299 b "two"', ['one', 'two']],
  ['299 a "o\\"ne"', ['o"ne']],
  ['199 a "one"', []],
  ['299 a ""', []],
  ['299 "one"', []],
  ['nonsense', []],
  ['', []],
])('the warnings in %j are %j', (header, texts) => {
  expect(parseWarnings(header).map(({ text }) => text)).toEqual(texts);
});
