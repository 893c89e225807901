/** Credentials that a server sees if it prefers client certificates, as API servers do. */
import { createServer } from 'node:https';
import { TLSSocket } from 'node:tls';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { anonymous, type RESTClient, withImpersonation, withToken } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { beforeAll, describe, expect, it } from 'vitest';
import { credentialsOf } from '../../src/runtime/auth/credentials.ts';
import type { ClusterConfig } from '../../src/runtime/exports/index.ts';
import { httpProxy } from './proxies.ts';
import { listen, open } from './support.ts';

let authority: CertificateAuthority;
let pair: KeyPair;
let jane: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  const hosts = { names: ['localhost'], addresses: ['127.0.0.1'] };
  [pair, jane] = await Promise.all([authority.issueServer('api', hosts), authority.issueClient('jane', [])]);
});

/** Starts a server that prefers the certificate of the connection to the header. */
async function serve(): Promise<string> {
  const server = createServer(
    { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      const { socket } = request;
      const certificate = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
      const { authorization, 'impersonate-user': as } = request.headers;
      const body = JSON.stringify({ user: certificate ?? authorization, as });
      response.setHeader('content-type', 'application/json');
      if (request.url?.startsWith('/stream')) response.write(`${body}\n`);
      else response.end(body);
    },
  );
  return `https://127.0.0.1:${await listen(server)}`;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Loads a kubeconfig whose user has a client certificate, and `more`. */
function kubeconfig(server: string, more = ''): Promise<ClusterConfig> {
  return parseKubeconfig(`
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: "${server}", certificate-authority-data: ${base64(authority.cert)} } }]
users: [{ name: u, user: { client-certificate-data: ${base64(jane.cert)}, client-key-data: ${base64(jane.key)}${more} } }]
`);
}

const who = (rest: RESTClient, headers?: Record<string, string>): Promise<unknown> =>
  rest.get('/who', { ...(headers && { headers }) });

async function whoStreams(rest: RESTClient, headers: Record<string, string>): Promise<unknown> {
  const operation = { verb: 'watch', resource: 'things' };
  const request = { method: 'GET', path: '/stream', query: [], headers, operation } as const;
  const response = await rest.stream(request);
  const first = await response.body[Symbol.asyncIterator]().next();
  response.cancel();
  return first.done === true ? undefined : JSON.parse(Buffer.from(first.value).toString());
}

const basic = `Basic ${base64('joe:pw')}`;

describe('a client with a client certificate', () => {
  it('sends a credential that replaces that of a kubeconfig without the certificate', async () => {
    const config = await kubeconfig(await serve());
    const rest = (given: ClusterConfig): RESTClient => open(given);
    const cases: readonly [given: ClusterConfig, user: string | undefined, as?: string][] = [
      [config, 'jane'],
      [{ ...config }, 'jane'],
      [{ ...config, auth: {} }, 'jane'],
      [{ ...config, auth: { token: 't' } }, 'Bearer t'],
      [{ ...config, auth: { username: 'joe', password: 'pw' } }, basic],
      [withToken(config, 't'), 'Bearer t'],
      [withImpersonation(config, { user: 'eve' }), 'jane', 'eve'],
      [withImpersonation(withToken(config, 't'), { user: 'eve' }), 'Bearer t', 'eve'],
      [anonymous(config), undefined],
      [anonymous(withImpersonation(config, { user: 'eve' })), undefined],
    ];
    for (const [given, user, as] of cases) {
      expect(await who(rest(given))).toEqual({ ...(user && { user }), ...(as && { as }) });
    }
  });

  it('sends a call with its own authorization header without the certificate', async () => {
    const rest = open(await kubeconfig(await serve()));
    const own = { authorization: 'Bearer own' };
    const pairs = [
      [who(rest), 'jane'],
      [who(rest, own), 'Bearer own'],
      [whoStreams(rest, {}), 'jane'],
      [whoStreams(rest, own), 'Bearer own'],
      [who(rest), 'jane'],
      [who(rest, own), 'Bearer own'],
    ] as const;
    for (const [seen, user] of pairs) expect(await seen).toEqual({ user });
    const as = await rest.get('/who', { impersonate: { user: 'eve' } });
    expect(as).toEqual({ user: 'jane', as: 'eve' });
  });

  it('sends both a certificate and a token of one kubeconfig, as kubectl does', async () => {
    const config = await kubeconfig(await serve(), ', token: t');
    expect(credentialsOf(config)?.current()).toEqual({ authorization: 'Bearer t' });
    expect(await who(open(config))).toEqual({ user: 'jane' });
    const other: ClusterConfig = { ...config, auth: { token: 'other' } };
    expect(await who(open(other))).toEqual({ user: 'Bearer other' });
  });

  it('runs a plugin that replaces the credential of a kubeconfig and uses its certificate', async () => {
    const config = await kubeconfig(await serve());
    const joe = await authority.issueClient('joe', []);
    const response = (status: object): string =>
      JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status });
    const exec = (status: object): ClusterConfig => ({
      ...config,
      auth: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: process.execPath,
          args: ['-e', `console.log(${JSON.stringify(response(status))})`],
        },
      },
    });
    expect(await who(open(exec({ token: 'run' })))).toEqual({ user: 'Bearer run' });
    const certified = open(exec({ clientCertificateData: joe.cert, clientKeyData: joe.key }));
    expect(await who(certified)).toEqual({ user: 'joe' });
    expect(await who(certified, { authorization: 'Bearer own' })).toEqual({ user: 'Bearer own' });
    expect(await who(certified)).toEqual({ user: 'joe' });
  });
});

it('sends a call with its own header through a proxy without the certificate, and a replaced one too', async () => {
  const server = await serve();
  const proxy = await httpProxy(Number(new URL(server).port));
  const config = { ...(await kubeconfig(server)), proxyUrl: `http://127.0.0.1:${proxy.port}` };
  const rest = open(config);
  expect(await who(rest)).toEqual({ user: 'jane' });
  expect(await who(rest, { authorization: 'Bearer own' })).toEqual({ user: 'Bearer own' });
  expect(await who(open(withToken(config, 't')))).toEqual({ user: 'Bearer t' });
  expect(proxy.seen).toHaveLength(3);
});

it('rejects a certificate together with another credential', () => {
  const server = 'https://127.0.0.1:1';
  const tls = { cert: 'C', key: 'K' };
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login' } as const;
  const cases: readonly [given: ClusterConfig, want: RegExp | undefined][] = [
    [{ server, tls, auth: { token: 't' } }, /^a client certificate and a token are set together/],
    [
      { server, tls: { certFile: '/c', keyFile: '/k' }, auth: { tokenFile: '/t' } },
      /certificate and a token/,
    ],
    [{ server, tls, auth: { username: 'joe' } }, /^a client certificate and a user name/],
    [{ server, tls, auth: { exec } }, /^a client certificate and an exec plugin/],
    [{ server, tls, auth: {} }, undefined],
    [{ server, tls, auth: { token: '' } }, undefined],
    [{ server, tls: { ca: 'C' }, auth: { token: 't' } }, undefined],
    [withToken({ server, tls }, 't'), undefined],
  ];
  for (const [given, want] of cases) {
    const make = (): RESTClient => open(given);
    if (want === undefined) expect(make).not.toThrow();
    else expect(make).toThrow(want);
  }
});
