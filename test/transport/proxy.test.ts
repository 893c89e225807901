import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { isTransportError } from '@kgen/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { httpProxy, type RunningProxy, socksProxy } from './proxies.ts';
import { failure, listen, open, portOf, runProgram, temporaryFolder } from './support.ts';

let authority: CertificateAuthority;
let pair: KeyPair;
let untrusted: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  untrusted = createAuthority().issueServer('proxy', { names: [], addresses: ['127.0.0.1'] });
  pair = await authority.issueServer('api', { names: ['api.test', 'localhost'], addresses: ['127.0.0.1'] });
});

/** Starts a server that responds with properties of the request. */
function plainServer(): Promise<number> {
  return listen(
    createHttpServer((request, response) => {
      response.end(
        JSON.stringify({ url: request.url, host: request.headers.host, headers: request.headers }),
      );
    }),
  );
}

function secureServer(): Promise<number> {
  return listen(
    createHttpsServer(pair, (request, response) => {
      // Requests of an https server arrive on TLS sockets.
      const { servername } = request.socket as TLSSocket & { servername?: string | false };
      response.end(JSON.stringify({ url: request.url, servername, headers: request.headers }));
    }),
  );
}

const socksAddress = (host: string): string => Buffer.from(host.split('.').map(Number)).toString('hex');

describe('a server over TLS', () => {
  interface Way {
    readonly start: (target: number) => Promise<RunningProxy>;
    readonly url: (port: number) => string;
    readonly seen: string;
  }
  const ways: Readonly<Record<string, Way>> = {
    'a proxy for HTTP': {
      start: (target) => httpProxy(target),
      url: (port) => `http://127.0.0.1:${port}`,
      seen: 'CONNECT api.test:6443',
    },
    'one that requires a password': {
      start: (target) => httpProxy(target, { login: 'jane:s3cr@t' }),
      url: (port) => `http://jane:s3cr%40t@127.0.0.1:${port}`,
      seen: 'CONNECT api.test:6443',
    },
    'a SOCKS proxy': {
      start: (target) => socksProxy(target),
      url: (port) => `socks5://127.0.0.1:${port}`,
      seen: 'api.test:6443',
    },
    'a SOCKS proxy that requires a password': {
      start: (target) => socksProxy(target, 'jane:s3cr@t'),
      url: (port) => `socks5h://jane:s3cr%40t@127.0.0.1:${port}`,
      seen: 'api.test:6443',
    },
  };
  it.each(Object.entries(ways))('is connected through %s, over persistent connections', async (_, way) => {
    const proxy = await way.start(await secureServer());
    const server = 'https://api.test:6443';
    const rest = open({ server, tls: { ca: authority.cert }, proxyUrl: way.url(proxy.port) });
    for (const path of ['/one', '/two', '/three', '/four']) {
      expect(await rest.get(path)).toMatchObject({ url: path, servername: 'api.test' });
    }
    // undici releases a connection one tick after its response, so a second one may be opened.
    expect([...new Set(proxy.seen)]).toEqual([way.seen]);
    expect(proxy.seen.length).toBeLessThanOrEqual(2);
  });

  it('uses its own name with tls-server-name, and receives no credential of the proxy', async () => {
    const proxy = await httpProxy(await secureServer(), { login: 'jane:secret' });
    const rest = open({
      server: 'https://10.1.2.3',
      tls: { ca: authority.cert, serverName: 'api.test' },
      proxyUrl: `http://jane:secret@127.0.0.1:${proxy.port}`,
    });
    const response = await rest.get('/');
    expect(response).toMatchObject({ servername: 'api.test' });
    expect(JSON.stringify(response)).not.toContain('proxy-authorization');
    expect(proxy.seen).toEqual(['CONNECT 10.1.2.3:443']);
  });
});

describe('a server without TLS', () => {
  it('is requested by the proxy', async () => {
    const proxy = await httpProxy(await plainServer(), { login: 'jane:secret' });
    const rest = open({
      server: 'http://api.test:8080/prefix',
      proxyUrl: `http://jane:secret@127.0.0.1:${proxy.port}`,
    });
    expect(await rest.get('/version')).toMatchObject({ url: '/prefix/version', host: 'api.test:8080' });
    expect(proxy.seen).toEqual(['GET http://api.test:8080/prefix/version']);
  });

  it('is connected through a SOCKS proxy, by name, IPv4 and IPv6', async () => {
    const proxy = await socksProxy(await plainServer());
    for (const host of ['api.test', '10.1.2.3', '[2001:db8::7]', '[::ffff:10.0.0.1]']) {
      const rest = open({ server: `http://${host}`, proxyUrl: `socks5://127.0.0.1:${proxy.port}` });
      expect(await rest.get('/version')).toMatchObject({ url: '/version' });
    }
    expect(proxy.seen).toEqual([
      'api.test:80',
      `${socksAddress('10.1.2.3')}:80`,
      '20010db8000000000000000000000007:80',
      '00000000000000000000ffff0a000001:80',
    ]);
  });
});

