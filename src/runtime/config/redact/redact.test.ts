import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import type { ClusterConfig, ExecConfig } from '../types.ts';
import { hideAuth, hideConfig, hideTls } from './redact.ts';

const exec: ExecConfig = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'plugin',
  args: ['sesame-login', '-p', 'sesame-10', '-wsesame-11', '--token=sesame-12', '--verbose'],
  clusterConfig: { audience: 'sesame-13' },
  env: [{ name: 'API_KEY', value: 'sesame-4' }],
};
/** Members that a later version may add. */
const unknown = { later: 'sesame-14' };

const config: ClusterConfig = hideConfig({
  server: 'https://h',
  auth: hideAuth({
    token: 'sesame-1',
    username: 'jane',
    password: 'sesame-2',
    exec,
    oidc: {
      issuerUrl: 'https://issuer',
      clientId: 'me',
      clientSecret: 'sesame-5',
      idToken: 'sesame-6',
      refreshToken: 'sesame-7',
    },
  }),
  tls: hideTls({ cert: 'public', key: 'sesame-3' }),
  proxyUrl: 'http://sesame-8:sesame-9@proxy:3128',
});

const { proxyUrl: _, ...rest } = config;
const shown = { depth: null };

it.each([
  ['inspected', inspect(config, shown)],
  ['inspected after a spread', inspect({ ...rest, namespace: 'x' }, shown)],
  [
    'inspected in parts',
    inspect(
      [
        config.auth,
        config.tls,
        { ...config.auth?.exec, clusterConfig: undefined },
        config.auth?.exec?.args,
        config.auth?.exec?.env?.[0],
        config.auth?.oidc,
      ],
      shown,
    ),
  ],
  ['formatted', format('%o %O %j', config, config, config)],
  ['with unknown members', inspect(hideConfig({ ...config, ...unknown }), shown)],
  [
    'with unknown members in its parts',
    JSON.stringify([
      hideAuth({ ...config.auth, ...unknown, exec: { ...exec, ...unknown } }),
      hideTls({ ...config.tls, ...unknown }),
      { ...config, proxyUrl: '' },
    ]),
  ],
  [
    'with parts created by hand',
    JSON.stringify(
      hideConfig({ ...config, tls: { cert: 'public', key: 'sesame-3' }, auth: { ...config.auth, exec } }),
    ),
  ],
  ['as JSON', JSON.stringify(config)],
  ['as JSON after a spread', JSON.stringify({ ...rest })],
])('%s, a configuration shows everything but its secrets', (_, text) => {
  expect(text).not.toContain('sesame');
  for (const part of ['jane', 'public', 'plugin', 'API_KEY', 'https://issuer']) expect(text).toContain(part);
});

it.each(['constructor', 'toString', 'valueOf'])('hides an unknown member with the name %s', (name) => {
  const given = hideTls(Object({ cert: 'public', [name]: 'sesame' }));
  expect(JSON.parse(JSON.stringify(given))).toEqual({ cert: 'public', [name]: '[hidden]' });
});

it('shows the proxy without its user', () => {
  expect(JSON.stringify(config)).toContain('http://hidden@proxy:3128/');
  expect(config.proxyUrl).toBe('http://sesame-8:sesame-9@proxy:3128');
});

it('remains readable for code, also when it is spread', () => {
  expect(config.auth?.token).toBe('sesame-1');
  expect({ ...config.auth, username: 'joe' }).toMatchObject({
    token: 'sesame-1',
    username: 'joe',
    password: 'sesame-2',
    exec: {
      args: { 2: 'sesame-10', length: 6 },
      env: [{ value: 'sesame-4' }],
      clusterConfig: { audience: 'sesame-13' },
    },
    oidc: { clientSecret: 'sesame-5', idToken: 'sesame-6', refreshToken: 'sesame-7' },
  });
  expect({ ...config }.tls?.key).toBe('sesame-3');
  expect(Object.keys(config.auth ?? {})).toEqual(['token', 'username', 'password', 'exec', 'oidc']);
});
