import { describe, expect, it } from 'vitest';
import { ConfigError } from '../api/errors.ts';
import { readImpersonation } from './kubeconfig/user.ts';

const entry = (fields: Readonly<Record<string, unknown>>) => ({ name: 'a', fields, file: '/config' });

describe('readImpersonation', () => {
  it.each<[title: string, extra: unknown]>([
    ['a string', 'admin'],
    ['a list', ['admin']],
    ['a number', 5],
  ])('refuses as-user-extra that is %s', (_, extra) => {
    expect(() => readImpersonation(entry({ as: 'me', 'as-user-extra': extra }), 'user "a"')).toThrow(
      new ConfigError('user "a": as-user-extra is not a mapping'),
    );
  });

  it('is undefined without its members, and has those that are given', () => {
    expect(readImpersonation(entry({}), 'user "a"')).toBeUndefined();
    expect(readImpersonation(entry({ as: 'me' }), 'user "a"')).toEqual({ user: 'me' });
    const all = { as: 'me', 'as-uid': '1', 'as-groups': ['g'], 'as-user-extra': { scope: ['s'] } };
    expect(readImpersonation(entry(all), 'user "a"')).toEqual({
      user: 'me',
      uid: '1',
      groups: ['g'],
      extra: { scope: ['s'] },
    });
  });

  it.each([{ 'as-uid': '1' }, { 'as-groups': ['g'] }, { 'as-user-extra': { scope: ['s'] } }])(
    'refuses %j without a user to act as',
    (fields) => {
      expect(() => readImpersonation(entry(fields), 'user "a"')).toThrow('need a user to act as');
    },
  );
});
