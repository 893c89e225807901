/** Failed connection attempts: names, ports, certificates. */
import type { TlsOptions } from 'node:tls';
import { Clientset } from '@kgen/kubernetes';
import {
  type ClusterConfig,
  isApiError,
  isConfigError,
  isTimeoutError,
  isTransportError,
  type TlsConfig,
} from '@kgen/runtime';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Certificates, createCertificates } from '../support/certificates.ts';
import { longest, patientFailure } from './patient-failure.ts';
import { FaultServer, healthy, response, type Script } from './server.ts';

let certificates: Certificates;

beforeAll(async () => {
  certificates = await createCertificates();
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(tls?: TlsOptions, script: Script = healthy): Promise<FaultServer> {
  const server = await new FaultServer(tls).start();
  server.script = script;
  closing.push(() => server.stop());
  return server;
}

/** Returns the errors of `get`, `list`, `create` and a followed log, which are all equal. */
async function failuresOf(
  config: ClusterConfig,
  firstMs: number,
  isExpected: (error: unknown) => boolean,
): Promise<readonly unknown[]> {
  const clientset = new Clientset(config);
  closing.push(() => clientset.close());
  const pods = clientset.coreV1.pods('shop');
  const calls: readonly ((timeoutMs: number) => Promise<unknown>)[] = [
    (timeoutMs) => pods.get('web', { timeoutMs }),
    (timeoutMs) => pods.list({ timeoutMs }),
    (timeoutMs) => pods.create({ metadata: { name: 'web' }, spec: { containers: [] } }, { timeoutMs }),
    (timeoutMs) => pods.streamLog('web', { timeoutMs })[Symbol.asyncIterator]().next(),
  ];
  return Promise.all(calls.map((call) => patientFailure(call, firstMs, isExpected)));
}

interface Case {
  /** Creates the server and returns the configuration of the client. */
  readonly given: () => Promise<ClusterConfig>;
  readonly is: (error: unknown) => boolean;
  readonly message: RegExp;
  /** Time-out of the first attempt. Default: longer than the test takes. */
  readonly timeoutMs?: number;
}

async function over(tls: TlsOptions, client: TlsConfig, script?: Script): Promise<ClusterConfig> {
  return { server: (await serve(tls, script)).url, tls: client };
}

/** Requests a certificate of the trusted authority and closes connections with any other. */
function requesting(): TlsOptions {
  const { server, trusted } = certificates;
  return { ...server, ca: trusted.cert, requestCert: true, rejectUnauthorized: true };
}

const cases: Readonly<Record<string, Case>> = {
  'a name that is not known': {
    given: async () => ({ server: 'http://no-such-host.invalid' }),
    is: isTransportError,
    message:
      /: the host name of the server cannot be resolved( at the moment)? \(http:\/\/no-such-host\.invalid, E/,
  },
  'a port without a listener': {
    given: async () => {
      const server = await new FaultServer().start();
      const { url } = server;
      await server.stop();
      return { server: url };
    },
    is: isTransportError,
    message:
      /: the connection was refused; is the server running at that address\? \(http:\/\/127\.0\.0\.1:\d+, ECONNREFUSED\)/,
  },
  'a handshake without a response': {
    given: async () => ({ server: (await serve()).url.replace('http:', 'https:') }),
    is: isTimeoutError,
    message: /: timed out after \d+ ms: the TLS handshake with the server was not finished$/,
    timeoutMs: 1000,
  },
  'a plain HTTP response instead of TLS': {
    given: async () => {
      const server = await serve(undefined, [{ send: response('400 Bad Request') }, 'stall']);
      return { server: server.url.replace('http:', 'https:') };
    },
    is: isTransportError,
    message:
      /: the server does not speak TLS at that address; should the URL begin with http:\/\/\? \(https.*ERR_SSL_/,
  },
  'TLS where plain HTTP is meant': {
    given: async () => ({ server: (await serve(certificates.server)).url.replace('https:', 'http:') }),
    is: isTransportError,
    message: /: the (server (closed the connection|speaks TLS at that address)|connection was reset)/,
  },
  'an alert of TLS where plain HTTP is meant': {
    given: async () => ({
      server: (await serve(undefined, ['request', { send: Uint8Array.of(0x15, 3, 1, 0, 2, 2, 70) }, 'stall']))
        .url,
    }),
    is: isTransportError,
    message: /: the server speaks TLS at that address; should the URL begin with https:\/\/\?/,
  },
  'an authority that is not known': {
    given: () => over(certificates.server, {}),
    is: isTransportError,
    message:
      /: the server's certificate is signed by an authority that is not trusted; set it as certificate-authority-data/,
  },
  'another authority': {
    given: () => over(certificates.server, { ca: certificates.other.cert }),
    is: isTransportError,
    message:
      /: the server's certificate is not signed by an authority in certificate-authority-data or `ca`; is that/,
  },
  'a certificate of another name': {
    given: () => over(certificates.server, { ca: certificates.trusted.cert, serverName: 'other.test' }),
    is: isTransportError,
    message:
      /: the server's certificate is for another name: DNS:api\.test, IP Address:127\.0\.0\.1; set tls-server-name/,
  },
  'a certificate of the server that has expired': {
    given: () => over(certificates.oldServer, { ca: certificates.trusted.cert }),
    is: isTransportError,
    message:
      /: the server's certificate, or one of an authority above it, has expired \(https.*CERT_HAS_EXPIRED\)/,
  },
  'an expired client certificate, for a server that responds with 401': {
    given: () =>
      over(
        { ...requesting(), rejectUnauthorized: false },
        { ca: certificates.trusted.cert, ...certificates.oldJane },
        ['request', { send: response('401 Unauthorized') }],
      ),
    is: isApiError,
    message:
      /: 401 Unauthorized: the server rejected the credentials; the client certificate expired on \d{4}-\d\d-\d\d$/,
  },
  'a certificate of the client that has expired, for a server that hangs up': {
    given: () => over(requesting(), { ca: certificates.trusted.cert, ...certificates.oldJane }),
    // A log is retried until its time-out.
    is: (error) => isTransportError(error) || isTimeoutError(error),
    message: /the (server closed the connection|connection was reset); the client certificate expired on \d/,
    timeoutMs: 3000,
  },
  'no client certificate, for a server that requests one': {
    given: () => over({ ...requesting(), maxVersion: 'TLSv1.2' }, { ca: certificates.trusted.cert }),
    is: isTransportError,
    message:
      /: the server ended the handshake; does it require a client certificate \(client-certificate-data/,
  },
  'a server that supports at most TLS 1.1': {
    given: () =>
      over(
        { ...certificates.server, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
        { ca: certificates.trusted.cert },
      ),
    is: isTransportError,
    message: /: the server does not support TLS 1\.2 or newer/,
  },
  'a certificate that does not match its key': {
    given: () => over(certificates.server, { cert: certificates.jane.cert, key: certificates.joe.key }),
    is: isConfigError,
    message:
      /^the TLS configuration cannot be used: the private key does not belong to the client certificate/,
  },
  'a CA that is none': {
    given: () => over(certificates.server, { ca: 'nonsense' }),
    is: isConfigError,
    message: /^the TLS configuration cannot be used: `ca` .*contains no certificate/,
  },
};

describe('a failed connection attempt', () => {
  it.each(Object.entries(cases))('%s', { timeout: 300_000 }, async (_, { given, is, message, timeoutMs }) => {
    const isExpected = (error: unknown): boolean =>
      is(error) && error instanceof Error && message.test(error.message);
    const failures = await failuresOf(await given(), timeoutMs ?? longest, isExpected);
    expect(failures).toHaveLength(4);
    for (const failure of failures) {
      expect(failure, String(failure)).toSatisfy(is);
      expect(failure).toHaveProperty('message', expect.stringMatching(message));
      expect(JSON.stringify(failure)).not.toContain('PRIVATE KEY');
    }
  });

  it('leaves nothing open', async () => {
    const server = await serve(certificates.server);
    for (const ca of [certificates.other.cert, certificates.trusted.cert]) {
      const clientset = new Clientset({ server: server.url, tls: { ca } });
      await clientset.coreV1
        .pods('shop')
        .get('web')
        .catch((error: unknown) => expect(error).toSatisfy(isTransportError));
      await clientset.close();
    }
    await server.emptied();
  });
});
