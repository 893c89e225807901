import { describe, expect, it } from 'vitest';
import type { AuthConfig, TlsConfig } from './types.ts';
import { readTogether, usedTls } from './used-tls.ts';

const trust: TlsConfig = { ca: 'CA', caFile: '/ca', serverName: 'api' };
const tls: TlsConfig = { ...trust, cert: 'C', key: 'K' };
const server = 'https://h';

describe('the client certificate of a configuration', () => {
  it.each<AuthConfig>([
    { token: 't' },
    { tokenFile: '/t' },
    { username: 'jane', password: '' },
    { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'plugin' } },
    { oidc: { issuerUrl: 'https://issuer', clientId: 'me' } },
  ])('that was read before is not presented beside %j', (auth) => {
    const [own, inFiles] = [{ ...tls }, { ...trust, certFile: '/c', keyFile: '/k' }];
    for (const part of [own, inFiles]) readTogether({ tls: part });
    expect(usedTls({ server, tls: own, auth })).toEqual(trust);
    expect(usedTls({ server, tls: inFiles, auth })).toEqual(trust);
    expect(usedTls({ server, tls: trust, auth })).toBe(trust);
    // Where a program writes both, both are meant.
    expect(usedTls({ server, tls, auth })).toBe(tls);
  });

  it.each<[name: string, auth: AuthConfig | undefined]>([
    ['no other credential', undefined],
    ['an empty one', {}],
    ['an empty token', { token: '' }],
  ])('is presented where there is %s', (_, auth) => {
    const own = { ...tls };
    readTogether({ tls: own });
    expect(usedTls({ server, tls: own, ...(auth && { auth }) })).toBe(own);
  });

  it('is presented beside a credential that was read together with it', () => {
    const [own, auth] = [{ ...tls }, { token: 't' }];
    readTogether({ tls: own, auth });
    expect(usedTls({ server, tls: own, auth })).toBe(own);
    const other = { token: 't' };
    readTogether({ auth: other });
    expect(usedTls({ server, tls: own, auth: other })).toEqual(trust);
  });

  it('is nothing where there is no TLS configuration', () => {
    expect(usedTls({ server, auth: { token: 't' } })).toEqual({});
  });
});
