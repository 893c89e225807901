import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { loadConfig, RESTClient } from '@kgen/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlMeanwhile, pathOfKubectl, titled } from './kubectl.ts';

const path = pathOfKubectl();

/** Credentials of a request. */
type Sent = Readonly<Record<string, unknown>>;

/** The parts of a token that clients read; it expires in the far future. No signature is verified. */
const jwt = [{ alg: 'none' }, { iss: 'https://issuer.example', exp: 4_000_000_000 }, {}]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

describe.skipIf(path === undefined)(titled('the runtime sends the same credentials as kubectl'), () => {
  let dir = '';
  let server: Server;
  let port = 0;
  let pairs: Readonly<Record<string, KeyPair>> = {};
  const sent: Sent[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kgen-sent-'));
    const authority = await createAuthority();
    const api = await authority.issueServer('api', { names: ['api.test'], addresses: ['127.0.0.1'] });
    pairs = { jane: await authority.issueClient('jane', []), joe: await authority.issueClient('joe', []) };
    await mkdir(join(dir, 'pki'));
    await writeFile(join(dir, 'pki/ca.crt'), authority.cert);
    for (const [name, { cert, key }] of Object.entries(pairs)) {
      await writeFile(join(dir, 'pki', `${name}.crt`), cert);
      await writeFile(join(dir, 'pki', `${name}.key`), key);
    }
    await writeFile(join(dir, 'pki/token'), ' from-file\n');
    await writeProgram('bearer', { token: 'from-program' });
    await writeProgram('certificate', {
      clientCertificateData: pairs['joe']?.cert,
      clientKeyData: pairs['joe']?.key,
    });
    server = createServer(
      { ...api, ca: authority.cert, requestCert: true, rejectUnauthorized: false },
      ({ headers, socket }, response) => {
        // Requests of an https server arrive on TLS sockets.
        const tls = socket as TLSSocket & { servername?: string | false };
        const named = Object.entries(headers).filter(([name]) => /^(authorization|impersonate-)/.test(name));
        const subject = tls.getPeerCertificate().subject;
        sent.push({ ...Object.fromEntries(named), certificate: subject?.CN, name: tls.servername });
        response.setHeader('Content-Type', 'application/json').end('{}');
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an address of this form.
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server?.close();
    await rm(dir, { recursive: true });
  });

  /** Writes a credential plugin that also verifies its environment variables from the kubeconfig. */
  async function writeProgram(name: string, status: object): Promise<void> {
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
    const file = join(dir, 'pki', name);
    const text = `#!/bin/sh\n[ "$1 $KGEN_TEST" = "get yes" ] || exit 3\ncat <<'END'\n${JSON.stringify(credential)}\nEND\n`;
    await writeFile(file, text);
    await chmod(file, 0o755);
  }

  const exec = (command: string): string =>
    `exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ${command}, args: [get], env: [{ name: KGEN_TEST, value: "yes" }] }`;
  const jane = 'client-certificate: pki/jane.crt, client-key: pki/jane.key';
  const issuer = `auth-provider: { name: oidc, config: { idp-issuer-url: "https://issuer.example", client-id: me, id-token: ${jwt} } }`;

  const cases: Readonly<Record<string, { user: string; cluster?: string }>> = {
    'a token': { user: 'token: t' },
    'a token file': { user: 'tokenFile: pki/token' },
    'a token and a token file': { user: 'token: t, tokenFile: pki/token' },
    'a password': { user: 'username: jane, password: "pass: word"' },
    'a user without a password': { user: 'username: jane' },
    'a certificate': { user: jane },
    'a certificate and a token': { user: `${jane}, token: t` },
    'a certificate and a program': { user: `${jane}, ${exec('./pki/bearer')}` },
    'a certificate and an issuer': { user: `${jane}, ${issuer}` },
    'a program with a token': { user: exec('./pki/bearer') },
    'a program with a certificate': { user: exec('./pki/certificate') },
    'a program beside a token': { user: `token: t, ${exec('./pki/bearer')}` },
    'a program beside a password': { user: `username: u, password: p, ${exec('./pki/bearer')}` },
    'an issuer': { user: issuer },
    'an issuer beside a token': { user: `token: t, ${issuer}` },
    'an issuer beside a password': { user: `username: u, password: p, ${issuer}` },
    'another user': {
      user: 'token: t, as: jane, as-uid: "7", as-groups: [a, b], as-user-extra: { reason: [x, "y%"], acme.com/Project%: [p] }',
    },
    'a name of the server': { user: 'token: t', cluster: 'tls-server-name: api.test' },
  };

  it.each(Object.entries(cases))('%s', async (name, { user, cluster = '' }) => {
    const file = `${Object.keys(cases).indexOf(name)}.yaml`;
    const text = `
clusters: [{ name: c, cluster: { server: "https://127.0.0.1:${port}", certificate-authority: pki/ca.crt, ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
contexts: [{ name: x, context: { cluster: c, user: u } }]
current-context: x
`;
    await writeFile(join(dir, file), text);
    sent.length = 0;
    const stated = await kubectlMeanwhile(
      path ?? '',
      dir,
      [file],
      ['get', '--raw', '/x', '--request-timeout=9s'],
    );
    const [theirs] = sent.splice(0);
    expect(theirs, stated).toBeDefined();
    const client = new RESTClient(await loadConfig({ kubeconfig: join(dir, file) }));
    try {
      await client.get('/x');
    } finally {
      await client.close();
    }
    expect(sent).toEqual([theirs]);
  });
});
