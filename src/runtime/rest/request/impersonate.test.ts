import { expect, it } from 'vitest';
import type { Impersonation } from '../../api/options.ts';
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

it('encodes values as UTF-8, one character per byte', () => {
  const sent = impersonationHeaders({ user: 'jürgen ☃', groups: ['ä'], extra: { a: ['ö', ''] } });
  expect(sent.map(([, value]) => Buffer.from(value, 'latin1').toString('utf8'))).toEqual([
    'jürgen ☃',
    'ä',
    'ö',
    '',
  ]);
});

const refused: readonly [given: Impersonation, message: RegExp][] = [
  [
    { user: 'a\r\nimpersonate-group: b' },
    /^the user to impersonate cannot be sent: it contains a line break/,
  ],
  [{ user: ' admin' }, /^the user to impersonate/],
  [{ user: 'a', uid: 'b\0' }, /^the uid to impersonate/],
  [{ user: 'a', groups: ['b', 'c\n'] }, /^a group to impersonate cannot be sent/],
  [{ user: 'a', extra: { b: ['c\u007f'] } }, /^the extra value "b" to impersonate/],
  [{ user: 'a', extra: { '': ['b'] } }, /^an extra value to impersonate has no name/],
];

it.each(refused)('throws for %j', (given, want) => {
  expect(() => impersonationHeaders(given)).toThrow(want);
});

it('escapes a line break in the name of an extra value', () => {
  expect(impersonationHeaders({ user: 'a', extra: { 'b\r\nc': ['d'] } })).toContainEqual([
    'impersonate-extra-b%0D%0Ac',
    'd',
  ]);
});

it.each(cases)('%j', (given, want) => {
  expect(impersonationHeaders(given)).toEqual(want);
});

it('throws without a user', () => {
  const forgotten: object = { groups: ['a'] };
  expect(() => Reflect.apply(impersonationHeaders, undefined, [forgotten])).toThrow(/needs a user/);
  expect(() => impersonationHeaders({ user: '', groups: ['a'] })).toThrow(/needs a user/);
});
