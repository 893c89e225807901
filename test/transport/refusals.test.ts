/** Servers that refuse the connections of a client, and the causes that its errors name. */
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { createAuthority } from '@kgen/certificates/authority';
import { expect, it } from 'vitest';
import { failure, listen, open } from './support.ts';

const authority = createAuthority();
const pair = authority.issueServer('api', { names: [], addresses: ['127.0.0.1'] });
const tls = { ca: authority.cert };
const advice = 'kgen uses HTTP/1.1, which the server or the proxy before it must support';

it('names HTTP/1.1 in the error of a server that supports only HTTP/2', async () => {
  const server = createSecureServer({ ...pair, allowHTTP1: false }, (_, response) => response.end('{}'));
  server.on('unknownProtocol', (socket) => socket.destroy());
  const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls });
  const { message } = await failure(rest.request({ path: '/version', maxRetries: 0 }));
  expect(message).toContain(`the server does not support HTTP/1.1; ${advice}`);
  expect(message).not.toMatch(/\n|OpenSSL|ssl3/);
});

it('names HTTP/1.1 in the error of a server that speaks HTTP/2 without a negotiation', async () => {
  const server = createHttp2Server();
  const rest = open({ server: `http://127.0.0.1:${await listen(server)}` });
  const { message } = await failure(rest.request({ path: '/version', maxRetries: 0 }));
  expect(message).toContain(`the server sent HTTP/2; ${advice}`);
});

it('names the client certificate that a server requires', async () => {
  const options = { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, (_, response) => response.end('{}'));
  const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls });
  const { message } = await failure(rest.request({ path: '/version', maxRetries: 0 }));
  expect(message).toMatch(/requires? a client certificate/);
});

it.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'does not retry without a client certificate that a server requires, over %s',
  async (maxVersion) => {
    let connections = 0;
    const options = { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: true, maxVersion };
    const server = createServer(options, (_, response) => response.end('{}'));
    server.on('connection', () => {
      connections += 1;
    });
    const rest = open({ server: `https://127.0.0.1:${await listen(server)}`, tls });
    const { message } = await failure(rest.get('/version'));
    expect(message).toMatch(/requires? a client certificate/);
    expect(message).not.toContain('tried');
    expect(connections).toBe(1);
  },
);
