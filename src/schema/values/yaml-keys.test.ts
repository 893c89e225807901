import { expect, test } from 'vitest';
import { duplicateYamlKeys } from './yaml-keys.ts';

test.each<[string, readonly string[]]>([
  ['a: 1\nb: 2\n', []],
  ['a: 1\na: 2\n', ['line 2: key "a" already set in map']],
  ['a: 1\n"a": 2\n', ['line 2: key "a" already set in map']],
  ['a: 1\na:\n\n  2\n', ['line 4: key "a" already set in map']],
  [
    'a:\n  b: 1\n  b: 2\na: 3\na: 4\n',
    [3, 4, 5].map((line) => `line ${line}: key "${line === 3 ? 'b' : 'a'}" already set in map`),
  ],
  ['{"x": [{"a": 1, "a": 2}], "x": 3}', ['a', 'x'].map((key) => `line 1: key "${key}" already set in map`)],
  ["a: 'a: 1'\nb: {'c d': 1, 'c d': 2}\n", ['line 2: key "c d" already set in map']],
  ['a: [', []],
  ['', []],
])('%j', (content, want) => {
  expect(duplicateYamlKeys(content)).toEqual(want);
});

test('many duplicate keys take the time of some', () => {
  expect(duplicateYamlKeys('a: 1\n'.repeat(10_000))).toHaveLength(50);
});
