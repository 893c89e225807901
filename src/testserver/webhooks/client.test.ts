import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';
import { expect, onTestFinished, test } from 'vitest';
import { WebhookClient } from './client.ts';

const authority = createAuthority();
const pair = authority.issueServer('hook', { names: ['localhost'], addresses: [] });
const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';

test.each<[string, string, string, unknown]>([
  ['the authority', 'localhost', authority.cert, { response: {} }],
  ['the certificate of the webhook alone', 'localhost', pair.cert, { response: {} }],
  ['both', 'localhost', pair.cert + authority.cert, { response: {} }],
  ['another authority', 'localhost', createAuthority().cert, expect.stringContaining(unknown)],
  ['the certificate of another name', '127.0.0.1', pair.cert, expect.stringContaining('127.0.0.1')],
])('a bundle with %s is checked at %s', async (_, host, bundle, want) => {
  const server = createServer(pair, (_, response) => response.end('{"response":{}}'));
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const config = { url: `https://${host}:${port}/`, caBundle: Buffer.from(bundle).toString('base64') };
  const called = new WebhookClient().call(config, {}, 5).catch(({ message }: Error) => message);
  expect(await called).toEqual(want);
});

/** Responses of a server to paths: redirects, apart from `/end`. */
const redirects: Readonly<Record<string, readonly [code: number, location: string]>> = {
  '//end': [307, '/end'],
  '/other': [308, './end'],
  '/loop': [307, '/loop'],
  '/plain': [307, 'http://127.0.0.1/end'],
  '/found': [302, '/end'],
};

test.each<[string, unknown]>([
  ['//end', { response: { method: 'POST', body: '{"a":1}' } }],
  ['/other', { response: { method: 'POST', body: '{"a":1}' } }],
  ['/loop', expect.stringMatching(/\/loop\?timeout=5s": stopped after 10 redirects$/)],
  ['/plain', expect.stringMatching(/redirect to http:\/\/127\.0\.0\.1\/end without TLS$/)],
  ['/found', expect.stringContaining('the server responded with the status code 302')],
])('follows the redirects of %s with the body', async (path, want) => {
  const server = createServer(pair, async (request, response) => {
    const [code, location] = redirects[request.url?.replace(/\?.*/, '') ?? ''] ?? [200, ''];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (location !== '') response.setHeader('Location', location);
    response.statusCode = code;
    const [method, body] = [request.method, Buffer.concat(chunks).toString()];
    response.end(JSON.stringify({ response: { method, body } }));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(pair.cert).toString('base64');
  const config = { url: `https://localhost:${port}${path}`, caBundle };
  const called = new WebhookClient().call(config, { a: 1 }, 5).catch(({ message }: Error) => message);
  expect(await called).toEqual(want);
});
