import { expect, test } from 'vitest';
import { cellPath } from './custom.ts';

const value = {
  a: { b: [1, 2, 3, 4], 'x.y': 'dotted' },
  items: [
    { name: 'a', v: 1 },
    { name: 'b', v: 2, w: { name: 'deep' } },
  ],
};

test.each<[string, unknown]>([
  ['.a.b', [1, 2, 3, 4]],
  ['$.a.b[0]', 1],
  ['.a.b[-1]', 4],
  ['.a.b[1:3]', 2],
  ['.a.b[0,2]', 1],
  ['.a.b[*]', 1],
  ['.a.x\\.y', 'dotted'],
  ['.items[*].name', 'a'],
  ['.items[?(@.name=="b")].v', 2],
  ['.items[?(@.v>1)].name', 'b'],
  ['.items[?(@.w)].name', 'b'],
  ['..name', 'a'],
  ['.a.*', [1, 2, 3, 4]],
  ['.nope.b', undefined],
  ['.a.b.c', undefined],
  // An index that does not exist, and a comparison of different types.
  ['.a.b[9]', undefined],
  ['.items[?(@.v=="x")].v', undefined],
  // Paths that cannot be parsed.
  ['a.b', undefined],
  ['.a[', undefined],
  ['.a[x]', undefined],
])('the cell of %s is the first value', (path, want) => {
  expect(cellPath(path)(value)).toEqual(want);
});
