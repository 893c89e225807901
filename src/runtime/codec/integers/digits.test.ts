import { expect, it } from 'vitest';
import { isExact } from './digits.ts';

it.each<[digits: string, exact: boolean]>([
  ['9007199254740991', true],
  ['9007199254740992', true],
  ['9007199254740993', false],
  // The nearest number is 23384104854255128, which is printed as the other digits.
  ['23384104854255130', false],
  ['23384104854255128', false],
  ['-0', false],
])('the number of %s is exact: %s', (digits, exact) => {
  expect(isExact(Number(digits), digits)).toBe(exact);
});