describe('a proxy that', () => {
  interface Case {
    readonly url: () => Promise<string>;
    readonly want: RegExp;
  }
  const url = async (proxy: Promise<RunningProxy>, scheme = 'http', user = ''): Promise<string> =>
    `${scheme}://${user}127.0.0.1:${(await proxy).port}`;
  const raw = async (response: string): Promise<string> => {
    const server = createServer((socket) => socket.once('data', () => socket.end(response)));
    return `127.0.0.1:${await listen(server)}`;
  };
  const cases: Readonly<Record<string, Case>> = {
    'does not exist': {
      url: async () => {
        const server = createServer();
        const port = await listen(server);
        await new Promise((resolve) => server.close(resolve));
        return `http://jane:hunter2@127.0.0.1:${port}`;
      },
      want: /the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
    },
    'has an unknown name': {
      url: async () => 'http://jane:hunter2@proxy.invalid:3128',
      want: /the proxy http:\/\/proxy\.invalid:3128 cannot be reached: .*(ENOTFOUND|EAI_AGAIN)/,
    },
    'requires a password': {
      url: () => url(httpProxy(0, { login: 'a:b' })),
      want: /the proxy \S+ requires a user and a password \(407\); set them/,
    },
    'requires another password': {
      url: () => url(httpProxy(0, { login: 'a:b' }), 'http', 'jane:hunter2@'),
      want: /the proxy \S+ rejected the user and the password of its URL \(407\)/,
    },
    'does not allow the target': {
      url: () => url(httpProxy(0, { status: 403 })),
      want: /the proxy \S+ refused a tunnel to api\.test:6443: 403/,
    },
    'closes the connection': {
      url: async () => `http://${await raw('')}`,
      want: /the proxy \S+ closed the connection/,
    },
    'stops within its response': {
      url: async () => `http://${await raw('HTTP/1.1 200 O')}`,
      want: /the proxy \S+ closed the connection/,
    },
    'is something else': {
      url: async () => `http://${await raw('220 smtp.example.com ESMTP\r\n\r\n')}`,
      want: /the proxy \S+ does not speak HTTP/,
    },
    'is not a SOCKS proxy': {
      url: async () => `socks5://${await raw('HTTP/1.1 400 Bad Request\r\n\r\n')}`,
      want: /the proxy \S+ does not speak SOCKS 5/,
    },
    'uses SOCKS and requires a password': {
      url: () => url(socksProxy(0, 'a:b'), 'socks5'),
      want: /the proxy \S+ requires a user and a password; set them/,
    },
    'uses SOCKS and requires another password': {
      url: () => url(socksProxy(0, 'a:b'), 'socks5', 'jane:hunter2@'),
      want: /the proxy \S+ rejected the user and the password/,
    },
    'uses SOCKS and rejects the connection': {
      url: () => url(socksProxy(0, undefined, 5), 'socks5'),
      want: /the proxy \S+ refused a tunnel to api\.test:6443: connection refused/,
    },
    'has a certificate that is not trusted': {
      url: () => url(httpProxy(0, { pair: untrusted }), 'https'),
      want: /the proxy https:\/\/127\.0\.0\.1:\d+ cannot be reached: .*(certificate|self-signed)/,
    },
  };
  it.each(Object.entries(cases))(
    '%s is named in the error, without its password',
    async (_, { url: proxyUrl, want }) => {
      const rest = open({
        server: 'https://api.test:6443',
        tls: { ca: authority.cert },
        proxyUrl: await proxyUrl(),
      });
      const error = await failure(rest.get('/version'));
      expect(error.message).toMatch(want);
      expect(isTransportError(error)).toBe(true);
      expect(error.stack).not.toContain('hunter2');
    },
  );
});

it.each([
  ['', /the proxy \S+ requires a user and a password \(407\); set them in its URL/],
  ['jane:hunter2@', /the proxy \S+ rejected the user and the password of its URL \(407\)/],
])('requires a password causes an error that names the proxy, for plain HTTP: %j', async (user, want) => {
  const proxy = await httpProxy(0, { login: 'a:b' });
  const rest = open({ server: 'http://api.test', proxyUrl: `http://${user}127.0.0.1:${proxy.port}` });
  for (const request of [() => rest.get('/version'), () => rest.post('/things', { body: {} })]) {
    const error = await failure(request());
    expect(isTransportError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'PROXY_AUTHENTICATION_REQUIRED',
      message: expect.stringMatching(want),
    });
    expect(error.message).not.toContain('hunter2');
  }
  expect(proxy.seen).toHaveLength(2);
});

it('does not respond is closed with the client', async () => {
  const silent = createServer();
  const requested = new Promise((resolve) =>
    silent.once('connection', (socket) => socket.once('data', resolve)),
  );
  await listen(silent);
  const rest = open({ server: 'https://api.test', proxyUrl: `http://127.0.0.1:${portOf(silent)}` });
  const pending = failure(rest.get('/version'));
  await requested;
  await rest.close();
  expect(await pending).toMatchObject({ code: 'CLIENT_CLOSED' });
});

it('connects to a proxy of the environment over TLS with system roots', async () => {
  const proxy = await httpProxy(await secureServer(), { pair });
  const ca = join(await temporaryFolder(), 'ca.pem');
  await writeFile(ca, authority.cert);
  const program = `
    import { RESTClient } from '@kgen/runtime';
    const rest = new RESTClient({ server: 'https://api.test:6443' });
    rest.get('/version').then(async (answer) => { console.log(JSON.stringify(answer)); await rest.close(); });
  `;
  const { stdout, stderr } = await runProgram(program, {
    https_proxy: `https://127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: ca,
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ url: '/version', servername: 'api.test' });
  expect(proxy.seen).toEqual(['CONNECT api.test:6443']);
});
