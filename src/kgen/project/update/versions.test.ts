import { expect, test } from 'vitest';
import { isLower, raiseVersions } from './versions.ts';

test('versions have the order of Semantic Versioning', () => {
  const sorted = [
    '0.1.0-alpha',
    '0.1.0-alpha.1',
    '0.1.0-alpha.beta',
    '0.1.0-beta.2',
    '0.1.0-beta.11',
    '0.1.0',
    '0.1.2',
    '0.10.0',
    '1.0.0',
  ];
  const isAscending = (one: string, other: string): boolean => isLower(one, other) && !isLower(other, one);
  for (const [index, one] of sorted.entries())
    for (const other of sorted.slice(index + 1))
      expect([one, other, isAscending(one, other)]).toEqual([one, other, true]);
  expect([isLower('1.0.0+a', '1.0.0+b'), isLower('latest', '1.0.0'), isLower('1.0', '1.0.1')]).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ['"kgen": "0.1.0"', '"kgen": "0.2.0"'],
  ['"@kgen/runtime":"^0.1.0"', '"@kgen/runtime":"^0.2.0"'],
  ['"@kgen/runtime" : ">= 0.2.0-beta.1"', '"@kgen/runtime" : ">= 0.2.0"'],
  ['"kgen": "~0.3.0"', '"kgen": "~0.3.0"'],
  ['"kgen": "workspace:*", "generate": "kgen"', '"kgen": "workspace:*", "generate": "kgen"'],
  ['"@kgen/testing": "file:../0.1.0"', '"@kgen/testing": "file:../0.1.0"'],
  ['"other-kgen": "0.1.0"', '"other-kgen": "0.1.0"'],
  ['"kgen": "0.1.0 || 0.2.0"', '"kgen": "0.1.0 || 0.2.0"'],
])('in a package.json, %s becomes %s', (before, after) => {
  expect(raiseVersions(before, '0.2.0')).toBe(after);
});
