import { describe, expect, it } from 'vitest';
import { isConfigError } from '../../api/errors.ts';
import { parseServer } from '../../config/kubeconfig/server.ts';
import { type Environment, parseProxy, proxyAuthorization, proxyFor } from './proxy.ts';

interface Case {
  readonly server: string;
  readonly configured?: string;
  readonly environment?: Environment;
  readonly want: string | undefined;
}

const api = 'https://api.test:6443';

describe('the proxy for a server', () => {
  const cases: Readonly<Record<string, Case>> = {
    'none if none is configured': { server: api, want: undefined },
    'the configured proxy': {
      server: api,
      configured: 'socks5://p:1',
      environment: { HTTPS_PROXY: 'http://q' },
      want: 'socks5://p:1',
    },
    'the configured proxy for loopback too': {
      server: 'https://127.0.0.1:6443',
      configured: 'http://p',
      want: 'http://p',
    },
    'the proxy of the environment': {
      server: api,
      environment: { HTTPS_PROXY: 'http://p:3128' },
      want: 'http://p:3128',
    },
    'a lower-case variable': { server: api, environment: { https_proxy: 'p:3128' }, want: 'http://p:3128' },
    'upper case before lower case': {
      server: api,
      environment: { HTTPS_PROXY: 'http://p', https_proxy: 'http://q' },
      want: 'http://p',
    },
    'none for an empty variable': { server: api, environment: { HTTPS_PROXY: '' }, want: undefined },
    'the variable for the scheme of the server': {
      server: 'http://api.test',
      environment: { HTTPS_PROXY: 'http://p', HTTP_PROXY: 'http://q' },
      want: 'http://q',
    },
    'none for TLS from HTTP_PROXY': { server: api, environment: { HTTP_PROXY: 'http://q' }, want: undefined },
    'none for a host in NO_PROXY': {
      server: api,
      environment: { HTTPS_PROXY: 'http://p', NO_PROXY: 'x,.test:6443' },
      want: undefined,
    },
    'none for a host in NO_PROXY with the effective port': {
      server: 'https://api.test',
      environment: { HTTPS_PROXY: 'http://p', no_proxy: 'api.test:443' },
      want: undefined,
    },
    'none of the environment for loopback': {
      server: 'https://localhost:6443',
      environment: { HTTPS_PROXY: 'no url at all' },
      want: undefined,
    },
    'without its password': { server: api, configured: 'http://jane:secret@p:1/x?y', want: 'http://p:1' },
  };
  it.each(Object.entries(cases))('%s', (_, { server, configured, environment = {}, want }) => {
    expect(proxyFor(parseServer(server), configured, environment)?.label).toBe(want);
  });

  const problems: readonly [given: string, want: RegExp][] = [
    ['ftp://jane:secret@p', /protocol ftp:\/\/; only http:\/\/, https:\/\/ and socks5:\/\//],
    ['http://jane:secret@', /is not a URL/],
    ['http://ja%ne:secret@p', /write % as %25/],
  ];
  it.each(problems)('%s', (given, want) => {
    for (const [configured, environment, from] of [
      [given, {}, /proxy-url/],
      [undefined, { https_proxy: given }, /https_proxy/],
    ] as const) {
      let error: unknown;
      try {
        proxyFor(parseServer(api), configured, environment);
      } catch (thrown) {
        error = thrown;
      }
      expect(isConfigError(error)).toBe(true);
      expect(String(error)).toMatch(want);
      expect(String(error)).toMatch(from);
      expect(String(error)).not.toContain('secret');
    }
  });

  it('receives the user and the percent-decoded password of its URL', () => {
    const proxy = proxyFor(parseServer(api), 'http://j%40ne:p%3Aw@p', {});
    expect(proxy && proxyAuthorization(proxy)).toBe(`Basic ${Buffer.from('j@ne:p:w').toString('base64')}`);
    const other = proxyFor(parseServer(api), 'http://p', {});
    expect(other && proxyAuthorization(other)).toBeUndefined();
  });
});

it.each([
  ['p:3128', 'http'],
  ['http://p', 'http'],
  ['HTTPS://p', 'https'],
  ['socks5://p', 'socks5'],
  ['socks5h://p', 'socks5'],
])('the proxy %s is spoken to by the rules of %s', (url, kind) => {
  expect(parseProxy(url, 'the test').kind).toBe(kind);
});

it.each(['socks4://p', 'ftp://p', 'http://', 'http://a b'])('the proxy %s cannot be used', (url) => {
  expect(() => parseProxy(url, 'the test')).toThrow(/^the test /);
});
