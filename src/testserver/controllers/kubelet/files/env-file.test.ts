import { expect, test } from 'vitest';
import { envFileValue } from './env-file.ts';

test.each<[string, string, string | undefined]>([
  ["A='1'\n", 'A', '1'],
  ["A='1'", 'A', '1'],
  ["\n# note\n  A='1' # end\nB='2'\n", 'B', '2'],
  ["A='x\ny'\nB='2'", 'A', 'x\ny'],
  ["A='x\ny'\nB='2'", 'B', '2'],
  ["A= '1'\nB='2'", 'A', ''],
  ["A= '1'\nB='2'", 'B', '2'],
  ["A='1'", 'B', ''],
  ['', 'A', ''],
  ['A=1', 'A', undefined],
  ["A ='1'", 'A', undefined],
  ["='1'", 'A', undefined],
  ["A='1'x", 'A', undefined],
  ["A='1", 'A', undefined],
  ['nothing', 'A', undefined],
  ["A='1'\nnothing", 'A', '1'],
])('the file %j assigns to %s: %j', (content, name, expected) => {
  expect(envFileValue(content, name)).toBe(expected);
});
