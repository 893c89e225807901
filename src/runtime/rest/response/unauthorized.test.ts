import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@kgen/certificates/authority';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Transport } from '../../api/transport.ts';
import type { AuthConfig } from '../../config/types.ts';
import { RESTClient } from '../client.ts';
import { whyUnauthorized } from './unauthorized.ts';

const server = 'https://unused';
const folder = mkdtempSync(join(tmpdir(), 'kgen-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a JSON Web Token with this payload. */
function jwt(payload: unknown): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256' })}.${part(payload)}.c2lnbmF0dXJl`;
}

const past = Date.UTC(2026, 0, 31, 12) / 1000;
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${jwt({ exp: past })}\n`);

describe('why a client certificate is not accepted', () => {
  const certFile = join(folder, 'cert');

  it('is a question of its authority where it is valid, and nothing where a token was refused', async () => {
    const authority = await createAuthority();
    const { cert, key } = await authority.issueClient('jane', []);
    writeFileSync(certFile, cert);
    const question = /^is the client certificate signed by an authority that this server trusts\?$/;
    expect(await whyUnauthorized({ server, tls: { cert, key } })).toMatch(question);
    expect(await whyUnauthorized({ server, tls: { certFile, keyFile: certFile } })).toMatch(question);
    expect(await whyUnauthorized({ server, tls: { cert, key }, auth: { token: 'opaque' } })).toBe(undefined);
    expect(await whyUnauthorized({ server, tls: { certFile: join(folder, 'none') } })).toBe(undefined);
    expect(await whyUnauthorized({ server })).toBe(undefined);
  });

  it('is its time where it has expired', async () => {
    const authority = await createAuthority();
    const { cert, key } = await authority.issueClient('jane', []);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const expired = /^the client certificate expired on \d{4}-\d\d-\d\d$/;
    expect(await whyUnauthorized({ server, tls: { cert, key } })).toMatch(expired);
    expect(await whyUnauthorized({ server, tls: { cert, key }, auth: { token: 'opaque' } })).toMatch(expired);
  });
});

describe('whyUnauthorized', () => {
  it.each<{ name: string; given: AuthConfig; want: string | undefined }>([
    {
      name: 'reports an expired token',
      given: { token: jwt({ exp: past }) },
      want: 'the token expired at 2026-01-31T12:00:00.000Z; a new one is needed',
    },
    {
      name: 'reports an expired token in a file',
      given: { tokenFile },
      want: `the token in ${tokenFile} expired at 2026-01-31T12:00:00.000Z; a new one is needed`,
    },
    {
      name: 'names the exec plugin',
      given: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws', args: ['sesame'] } },
      want: 'the credentials of the exec plugin "aws" were refused',
    },
    {
      name: 'names the OIDC issuer',
      given: { oidc: { issuerUrl: 'https://issuer', clientId: 'kgen', refreshToken: 'sesame' } },
      want: 'the token of the OIDC issuer https://issuer was refused',
    },
    { name: 'returns nothing for a valid token', given: { token: jwt({ exp: 4e9 }) }, want: undefined },
    {
      name: 'returns nothing for a token without exp',
      given: { token: jwt({ sub: 'jane' }) },
      want: undefined,
    },
    {
      name: 'returns nothing for an exp that is not a number',
      given: { token: jwt({ exp: '1' }) },
      want: undefined,
    },
    {
      name: 'returns nothing for an exp out of range',
      given: { token: jwt({ exp: -1e300 }) },
      want: undefined,
    },
    { name: 'returns nothing for a null payload', given: { token: jwt(null) }, want: undefined },
    { name: 'returns nothing for an opaque token', given: { token: 'a.b.c' }, want: undefined },
    {
      name: 'returns nothing for a missing token file',
      given: { tokenFile: join(folder, 'none') },
      want: undefined,
    },
    { name: 'returns nothing without a token', given: { username: 'jane', password: 'x' }, want: undefined },
  ])('$name', async ({ given, want }) => {
    expect(await whyUnauthorized({ server, auth: given })).toBe(want);
  });

  it('is part of the error, without the token', async () => {
    const token = jwt({ exp: past });
    const transport: Transport = async () => ({
      status: 401,
      headers: {},
      body: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) },
      cancel: () => undefined,
    });
    const rest = new RESTClient({ server, auth: { token } }, { transport });
    const error: unknown = await rest.get('/version').catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'ApiError', code: 401 });
    expect(String(error)).toMatch(/; the token expired at 2026-01-31T12:00:00.000Z; a new one is needed$/);
    expect(String(error)).not.toContain(token);
  });
});
