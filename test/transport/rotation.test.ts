import { mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { isConfigError, isTransportError, type RESTClient } from '@kgen/runtime';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClusterConfig } from '../../src/runtime/exports/index.ts';
import type { ConnectionTarget } from '../../src/runtime/rest/transport/connection-key.ts';
import { openTransport } from '../../src/runtime/rest/transport/lazy-transport.ts';
import { acquire as acquireParts } from '../../src/runtime/rest/transport/pool.ts';
import { loadUndici } from '../../src/runtime/rest/transport/undici.ts';
import { failure, listen, open, temporaryFolder } from './support.ts';

let authority: CertificateAuthority;
let other: CertificateAuthority;
let jane: KeyPair;
let joe: KeyPair;
let pair: KeyPair;
beforeAll(async () => {
  [authority, other] = await Promise.all([createAuthority(), createAuthority()]);
  const hosts = { names: [], addresses: ['127.0.0.1'] };
  [pair, jane, joe] = await Promise.all([
    authority.issueServer('api', hosts),
    authority.issueClient('jane', []),
    authority.issueClient('joe', []),
  ]);
});

/** Time of the clock for checks of the files, in milliseconds; only tests advance it. */
let now = 0;
beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/**
 * Starts a server that responds with the user of the request; `/stream` starts and continues. Open sockets
 * are counted.
 */
async function server(): Promise<{
  readonly url: string;
  readonly server: Server;
  readonly open: Set<TLSSocket>;
  /** Responds to the requests at `/slow`. */
  readonly finish: () => void;
}> {
  const sockets = new Set<TLSSocket>();
  const finishing: (() => void)[] = [];
  const finish = (): void => {
    for (const end of finishing) end();
  };
  const running = createServer(
    { ...pair, ca: [authority.cert, other.cert], requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      // Requests of an https server arrive on TLS sockets.
      const socket = request.socket as TLSSocket;
      const reply = JSON.stringify({ user: socket.getPeerCertificate().subject?.CN });
      if (request.url === '/stream') response.write('x');
      else if (request.url !== '/slow') response.end(reply);
      else {
        finishing.push(() => response.end(reply));
        running.emit('slow');
      }
    },
  );
  running.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      running.emit('gone');
    });
  });
  return { url: `https://127.0.0.1:${await listen(running)}`, server: running, open: sockets, finish };
}

interface Files {
  readonly tls: Required<
    Pick<NonNullable<ClusterConfig['tls']>, 'caFile' | 'certFile' | 'keyFile' | 'ca' | 'cert' | 'key'>
  >;
  write(name: 'ca' | 'cert' | 'key', text: string): Promise<void>;
}

async function files(who: KeyPair): Promise<Files> {
  const folder = await temporaryFolder();
  const path = (name: string): string => join(folder, `${name}.pem`);
  let written = 0;
  const write = async (name: string, text: string): Promise<void> => {
    await writeFile(path(name), text);
    // Two writes within one tick of the file system's clock must have different times.
    written += 1;
    await utimes(path(name), 1_700_000_000 + written, 1_700_000_000 + written);
  };
  for (const [name, text] of Object.entries({ ca: authority.cert, ...who })) await write(name, text);
  return {
    tls: {
      ca: authority.cert,
      ...who,
      caFile: path('ca'),
      certFile: path('cert'),
      keyFile: path('key'),
    },
    write,
  };
}

const stream = {
  method: 'GET',
  path: '/stream',
  query: [],
  headers: {},
  operation: { verb: 'watch', resource: 'things' },
} as const;

const user = (rest: RESTClient): Promise<unknown> => rest.get('/who');

