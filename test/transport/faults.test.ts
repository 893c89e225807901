import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { isTransportError, type RESTClient } from '@kgen/runtime';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { TlsConfig } from '../../src/runtime/exports/index.ts';
import { longAgo } from '../support/certificates.ts';
import { holdTime } from '../support/runtime/no-time-passes.ts';
import { failure, listen, open } from './support.ts';

/** Clock of undici's long time-outs, which its tests advance. */
const passTime: (ms: number) => void = createRequire(import.meta.url)('undici/lib/util/timers.js').tick;

const operation = { verb: 'create', resource: 'things' };
const request = { method: 'POST', path: '/things', query: [], headers: {}, body: '{}', operation } as const;

let authority: CertificateAuthority;
let other: CertificateAuthority;
let pair: KeyPair;
let expired: KeyPair;
let expiredAuthority: string;
beforeAll(async () => {
  [authority, other] = await Promise.all([createAuthority(), createAuthority()]);
  pair = await authority.issueServer('api', { names: ['api.test'], addresses: ['127.0.0.1'] });
  await longAgo(async () => {
    const old = createAuthority();
    expired = old.issueServer('old', { names: [], addresses: ['127.0.0.1'] });
    expiredAuthority = old.cert;
  });
});

async function serving(options: ServerOptions, tls: TlsConfig): Promise<RESTClient> {
  const server = createHttpsServer(options, (_, response) => response.end('{}'));
  return open({ server: `https://127.0.0.1:${await listen(server)}`, tls });
}

describe('a TLS handshake', () => {
  interface Case {
    readonly options: () => ServerOptions;
    readonly tls: () => TlsConfig;
    readonly code: RegExp;
  }
  const cases: Readonly<Record<string, Case>> = {
    'with a server of another name': {
      options: () => pair,
      tls: () => ({ ca: authority.cert, serverName: 'other.test' }),
      code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    },
    'with a server of another authority': {
      options: () => pair,
      tls: () => ({ ca: other.cert }),
      code: /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|CERT_SIGNATURE_FAILURE)$/,
    },
    'with a server whose certificate is not trusted': {
      options: () => pair,
      tls: () => ({}),
      code: /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY)$/,
    },
    'with a server whose certificate is over': {
      options: () => expired,
      tls: () => ({ ca: expiredAuthority }),
      code: /^CERT_HAS_EXPIRED$/,
    },
    'with a server that requires a certificate': {
      options: () => ({ ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: true }),
      tls: () => ({ ca: authority.cert }),
      code: /^(ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED|TLS_CLIENT_CERTIFICATE_REQUIRED|ECONNRESET|EPIPE)$/,
    },
    'with a server that does not accept the certificate': {
      options: () => ({ ...pair, ca: [authority.cert, expiredAuthority], requestCert: true }),
      tls: () => ({ ca: authority.cert, ...expired }),
      code: /^(ERR_SSL_.*ALERT_.*|ECONNRESET|UND_ERR_SOCKET|EPIPE)$/,
    },
    'with a server that has only versions from before 1.2': {
      options: () => ({
        ...pair,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      }),
      tls: () => ({ ca: authority.cert }),
      code: /^(ERR_SSL_.*(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL).*|ECONNRESET)$/,
    },
  };
  it.each(Object.entries(cases))('%s fails', async (_, { options, tls, code }) => {
    const rest = await serving(options(), tls());
    const error = await failure(rest.request(request));
    expect(isTransportError(error)).toBe(true);
    expect(error).toMatchObject({ code: expect.stringMatching(code) });
    expect(error.message).toMatch(/^create things: /);
    expect(error.message).toContain('https://127.0.0.1:');
  });

  it('fails with a server without TLS', async () => {
    const port = await listen(createServer((socket) => socket.end('220 smtp.example.com ESMTP\r\n')));
    const rest = open({ server: `https://127.0.0.1:${port}` });
    expect(isTransportError(await failure(rest.request(request)))).toBe(true);
  });

  it('succeeds with any server if verification is disabled', async () => {
    const rest = await serving(expired, { insecureSkipTlsVerify: true });
    expect(await rest.get('/')).toEqual({});
  });
});

