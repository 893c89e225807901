import { inspect } from 'node:util';
import { createAuthority } from '@kgen/certificates/authority';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { certificateOutOfTime } from '../tls/tls-errors.ts';
import { connectionFailed, type FailedConnection } from './connection-errors.ts';

const operation = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' };
const connection: FailedConnection = { origin: 'https://h:6443', hasCa: false, hasResponse: false };

function coded(code: string, more: object = {}): Error {
  return Object.assign(new Error(`raw ${code}`), { code, ...more });
}

describe('connectionFailed', () => {
  interface Case {
    readonly given: unknown;
    readonly on?: Partial<FailedConnection>;
    readonly want: string;
  }
  const http = 'the server does not speak TLS at that address; should the URL begin with http://?';
  const proof = 'client-certificate-data and client-key-data, or `cert` and `key`';
  const altnames = { cert: { subjectaltname: 'DNS:api.test, IP Address:10.0.0.1', raw: Buffer.from('raw') } };
  const parser = (data: Buffer): Error =>
    Object.assign(new Error('Parse Error'), { name: 'HTTPParserError', code: 'HPE_INVALID_CONSTANT', data });
  const cases: readonly Case[] = [
    {
      given: coded('ECONNREFUSED'),
      want: 'the connection was refused; is the server running at that address?',
    },
    { given: coded('ERR_SSL_WRONG_VERSION_NUMBER'), want: http },
    { given: coded('ERR_SSL_PACKET_LENGTH_TOO_LONG'), want: http },
    {
      given: coded('ERR_TLS_CERT_ALTNAME_INVALID', altnames),
      want:
        "the server's certificate is for another name: DNS:api.test, IP Address:10.0.0.1; " +
        'set tls-server-name if that is intended',
    },
    {
      given: coded('ERR_TLS_CERT_ALTNAME_INVALID', {
        cert: { subjectaltname: `DNS:\u001b[2J${'a'.repeat(400)}` },
      }),
      want: `the server's certificate is for another name: DNS:?[2J${'a'.repeat(292)}…; set tls-server-name if that is intended`,
    },
    {
      given: coded('ERR_TLS_CERT_ALTNAME_INVALID'),
      want: "the server's certificate has no subject alternative names (SAN); issue one with the name or address of the server",
    },
    {
      given: coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
      want: `the server requires a client certificate; set ${proof}`,
    },
    {
      given: coded('ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED'),
      want: 'the server rejected the client certificate as expired',
    },
    {
      given: coded('ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED'),
      want: 'the server rejected the client certificate as expired',
    },
    {
      given: coded('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'),
      want: 'the server does not trust the authority of the client certificate',
    },
    {
      given: coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
      want: 'the server does not support TLS 1.2 or newer',
    },
    {
      given: coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
      want: "the server's certificate is signed by an authority that is not trusted; set it as certificate-authority-data or `ca`",
    },
    {
      given: coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
      on: { hasCa: true },
      want:
        "the server's certificate is not signed by an authority in certificate-authority-data or `ca`; " +
        'is that the authority of this server?',
    },
    { given: parser(Buffer.from('SSH-2.0')), want: 'the server does not speak HTTP at that address' },
    {
      given: parser(Buffer.from([0x15, 3, 1, 0, 2])),
      want: 'the server speaks TLS at that address; should the URL begin with https://?',
    },
    {
      given: parser(Buffer.from('x')),
      on: { hasResponse: true },
      want: 'the server sent invalid HTTP, in the middle of the response',
    },
    {
      given: new Error('under', { cause: coded('ENOTFOUND') }),
      want: 'the host name of the server cannot be resolved',
    },
    { given: coded('EOTHER'), want: 'raw EOTHER' },
    { given: 'no error', want: 'no error' },
  ];
  it.each(cases)('$want', ({ given, on, want }) => {
    const { message } = connectionFailed(given, operation, { ...connection, ...on });
    expect(message.replace(/ \(https:\/\/h:6443(, [\w/]+)?\)$/, '')).toBe(`get pods shop/web: ${want}`);
  });

  it('names the server and the proxy', () => {
    const through = { ...connection, proxy: 'http://proxy:3128' };
    expect(connectionFailed(coded('ECONNRESET'), operation, through).message).toBe(
      'get pods shop/web: the connection was reset (https://h:6443 through the proxy http://proxy:3128, ECONNRESET)',
    );
  });

  it('contains neither the data of the server nor its certificate', () => {
    for (const given of [parser(Buffer.from('sesame')), coded('ERR_TLS_CERT_ALTNAME_INVALID', altnames)]) {
      const shown = inspect(connectionFailed(given, operation, connection), {
        depth: null,
        showHidden: true,
      });
      expect(shown).not.toMatch(/sesame|73 65 73 61|subjectaltname/);
    }
  });
});

