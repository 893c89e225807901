import { expect, test } from 'vitest';
import { holdsUnchanged, usesOldSelf } from './expressions.ts';

test.each<[string, boolean]>([
  ['self == oldSelf', true],
  ['self >= oldSelf && self.a <= oldSelf.a', true],
  ['!has(oldSelf.a) || has(self.a)', true],
  ['has(self.a) || !has(oldSelf.a)', true],
  ['has(self.a) ? self.a == oldSelf.a : true', true],
  ['self.a == "x" || self == oldSelf', true],
  ['self.list[0] == oldSelf.list[0]', true],
  ['self > oldSelf', false],
  ['self != oldSelf', false],
  ['self.a == oldSelf.b', false],
  ['self.list[0] == oldSelf.list[1]', false],
  ['self + 1u == oldSelf + 2u', false],
  ['self == oldSelf && self.a', false],
  ['!has(oldSelf.a) || has(self.b)', false],
  ['not a rule', false],
])('%s holds for an unchanged value: %s', (rule, expected) => {
  expect(holdsUnchanged(rule)).toBe(expected);
});

test('oldSelf is a variable, and no part of a string or a name', () => {
  expect(usesOldSelf('self.all(x, x in oldSelf)')).toBe(true);
  expect(usesOldSelf('self == "oldSelf" || self.oldSelf == 1')).toBe(false);
});