describe('a client certificate on disk', () => {
  it('is reloaded when it changes, and old connections are closed', async () => {
    const { url, server: running, open: sockets } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    expect(await user(rest)).toEqual({ user: 'jane' });
    await write('cert', joe.cert);
    await write('key', joe.key);
    expect(await user(rest)).toEqual({ user: 'jane' });
    const old = [...sockets];
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'joe' });
    while (old.some((socket) => sockets.has(socket))) await new Promise((gone) => running.once('gone', gone));
    expect(sockets.size).toBeGreaterThan(0);
  });

  it('completes requests that were sent with the previous one', async () => {
    const { url, finish, open: sockets, server: running } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    const requested = new Promise((resolve) => running.once('slow', resolve));
    const slow = rest.get('/slow');
    await requested;
    const old = [...sockets];
    await write('cert', joe.cert);
    await write('key', joe.key);
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'joe' });
    expect(old.every((socket) => sockets.has(socket))).toBe(true);
    finish();
    expect(await slow).toEqual({ user: 'jane' });
    while (old.some((socket) => sockets.has(socket))) await new Promise((gone) => running.once('gone', gone));
  });

  it('closes streams of the previous one', async () => {
    const { url } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    const response = await rest.stream(stream);
    const body = response.body[Symbol.asyncIterator]();
    expect((await body.next()).done).toBe(false);
    const next = failure(body.next());
    await write('cert', joe.cert);
    await write('key', joe.key);
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'joe' });
    const error = await next;
    expect(isTransportError(error)).toBe(true);
    expect(error).toMatchObject({ code: 'CERTIFICATE_REPLACED' });
  });

  it('is not reloaded with a key of another certificate, with one process warning', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { url } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    await user(rest);
    await write('cert', joe.cert);
    for (let look = 0; look < 4; look += 1) {
      now += 1001;
      expect(await user(rest)).toEqual({ user: 'jane' });
    }
    expect(warn.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /cert\.pem.*the private key does not belong to the client certificate; the last good ones/,
      ),
    ]);
    await write('key', joe.key);
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'joe' });
  });

  it('may be missing temporarily and return as a symbolic link, as in a mounted secret', async () => {
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { url } = await server();
    const folder = await temporaryFolder();
    const put = async (name: string, who: KeyPair): Promise<void> => {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'cert.pem'), who.cert);
      await writeFile(join(folder, name, 'key.pem'), who.key);
    };
    await put('one', jane);
    await symlink('one', join(folder, 'data'));
    const at = (name: string): string => join(folder, 'data', name);
    const rest = open({
      server: url,
      tls: { ca: authority.cert, certFile: at('cert.pem'), keyFile: at('key.pem') },
    });
    expect(await user(rest)).toEqual({ user: 'jane' });
    await unlink(join(folder, 'data'));
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'jane' });
    await put('two', joe);
    await symlink('two', join(folder, 'next'));
    await rename(join(folder, 'next'), join(folder, 'data'));
    await rm(join(folder, 'one'), { recursive: true });
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'joe' });
  });

  it('causes an error with the cause if it cannot be read', async () => {
    const certFile = join(await temporaryFolder(), 'absent.pem');
    const rest = open({ server: 'https://127.0.0.1:1', tls: { certFile, keyFile: certFile } });
    const error = await failure(user(rest));
    expect(isConfigError(error)).toBe(true);
    expect(error.message).toMatch(/the TLS files cannot be used \(.*absent\.pem.*ENOENT/);
  });
});

describe('a certificate authority on disk', () => {
  it('applies to new connections; open ones continue', async () => {
    const { url, server: running } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    const response = await rest.stream(stream);
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    const renewed = await other.issueServer('api', { names: [], addresses: ['127.0.0.1'] });
    running.setSecureContext({ ...renewed, ca: [authority.cert, other.cert] });
    await write('ca', other.cert);
    now += 1001;
    expect(await user(rest)).toEqual({ user: 'jane' });
    const next = body.next();
    const first = await Promise.race([next, user(rest)]);
    expect(first).toEqual({ user: 'jane' });
    response.cancel();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  it('is reloaded at once if the server is not trusted', async () => {
    const { url, server: running } = await server();
    const { tls, write } = await files(jane);
    const rest = open({ server: url, tls });
    await user(rest);
    const renewed = await other.issueServer('api', { names: [], addresses: ['127.0.0.1'] });
    running.setSecureContext({ ...renewed, ca: [authority.cert, other.cert] });
    running.closeAllConnections();
    const untrusted = await failure(user(rest));
    expect(untrusted.message).toMatch(/is not signed by an authority/);
    await write('ca', other.cert);
    expect(await user(rest)).toEqual({ user: 'jane' });
  });
});

describe('the certificate of a credential', () => {
  it('is used for connections, and a newer one replaces it', async () => {
    const { url } = await server();
    const wire = openTransport({ server: url, tls: { ca: authority.cert } });
    onTestFinished(() => wire.close());
    const call = async (credential?: KeyPair): Promise<string> => {
      let text = '';
      const request = { ...stream, path: '/who' };
      for await (const chunk of (await wire.send(request, credential)).body)
        text += Buffer.from(chunk).toString();
      return text;
    };
    expect(await call()).toBe('{}');
    expect(await call(jane)).toBe('{"user":"jane"}');
    const response = await wire.send({ ...stream, stream: true }, jane);
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    const next = failure(body.next());
    expect(await call(joe)).toBe('{"user":"joe"}');
    expect(await next).toMatchObject({ code: 'CERTIFICATE_REPLACED' });
    // Pending requests with the previous certificate are included.
    expect(await call(jane)).toBe('{"user":"joe"}');
    expect(await call()).toBe('{}');
  });
});

it('shares connections only between equal identities', async () => {
  const undici = await loadUndici();
  const acquire = (target: ConnectionTarget) => acquireParts(target, { undici });
  const address = { origin: 'https://127.0.0.1:1', prefix: '', secure: true, loopback: true };
  const base = { address, tls: { ca: authority.cert, ...jane }, proxy: undefined };
  const share = acquire(base);
  const same = acquire({ ...base, tls: { ...jane, ca: authority.cert } });
  const different = [
    { ...base, tls: { ...base.tls, ca: other.cert } },
    { ...base, tls: { ...base.tls, ...joe } },
    { ...base, tls: { ...base.tls, serverName: 'api' } },
    { ...base, tls: { ...jane, insecureSkipTlsVerify: true } },
    { ...base, address: { ...address, origin: 'https://127.0.0.1:2' } },
  ].map((identity) => acquire(identity));
  expect(same.connections).toBe(share.connections);
  const all = new Set([share, ...different].map(({ connections }) => connections));
  expect(all.size).toBe(6);
  await Promise.all([share, same, ...different].map((one) => one.release()));
  const later = acquire(base);
  expect(later.connections).not.toBe(share.connections);
  await later.release();
});