describe('the words of a failure', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EADDRNOTAVAIL',
    'EMFILE',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'TLS_HANDSHAKE_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'UND_ERR_SOCKET',
    'UND_ERR_HEADERS_OVERFLOW',
    'HPE_HEADER_OVERFLOW',
    'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    'UND_ERR_INVALID_ARG',
    'UND_ERR_PRX_TLS',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'INVALID_PURPOSE',
    'INVALID_CA',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_SIGNATURE_FAILURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_GET_ISSUER_CERT',
    'ERR_SSL_TLSV1_ALERT_CERTIFICATE_REVOKED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
    'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR',
    'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED',
    'ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
  ])('explain %s, and name the code', (code) => {
    const { message } = connectionFailed(coded(code), operation, connection);
    expect(message).not.toContain('raw');
    expect(message).toMatch(new RegExp(`^get pods shop/web: .{10,} \\(https://h:6443, ${code}\\)$`));
  });

  it('name the proxy where there is one', () => {
    const over = (proxy: string | undefined): string =>
      connectionFailed(coded('EOTHER'), operation, { ...connection, proxy }).message;
    expect(over(undefined)).toBe('get pods shop/web: raw EOTHER (https://h:6443, EOTHER)');
    expect(over('http://p')).toMatch(/\(https:\/\/h:6443 through the proxy http:\/\/p, EOTHER\)$/);
  });

  it.each([
    ['a TLS alert', '\x15\x03\x01', /speaks TLS at that address/],
    ['another TLS record', '\x16\x03\x01', /does not speak HTTP/],
    ['another version', '\x15\x02\x01', /does not speak HTTP/],
  ])('recognize %s, which the parser holds as a string', (_, data, want) => {
    const error = Object.assign(new Error('Parse Error'), { name: 'HTTPParserError', code: 'HPE_X', data });
    expect(connectionFailed(error, operation, connection).message).toMatch(want);
    const without = Object.assign(new Error('Parse Error'), { name: 'HTTPParserError' });
    expect(connectionFailed(without, operation, connection).message).toMatch(/does not speak HTTP/);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'])(
    'mention an expired client certificate after %s',
    async (code) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const authority = await createAuthority();
      const { cert: clientCert } = await authority.issueClient('jane', []);
      const messageOf = (more: Partial<FailedConnection>, given = code): string =>
        connectionFailed(coded(given), operation, { ...connection, clientCert, ...more }).message;
      expect(messageOf({})).not.toContain('expired');
      vi.setSystemTime(Date.now() + 400 * 86_400_000);
      expect(messageOf({})).toMatch(/; the client certificate expired on \d{4}-\d\d-\d\d \(/);
      expect(messageOf({ hasResponse: true })).not.toContain('expired');
      expect(messageOf({ clientCert: undefined })).not.toContain('expired');
      expect(messageOf({}, 'ECONNREFUSED')).not.toContain('expired');
    },
  );
});

describe('a client certificate', () => {
  const dayMs = 86_400_000;

  it('is reported before and after its validity', async () => {
    const authority = await createAuthority();
    const { cert } = await authority.issueClient('jane', []);
    expect(certificateOutOfTime(cert)).toBe(undefined);
    expect(certificateOutOfTime(cert, Date.now() + 31 * dayMs)).toMatch(
      /^the client certificate expired on \d{4}-\d\d-\d\d$/,
    );
    expect(certificateOutOfTime(cert, Date.now() - 2 * dayMs)).toMatch(
      /^the client certificate is not valid before/,
    );
    expect(certificateOutOfTime('no certificate')).toBe(undefined);
  });
});