describe('a server over TLS that', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
  const packed = gzipSync(JSON.stringify({ text: 'x'.repeat(1000) }));
  const half = `${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`;
  interface Case {
    readonly act: (socket: TLSSocket, raw: Socket) => void;
    readonly want: RegExp;
  }
  const cases: Readonly<Record<string, Case>> = {
    'resets before its response': {
      act: (_, raw) => raw.resetAndDestroy(),
      want: /^create things: the (connection was reset|server closed the connection) \(/,
    },
    'resets within the headers': {
      act: (socket, raw) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty', () => raw.resetAndDestroy()),
      want: /^create things: the (connection was reset|server closed the connection)/,
    },
    'closes within the headers': {
      act: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-ty'),
      want: /^create things: the server closed the connection/,
    },
    'closes within the body': {
      act: (socket) => socket.end(`${head}content-length: 100\r\n\r\n{"kind":`),
      want: /^create things: the server closed the connection, in the middle of the response/,
    },
    'closes within a piece of the body': {
      act: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n100\r\n{"kind":`),
      want: /^create things: the server closed the connection, in the middle of the response/,
    },
    'closes between two pieces of the body': {
      act: (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n8\r\n{"kind":\r\n`),
      want: /^create things: the server closed the connection, in the middle of the response/,
    },
    'closes within a gzip body': {
      act: (socket) => socket.end(Buffer.concat([Buffer.from(half), packed.subarray(0, -9)])),
      want: /^create things: the server closed the connection, in the middle of the response/,
    },
    'is silent before its response': {
      act: () => undefined,
      want: /^create things: timed out after 1000 ms: no response from the server/,
    },
    'is silent within the headers': {
      act: (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty'),
      want: /^create things: timed out after 1000 ms/,
    },
    'is silent within the body': {
      act: (socket) => socket.write(`${head}content-length: 100\r\n\r\n{"kind":`),
      want: /^create things: timed out after 1000 ms/,
    },
    'is silent within a gzip body': {
      act: (socket) => socket.write(Buffer.concat([Buffer.from(half), packed.subarray(0, -9)])),
      want: /^create things: timed out after 1000 ms/,
    },
  };
  it.each(Object.entries(cases))('%s', async (_, { act, want }) => {
    const raws: Socket[] = [];
    let requested = (): void => undefined;
    const isRequested = new Promise<void>((resolve) => {
      requested = resolve;
    });
    const server = createTlsServer(pair, (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        const raw = raws.at(-1);
        if (raw !== undefined) act(socket, raw);
        requested();
      });
    });
    server.on('connection', (raw: Socket) => raws.push(raw));
    const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } });
    const isSilent = want.source.includes('timed out');
    if (isSilent) holdTime();
    const failed = failure(rest.request({ ...request, ...(isSilent && { timeoutMs: 1000 }) }));
    if (isSilent) {
      await isRequested;
      vi.advanceTimersByTime(1000);
    }
    expect((await failed).message).toMatch(want);
  });
});

it('throws an error for an unknown host', async () => {
  const rest = open({ server: 'https://api.invalid:6443' });
  const error = await failure(rest.request(request));
  expect(error.message).toMatch(/^create things: the host name of the server .*api\.invalid/);
  expect(error).toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
});

it('throws for an invalid header, and leaves the client usable', async () => {
  const rest = await serving(pair, { ca: authority.cert });
  const error = await failure(rest.request({ ...request, headers: { 'x-bad': 'a\r\nb: c' } }));
  expect(error.message).toMatch(/^create things: /);
  expect(await rest.get('/')).toEqual({});
});

it('times out for a TLS handshake without a response, and names the phase', async () => {
  const server = createServer();
  const greeted = new Promise((resolve) => server.once('connection', (raw) => raw.once('data', resolve)));
  const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } });
  const failing = failure(rest.request(request));
  await greeted;
  passTime(1000);
  passTime(31_000);
  const error = await failing;
  expect(error.message).toMatch(
    /^create things: the server accepted the connection but did not finish the TLS handshake/,
  );
  expect(error).toMatchObject({ code: 'TLS_HANDSHAKE_TIMEOUT' });
});

it('times out with the phase of the request', async () => {
  const server = createServer();
  const silent = await listen(server);
  const tls = { ca: authority.cert };
  /** Returns the failure of a call whose time limit ends when the server has received its first bytes. */
  const late = async (rest: RESTClient): Promise<Error> => {
    const greeted = new Promise((resolve) => server.once('connection', (raw) => raw.once('data', resolve)));
    const failed = failure(rest.request({ ...request, timeoutMs: 1000 }));
    await greeted;
    vi.advanceTimersByTime(1000);
    return failed;
  };
  holdTime();
  const inHandshake = await late(open({ server: `https://127.0.0.1:${silent}`, tls }));
  expect(inHandshake.message).toBe(
    'create things: timed out after 1000 ms: the TLS handshake with the server was not finished',
  );
  const through = open({ server: 'https://api.test', tls, proxyUrl: `http://127.0.0.1:${silent}` });
  const atProxy = await late(through);
  expect(atProxy.message).toMatch(/timed out after 1000 ms: no connection to the server was ready/);
});

it.each([
  ['a request', false, 'UND_ERR_HEADERS_TIMEOUT'],
  ['a stream', true, 'UND_ERR_HEADERS_TIMEOUT'],
])('times out for a server that never responds, also without a limit: %s', async (_, stream, code) => {
  const server = createServer();
  const requested = new Promise((resolve) => server.once('connection', (raw) => raw.once('data', resolve)));
  const rest = open({ server: `http://127.0.0.1:${await listen(server)}` });
  const failing = failure(stream ? rest.stream(request) : rest.request(request));
  await requested;
  passTime(1000);
  passTime(301_000);
  expect(await failing).toMatchObject({ code });
});

it('does not time out for a stream that is silent after its start', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nab'));
    server.once('go on', () => socket.write('cd'));
  });
  const rest = open({ server: `http://127.0.0.1:${await listen(server)}` });
  const body = (await rest.stream(request)).body[Symbol.asyncIterator]();
  expect(Buffer.from((await body.next()).value ?? []).toString()).toBe('ab');
  passTime(1000);
  passTime(3_600_000);
  server.emit('go on');
  expect(Buffer.from((await body.next()).value ?? []).toString()).toBe('cd');
});
