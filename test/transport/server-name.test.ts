/** Server name in certificate verification, on every transport. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { isTransportError, type RESTClient } from '@kgen/runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { httpProxy, socksProxy } from './proxies.ts';
import { failure, listen, open, runProgram, temporaryFolder } from './support.ts';

let authority: CertificateAuthority;
let named: KeyPair;
let commonNameOnly: KeyPair;
let commonNameAndAddress: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  const issue = (names: string[], addresses: string[]): KeyPair =>
    authority.issueServer('api.test', { names, addresses });
  [named, commonNameOnly, commonNameAndAddress] = [
    issue(['other.test'], ['10.0.0.1']),
    issue([], []),
    issue([], ['10.0.0.1']),
  ];
});

/** Starts a server that responds with the requested server name. */
function serve(pair: KeyPair): Promise<number> {
  const server = createHttpsServer(pair, ({ socket }, response) => {
    const servername = socket instanceof TLSSocket ? socket.servername : undefined;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ servername }));
  });
  return listen(server);
}

function client(server: string, serverName: string | undefined, proxyUrl?: string): RESTClient {
  const tls = { ca: authority.cert, ...(serverName !== undefined && { serverName }) };
  return open({ server, tls, ...(proxyUrl !== undefined && { proxyUrl }) });
}

type Way = (port: number, serverName: string | undefined) => Promise<RESTClient>;

/** Without a `serverName`, the server has the name `api.test`, which only a proxy resolves. */
const ways: Readonly<Record<string, Way>> = {
  'without a proxy': async (port, name) => client(`https://127.0.0.1:${port}`, name ?? 'api.test'),
  'through a proxy': async (port, name) =>
    client('https://api.test:6443', name, `http://127.0.0.1:${(await httpProxy(port)).port}`),
  'through SOCKS': async (port, name) =>
    client('https://api.test:6443', name, `socks5://127.0.0.1:${(await socksProxy(port)).port}`),
};

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each([
    ['with a common name alone', () => commonNameOnly],
    ['with a common name and an address', () => commonNameAndAddress],
  ])('rejects a certificate %s', async (_case, pair) => {
    const rest = await way(await serve(pair()), undefined);
    const error = await failure(rest.get('/'));
    expect(isTransportError(error)).toBe(true);
    expect(error.message).toMatch(
      pair() === commonNameOnly
        ? /the certificate of api\.test has that name only as its common name \(CN\), which is not accepted; issue/
        : /the server's certificate is for another name: IP Address:10\.0\.0\.1; set tls-server-name/,
    );
  });

  it('checks the certificate against tls-server-name, with any host header', async () => {
    const rest = await way(await serve(named), 'other.test');
    const headers = { host: 'elsewhere.test' };
    await expect(rest.get('/', { headers })).resolves.toMatchObject({ servername: 'other.test' });
    const wrong = await way(await serve(named), 'elsewhere.test');
    const error = await failure(wrong.get('/', { headers: { host: 'other.test' } }));
    expect(error.message).toMatch(/certificate is for another name: DNS:other\.test/);
  });

  it('sends no SNI if tls-server-name is an address, and checks the address', async () => {
    const warned: string[] = [];
    const note = (warning: Error): number => warned.push(warning.message);
    process.on('warning', note);
    const rest = await way(await serve(named), '10.0.0.1');
    await expect(rest.get('/')).resolves.toMatchObject({ servername: false });
    const error = await failure((await way(await serve(named), '10.0.0.2')).get('/'));
    expect(error.message).toMatch(/certificate is for another name: DNS:other\.test, IP Address:10\.0\.0\.1/);
    const none = await failure((await way(await serve(commonNameOnly), '10.0.0.1')).get('/'));
    expect(none.message).toMatch(/certificate has no subject alternative names \(SAN\); issue one/);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warned).toEqual([]);
  });
});

it('rejects a proxy whose certificate has only a common name', async () => {
  const pair = await authority.issueServer('localhost', { names: [], addresses: [] });
  const proxy = await httpProxy(await serve(named), { pair });
  const ca = join(await temporaryFolder(), 'ca.pem');
  await writeFile(ca, authority.cert);
  const program = `
    import { RESTClient } from '@kgen/runtime';
    const rest = new RESTClient({ server: 'https://other.test', proxyUrl: 'https://localhost:${proxy.port}' });
    rest.get('/version').catch(async (error) => { console.log(error.message); await rest.close(); });
  `;
  const { stdout, stderr } = await runProgram(program, { NODE_EXTRA_CA_CERTS: ca });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/the certificate of localhost has that name only as its common name \(CN\)/);
  expect(proxy.seen).toEqual([]);
});

describe.runIf(process.platform === 'linux')('the zone of an IPv6 address', () => {
  it('is accepted in the address of a server, and not sent', async () => {
    const server = createServer(({ headers }, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(headers.host));
    });
    const port = await listen(server, '::1');
    const rest = open({ server: `http://[::1%25lo]:${port}` });
    expect(await rest.get('/version')).toBe(`[::1]:${port}`);
  });
});
