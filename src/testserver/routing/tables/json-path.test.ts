import { expect, test } from 'vitest';
import { parseJsonPath } from './json-path.ts';

const value = {
  a: { b: [1, 2, 3, 4], 'x.y': 'dotted' },
  items: [
    { name: 'a', v: 1 },
    { name: 'b', v: 2, w: { name: 'deep' } },
  ],
};

test.each([
  ['.a.b', [[1, 2, 3, 4]]],
  ['$.a.b[0]', [1]],
  ['.a.b[-1]', [4]],
  ['.a.b[1:3]', [2, 3]],
  ['.a.b[::2]', [1, 3]],
  ['.a.b[0,2]', [1, 3]],
  ['.a.b[*]', [1, 2, 3, 4]],
  ["['a']['x.y']", ['dotted']],
  ['.a.x\\.y', ['dotted']],
  ['.items[*].name', ['a', 'b']],
  ['.items[?(@.name=="b")].v', [2]],
  ['.items[?(@.v>1)].name', ['b']],
  ['.items[?(@.w)].name', ['b']],
  ['..name', ['a', 'b', 'deep']],
  ['.a.*', [[1, 2, 3, 4], 'dotted']],
  ['.nope.b', []],
  ['.a.b.c', []],
])('%s', (path, want) => {
  expect(parseJsonPath(path)(value)).toEqual(want);
});

test.each(['.a[', '.a[x]', '.', '.a..'])('rejects %s', (path) => {
  expect(() => parseJsonPath(path)).toThrow(SyntaxError);
});
