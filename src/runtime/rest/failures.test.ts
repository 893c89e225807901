import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAuthority } from '../../testing/controlplane/certificates.ts';
import { connectionFailed, type FailedConnection } from './failures.ts';
import { certificateOutOfTime } from './tls-failures.ts';

const operation = { verb: 'get', resource: 'pods', namespace: 'shop', name: 'web' };
const connection: FailedConnection = { origin: 'https://h:6443', hasCa: false, answering: false };

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
      on: { answering: true },
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
