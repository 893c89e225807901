import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { anonymous, withImpersonation, withToken } from './identities.ts';
import { hideAuth, hideTls } from './redact/redact.ts';
import type { ClusterConfig } from './types.ts';

const trust = { ca: 'CA', caFile: '/ca', serverName: 'api' };
const config: ClusterConfig = {
  server: 'https://api:6443/prefix',
  tls: hideTls({ ...trust, cert: 'C', key: 'sesame-1', certFile: '/c', keyFile: '/k' }),
  auth: hideAuth({ username: 'jane', password: 'sesame-2' }),
  proxyUrl: 'http://me:sesame-3@proxy:3128',
  impersonate: { user: 'joe' },
  namespace: 'shop',
  context: 'prod',
};
const others = {
  server: 'https://api:6443/prefix',
  tls: trust,
  proxyUrl: 'http://me:sesame-3@proxy:3128',
  namespace: 'shop',
  context: 'prod',
};

describe('a configuration with another identity', () => {
  it.each<{ name: string; given: ClusterConfig; want: object }>([
    { name: 'anonymous', given: anonymous(config), want: others },
    {
      name: 'anonymous, at a link-local address',
      given: anonymous({ server: '[fe80::1%25eth0]:6443/', tls: { ca: 'CA' } }),
      want: { server: 'https://[fe80::1%25eth0]:6443', tls: { ca: 'CA' } },
    },
    {
      name: 'with a token',
      given: withToken(config, 'sesame-4'),
      want: { ...others, auth: { token: 'sesame-4' } },
    },
    {
      name: 'with an impersonation',
      given: withImpersonation(config, { user: 'eve', groups: ['a'] }),
      want: { ...config, impersonate: { user: 'eve', groups: ['a'] } },
    },
  ])('$name', ({ given, want }) => {
    expect({ ...given }).toEqual(want);
    expect(inspect(given, { depth: 9 }) + JSON.stringify(given)).not.toContain('sesame');
  });

  it('keeps https if the removed certificate implied it', () => {
    const bare: ClusterConfig = { server: 'api:6443', tls: { cert: 'C', key: 'K' } };
    expect(withToken(bare, 't').server).toBe('https://api:6443');
    expect(anonymous(bare).server).toBe('https://api:6443');
  });

  it.each([
    ['an empty token', () => withToken(config, ' '), 'the token is empty'],
    ['an impersonation without a user', () => withImpersonation(config, { user: '' }), /needs a user/],
  ])('throws for %s', (_, act, want) => {
    expect(act).toThrow(want);
  });
});
