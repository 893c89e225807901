/** Trust anchors as Go has them, for the server and for a proxy with TLS. */
import { createServer, type Server } from 'node:https';
import { createAuthority } from '@kgen/certificates/authority';
import { expect, it } from 'vitest';
import type { TlsConfig } from '../../src/runtime/config/types.ts';
import { RESTClient } from '../../src/runtime/rest/client.ts';
import { httpProxy } from './proxies.ts';
import { listen } from './support.ts';

const root = createAuthority();
const intermediate = root.issueAuthority('intermediate');
const hosts = { names: ['api.test'], addresses: ['127.0.0.1'] };
const leaf = intermediate.issueServer('api', hosts);
const other = createAuthority();
const elsewhere = root.issueServer('api', { names: ['other.test'], addresses: ['127.0.0.2'] });

async function serve(cert: string, key = leaf.key): Promise<number> {
  const server: Server = createServer({ cert, key }, (_, response) => response.end('{}'));
  return listen(server);
}

async function request(port: number, tls: TlsConfig, proxyUrl?: string): Promise<unknown> {
  const rest = new RESTClient({ server: `https://127.0.0.1:${port}`, tls, ...(proxyUrl && { proxyUrl }) });
  return rest.get('/').finally(() => rest.close());
}

const chain = `${leaf.cert}${intermediate.cert}`;

it.each([
  ['an intermediate', intermediate.cert, 'its certificate alone', leaf.cert],
  ['an intermediate', intermediate.cert, 'a chain', chain],
  ['the certificate of the server', leaf.cert, 'its certificate alone', leaf.cert],
  ['the certificate of the server', leaf.cert, 'a chain', chain],
  ['the root', root.cert, 'a chain', chain],
  ['another authority and an intermediate', `${other.cert}${intermediate.cert}`, 'a chain', chain],
])('trusts %s in ca if the server sends %s', async (_, ca, _sent, sent) => {
  expect(await request(await serve(sent), { ca })).toEqual({});
});

it.each<[string, string, () => Promise<number>]>([
  ['the root without the intermediate', root.cert, () => serve(leaf.cert)],
  ['another authority', other.cert, () => serve(chain)],
  ['another certificate of the server', intermediate.issueServer('api', hosts).cert, () => serve(chain)],
  ['a certificate for another address', elsewhere.cert, () => serve(elsewhere.cert, elsewhere.key)],
])('rejects %s', async (_, ca, start) => {
  await expect(request(await start(), { ca })).rejects.toThrow(/the server's certificate/);
});

it.each<[string, TlsConfig]>([
  ['ca', { ca: root.cert }],
  ['an intermediate in ca', { ca: intermediate.cert }],
  ['insecureSkipTlsVerify', { insecureSkipTlsVerify: true }],
  ['serverName', { ca: root.cert, serverName: 'api.test' }],
])('verifies a proxy with the TLS settings of the cluster: %s', async (_, tls) => {
  const target = await serve(chain);
  const proxy = await httpProxy(target, { pair: { cert: chain, key: leaf.key } });
  expect(await request(target, tls, `https://127.0.0.1:${proxy.port}`)).toEqual({});
  expect(proxy.seen).toEqual([`CONNECT 127.0.0.1:${target}`]);
});

it.each<[string, TlsConfig]>([
  ['without ca', {}],
  ['with another ca', { ca: other.cert }],
  ['with another name', { ca: root.cert, serverName: 'other.test' }],
])('rejects a proxy %s', async (_, tls) => {
  const proxy = await httpProxy(1, { pair: { cert: chain, key: leaf.key } });
  await expect(request(1, tls, `https://127.0.0.1:${proxy.port}`)).rejects.toThrow(/proxy/);
  expect(proxy.seen).toEqual([]);
});
