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
