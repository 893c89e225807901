import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type ClusterConfig, RESTClient } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { describe, expect, onTestFinished, test } from 'vitest';
import { crd, foosPath, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const spec = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name: 'a' } };

async function secureConfig(server: TestServer): Promise<ClusterConfig> {
  return parseKubeconfig(server.kubeconfig);
}

async function connected(server: TestServer): Promise<ClientHttp2Session & { readonly token: string }> {
  const { server: url, tls, auth } = await secureConfig(server);
  const session = connectHttp2(url, { ca: tls?.ca });
  onTestFinished(() => session.destroy());
  return Object.assign(session, { token: auth?.token ?? '' });
}

describe('the port for HTTPS', () => {
  test('accepts the kubeconfig, whose authority signed its certificate', async () => {
    const server = await start();
    const client = new RESTClient(await secureConfig(server));
    onTestFinished(() => client.close());
    expect(await client.get('/api/v1/namespaces/default')).toMatchObject({ metadata: { name: 'default' } });
  });

  test('is refused by clients that do not trust the authority', async () => {
    const server = await start();
    const { tls: _, ...config } = await secureConfig(server);
    const client = new RESTClient(config);
    onTestFinished(() => client.close());
    await expect(client.get('/version')).rejects.toThrow(/certificate/i);
  });

  test('has the same certificate in every server of the process', async () => {
    const [one, two] = [await start(), await start()];
    const authorities = await Promise.all(
      [one, two].map(async (server) => (await secureConfig(server)).tls?.ca),
    );
    expect(authorities[0]).toBe(authorities[1]);
  });

  test.each([['h2'], ['http/1.1']])('negotiates %s', async (protocol) => {
    const server = await start();
    const { server: url, tls } = await secureConfig(server);
    const { hostname, port } = new URL(url);
    const socket: TLSSocket = connectTls({
      host: hostname,
      port: Number(port),
      ca: tls?.ca,
      ALPNProtocols: [protocol],
    });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    expect(socket.alpnProtocol).toBe(protocol);
  });

  test('serves watches and writes over one connection of HTTP/2', async () => {
    const server = await start();
    const session = await connected(server);
    const authorization = `Bearer ${session.token}`;
    const watch = session.request({ ':path': `${foosPath}?watch=true`, authorization });
    await once(watch, 'response');
    const create = session.request({
      ':path': foosPath,
      ':method': 'POST',
      'content-type': 'application/json',
      authorization,
    });
    create.end(JSON.stringify(spec));
    const [headers] = await once(create, 'response');
    create.resume();
    expect(headers[':status']).toBe(201);
    const [chunk] = await once(watch, 'data');
    expect(JSON.parse(String(chunk))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    server.faults.endWatches();
    await once(watch, 'end');
  });

  test('cuts watches of HTTP/2 as those of HTTP/1.1', async () => {
    const server = await start();
    const session = await connected(server);
    const watch = session.request({
      ':path': `${foosPath}?watch=true`,
      authorization: `Bearer ${session.token}`,
    });
    await once(watch, 'response');
    watch.resume();
    const closed = expect(once(watch, 'close')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    expect(server.faults.cutWatches()).toBe(1);
    await closed;
  });

  test('responds with 413 to a large body over HTTP/2', async () => {
    const server = await start();
    const session = await connected(server);
    const create = session.request({
      ':path': foosPath,
      ':method': 'POST',
      authorization: `Bearer ${session.token}`,
    });
    create.on('error', () => undefined);
    create.end('x'.repeat(4 * 1024 * 1024));
    const [headers] = await once(create, 'response');
    expect(headers[':status']).toBe(413);
  });

  test('survives connections that are not TLS', async () => {
    const server = await start();
    const { server: url, tls } = await secureConfig(server);
    await expect(fetch(url.replace('https', 'http'))).rejects.toThrow();
    const { hostname, port } = new URL(url);
    const request = httpsRequest({ host: hostname, port, path: '/version', ca: tls?.ca, agent: false });
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    expect(response.statusCode).toBe(200);
  });
});

test('https: true makes HTTPS the only protocol', async () => {
  const server = await start({ https: true, crds: [{ yaml: crd }] });
  expect(server.url).toMatch(/^https:/);
  expect((await secureConfig(server)).server).toBe(server.url);
  const client = new RESTClient(server.as('jane'));
  onTestFinished(() => client.close());
  await expect(client.get(foosPath)).rejects.toThrow('User "jane" cannot list resource "foos"');
});
