import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TlsConfig } from '../config/types.ts';
import { RESTClient } from './client.ts';

describe('TLS', () => {
  let server: Server;
  let port = 0;
  let trusted: CertificateAuthority;
  let other: CertificateAuthority;
  let jane: KeyPair;
  let joe: KeyPair;

  beforeAll(async () => {
    [trusted, other] = await Promise.all([createAuthority(), createAuthority()]);
    const pair = await trusted.issueServer('api', { names: ['api.test'], addresses: [] });
    jane = await trusted.issueClient('jane', ['devs']);
    joe = await trusted.issueClient('joe', []);
    server = createServer(
      { ...pair, ca: trusted.cert, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        // Requests of an https server arrive on TLS sockets.
        const socket = request.socket as TLSSocket;
        const { servername } = socket as { servername?: string | false };
        response.end(
          JSON.stringify({
            user: socket.getPeerCertificate().subject?.CN,
            servername,
            version: socket.getProtocol(),
          }),
        );
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  async function call(tls: TlsConfig): Promise<unknown> {
    const rest = new RESTClient({ server: `https://127.0.0.1:${port}`, tls });
    try {
      return await rest.get('/');
    } finally {
      await rest.close();
    }
  }

  it('authenticates the client to a server with the expected name', async () => {
    expect(await call({ ca: trusted.cert, serverName: 'api.test', ...jane })).toEqual({
      user: 'jane',
      servername: 'api.test',
      version: 'TLSv1.3',
    });
  });

  it('uses different connections for different certificates', async () => {
    const base = { ca: trusted.cert, serverName: 'api.test' };
    expect(await Promise.all([call({ ...base, ...jane }), call(base)])).toMatchObject([{ user: 'jane' }, {}]);
    expect(await call(base)).not.toHaveProperty('user');
  });

  it('skips verification with insecureSkipTlsVerify', async () => {
    expect(await call({ insecureSkipTlsVerify: true })).toMatchObject({ version: 'TLSv1.3' });
  });

  const problems: Readonly<Record<string, readonly [tls: () => TlsConfig, want: RegExp]>> = {
    'rejects an untrusted authority': [
      () => ({ ca: other.cert, serverName: 'api.test' }),
      /^get \/: the server's certificate is not signed by an authority in certificate-authority-data or `ca`;/,
    ],
    'rejects a server certificate without a configured authority': [
      () => ({ serverName: 'api.test' }),
      /^get \/: the server's certificate is signed by an authority/,
    ],
    'rejects a certificate for another name': [
      () => ({ ca: trusted.cert }),
      /^get \/: the server's certificate is for another name/,
    ],
    'throws for a key of another certificate': [
      () => ({ cert: jane.cert, key: joe.key }),
      /^the TLS configuration cannot be used: /,
    ],
    'throws for a malformed CA': [
      () => ({ ca: 'x' }),
      /^the TLS configuration cannot be used: `ca` \(.*\) contains no certificate/,
    ],
    'throws for a CA that is a key': [() => ({ ca: jane.key }), /contains no certificate/],
    'throws for a CA together with insecureSkipTlsVerify': [
      () => ({ ca: trusted.cert, insecureSkipTlsVerify: true }),
      /has both ca and insecureSkipTlsVerify/,
    ],
  };
  it.each(Object.entries(problems))('%s', async (_, [tls, want]) => {
    await expect(call(tls())).rejects.toThrow(want);
  });
});
