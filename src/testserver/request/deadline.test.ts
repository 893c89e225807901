import { expect, test } from 'vitest';
import { durationProblem } from './deadline.ts';

test.each<[duration: string, problem: string | undefined]>([
  ['1s', undefined],
  ['0', undefined],
  ['-1h1m1.5s', undefined],
  ['+.5ms', undefined],
  ['1.s', undefined],
  ['3µs', undefined],
  ['9223372036854775807ns', undefined],
  ['-9223372036854775808ns', undefined],
  ['9223372036854775808ns', 'invalid duration "9223372036854775808ns"'],
  ['9999999999h', 'invalid duration "9999999999h"'],
  ['', 'invalid duration ""'],
  ['-', 'invalid duration "-"'],
  ['bad', 'invalid duration "bad"'],
  ['.s', 'invalid duration ".s"'],
  ['5', 'missing unit in duration "5"'],
  ['1s2x', 'unknown unit "x" in duration "1s2x"'],
])('durationProblem(%j) is %j', (duration, problem) => {
  expect(durationProblem(duration)).toBe(problem);
});
