import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createAuthority } from './authority.ts';
import { readCertificateRequest } from './requests.ts';

/** A request for the common name `system:node:node-1` with a name and an address; its key was discarded. */
const der =
  'MIIBGTCBwAIBADA0MRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxGzAZBgNVBAMMEnN5c3RlbTpub2RlOm5vZGUtMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFDK4R+nbVVGX61DLzjul07avpPYDETMS6gJwm9w6GIbmNgjJibfrzTNLhCLSZPYqA19dZ+QbkLYl89p+delcGCgKjAoBgkqhkiG9w0BCQ4xGzAZMBcGA1UdEQQQMA6CBm5vZGUtMYcECgECAzAKBggqhkjOPQQDAgNIADBFAiBeJ3gWrRcfneNgmwbz6VSF/mQiYx0qUxih5H4yQT+C+gIhALE3slhVWDjbzqH9Fzdl74lfgjKoPSsgsERuM3yMvCly';

function pemOf(content: string, label = 'CERTIFICATE REQUEST'): string {
  return `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`;
}

describe('a certificate request', () => {
  test('has the names of its subject', () => {
    expect(readCertificateRequest(pemOf(der))).toMatchObject({
      commonName: 'system:node:node-1',
      organizations: ['system:nodes'],
      counts: { names: 1, addresses: 1, emails: 0, uris: 0 },
    });
  });

  test.each([
    ['another label', pemOf(der, 'CERTIFICATE')],
    ['malformed DER', pemOf(der.slice(0, 80))],
    ['no DER', pemOf('bm90aGluZw==')],
    ['no PEM', der],
  ])('is not read from %s', (_, pem) => {
    expect(readCertificateRequest(pem)).toBeUndefined();
  });

  test('is signed with its names, its usages and the requested validity', () => {
    const authority = createAuthority();
    const request = readCertificateRequest(pemOf(der));
    if (request === undefined) throw new Error('the request is not read');
    const from = Math.floor(Date.now() / 1_000) * 1_000;
    const validity = { from, until: from + 3_600_000 };
    const signed = new X509Certificate(
      authority.sign(request, validity, ['digital signature', 'key encipherment', 'server auth']),
    );
    expect(signed.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
    expect(signed.subject).toBe('O=system:nodes\nCN=system:node:node-1');
    expect(signed.subjectAltName).toBe('DNS:node-1, IP Address:10.1.2.3');
    expect(signed.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect([Date.parse(signed.validFrom), Date.parse(signed.validTo)]).toEqual([
      validity.from,
      validity.until,
    ]);
    expect(signed.ca).toBe(false);
  });

  test('is not signed for longer than its authority is valid', () => {
    const authority = createAuthority({ validMs: 60_000 });
    const request = readCertificateRequest(pemOf(der));
    if (request === undefined) throw new Error('the request is not read');
    const signed = authority.sign(request, { from: 0, until: 4_000_000_000_000 }, ['client auth']);
    expect(new X509Certificate(signed).validTo).toBe(new X509Certificate(authority.cert).validTo);
  });
});
