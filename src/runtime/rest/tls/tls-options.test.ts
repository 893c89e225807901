import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { beforeAll, describe, expect, it } from 'vitest';
import { isConfigError } from '../../api/errors.ts';
import type { TlsConfig } from '../../config/types.ts';
import { tlsOptions } from './tls-options.ts';

let ca = '';
let jane: KeyPair;
let joe: KeyPair;
beforeAll(async () => {
  const authority = await createAuthority();
  ca = authority.cert;
  [jane, joe] = await Promise.all([authority.issueClient('jane', []), authority.issueClient('joe', [])]);
});

describe('the options of TLS connections', () => {
  it.each<[name: string, given: () => TlsConfig, want: RegExp]>([
    [
      'the key of another certificate',
      () => ({ cert: jane.cert, key: joe.key }),
      /private key does not belong to/,
    ],
    ['a broken key', () => ({ cert: jane.cert, key: 'broken' }), /the CA, certificate or key is malformed$/],
    ['a CA that is no certificate', () => ({ ca: 'broken' }), /`ca` .* contains no certificate/],
    ['a CA that is not checked', () => ({ ca, insecureSkipTlsVerify: true }), /remove one of them$/],
    ['a certificate alone', () => ({ cert: jane.cert }), /has `cert` and no `key`/],
    ['a key alone', () => ({ key: jane.key }), /has `key` and no `cert`/],
  ])('are not made of %s', (_, given, want) => {
    let error: unknown;
    try {
      tlsOptions(given());
    } catch (thrown) {
      error = thrown;
    }
    expect(isConfigError(error)).toBe(true);
    expect(String(error)).toMatch(want);
  });

  it('verify the server unless configured otherwise', () => {
    expect(tlsOptions({ ca, ...jane }).rejectUnauthorized).toBe(true);
    expect(tlsOptions({}).rejectUnauthorized).toBe(true);
    expect(tlsOptions({ insecureSkipTlsVerify: false }).rejectUnauthorized).toBe(true);
    expect(tlsOptions({ insecureSkipTlsVerify: true }).rejectUnauthorized).toBe(false);
  });
});
