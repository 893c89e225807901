import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { hideAuth, hideTls } from './redact.ts';
import type { ClusterConfig } from './types.ts';

const config: ClusterConfig = {
  server: 'https://h',
  auth: hideAuth({ token: 'sesame-1', username: 'jane', password: 'sesame-2' }),
  tls: hideTls({ cert: 'public', key: 'sesame-3' }),
};

it.each([
  ['inspected', inspect(config, { depth: null })],
  ['inspected after a spread', inspect({ ...config, namespace: 'x' }, { depth: null })],
  ['inspected in parts', inspect([config.auth, config.tls])],
  ['as JSON', JSON.stringify(config)],
  ['as JSON after a spread', JSON.stringify({ ...config })],
])('%s, a configuration shows everything but its secrets', (_, text) => {
  expect(text).not.toContain('sesame');
  expect(text).toContain('jane');
  expect(text).toContain('public');
});

it('stays readable data, also when it is spread', () => {
  expect(config.auth?.token).toBe('sesame-1');
  expect({ ...config.auth, username: 'joe' }).toEqual({
    token: 'sesame-1',
    username: 'joe',
    password: 'sesame-2',
  });
  expect({ ...config }.tls?.key).toBe('sesame-3');
  expect(Object.keys(config.auth ?? {})).toEqual(['token', 'username', 'password']);
});
