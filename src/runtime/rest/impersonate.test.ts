import { expect, it } from 'vitest';
import type { Impersonation } from '../options.ts';
import { impersonationHeaders } from './impersonate.ts';

const cases: readonly [given: Impersonation, want: [string, string][]][] = [
  [{ user: 'jane' }, [['impersonate-user', 'jane']]],
  [
    { user: 'jane', uid: 'u', groups: ['a', 'b'] },
    [
      ['impersonate-user', 'jane'],
      ['impersonate-uid', 'u'],
      ['impersonate-group', 'a'],
      ['impersonate-group', 'b'],
    ],
  ],
  [
    { user: 'jane', extra: { Scopes: ['x', 'y'], 'example.com/päd': ['z'] } },
    [
      ['impersonate-user', 'jane'],
      ['impersonate-extra-scopes', 'x'],
      ['impersonate-extra-scopes', 'y'],
      ['impersonate-extra-example.com%2Fp%C3%A4d', 'z'],
    ],
  ],
  [
    { user: 'jane', extra: { 'a%b': ['z'] } },
    [
      ['impersonate-user', 'jane'],
      ['impersonate-extra-a%25b', 'z'],
    ],
  ],
];

it.each(cases)('%j', (given, want) => {
  expect(impersonationHeaders(given)).toEqual(want);
});

it('needs a user', () => {
  const forgotten: object = { groups: ['a'] };
  expect(() => Reflect.apply(impersonationHeaders, undefined, [forgotten])).toThrow(/needs a user/);
  expect(() => impersonationHeaders({ user: '', groups: ['a'] })).toThrow(/needs a user/);
});
