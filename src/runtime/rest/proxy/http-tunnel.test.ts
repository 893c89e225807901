import { describe, expect, it } from 'vitest';
import { ScriptedSocket } from '../../../../test/support/runtime/scripted-socket.ts';
import { requestTunnel } from './proxied-connector.ts';
import { parseProxy } from './proxy.ts';

async function tunnel(reply: string, host = 'api.test', url = 'http://proxy.test:3128'): Promise<unknown[]> {
  const socket = new ScriptedSocket((_, self) => self.receive(Buffer.from(reply, 'latin1')));
  const code = await requestTunnel(socket, parseProxy(url, 'the test'), { host, port: 6443 }).then(
    () => 'connected',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  return [code, Buffer.concat(socket.written).toString('latin1'), String(socket.read() ?? '')];
}

describe('a tunnel through a proxy for HTTP', () => {
  it.each([
    ['HTTP/1.1 199 Early\r\n\r\n', 'PROXY_REFUSED'],
    ['HTTP/1.1 200 OK\r\n\r\n', 'connected'],
    ['HTTP/1.0 200 OK\r\nvia: proxy\r\n\r\n', 'connected'],
    ['HTTP/1.1 299 Fine\r\n\r\n', 'connected'],
    ['HTTP/1.1 300 Choices\r\n\r\n', 'PROXY_REFUSED'],
    ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'PROXY_AUTHENTICATION_REQUIRED'],
    ['HTTP/1.1 502 Bad Gateway\r\n\r\n', 'PROXY_REFUSED'],
    ['HTTP/2.0 200 OK\r\n\r\n', 'PROXY_NOT_UNDERSTOOD'],
    ['HTTP/1.1 2000\r\n\r\n', 'PROXY_NOT_UNDERSTOOD'],
    ['SSH-2.0\r\n\r\n', 'PROXY_NOT_UNDERSTOOD'],
    [`HTTP/1.1 200 OK\r\n${'a'.repeat(64 * 1024)}`, 'PROXY_NOT_UNDERSTOOD'],
  ])('handles %j', async (reply, code) => {
    expect((await tunnel(reply))[0]).toBe(code);
  });

  it('leaves the bytes behind the head of the reply to be read', async () => {
    expect(await tunnel('HTTP/1.1 200 OK\r\n\r\nmore')).toEqual(['connected', expect.anything(), 'more']);
  });

  it.each([
    ['api.test', 'http://proxy.test', 'CONNECT api.test:6443 HTTP/1.1\r\nhost: api.test:6443\r\n\r\n'],
    [
      '2001:db8::7',
      'http://proxy.test',
      'CONNECT [2001:db8::7]:6443 HTTP/1.1\r\nhost: [2001:db8::7]:6443\r\n\r\n',
    ],
    [
      'api.test',
      'http://jane:x@proxy.test',
      'CONNECT api.test:6443 HTTP/1.1\r\nhost: api.test:6443\r\nproxy-authorization: Basic amFuZTp4\r\n\r\n',
    ],
  ])('requests %s from %s', async (host, url, written) => {
    expect((await tunnel('HTTP/1.1 200 OK\r\n\r\n', host, url))[1]).toBe(written);
  });
});
