import { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Dialing } from '../transport/dialing.ts';
import { proxied } from './proxied-connector.ts';
import { parseProxy } from './proxy.ts';

afterEach(() => void vi.restoreAllMocks());

/** Where a connection to a proxy is made to. */
async function destination(url: string): Promise<unknown> {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
    return this;
  });
  const dialing = new Dialing();
  const address = { origin: 'https://api.test', prefix: '', secure: true, loopback: false };
  const identity = { address, tls: {}, proxy: parseProxy(url, 'the test') };
  const connector = proxied(() => undefined, identity, dialing);
  const failed = new Promise((resolve) => {
    connector({ protocol: 'https:', hostname: 'api.test', port: '' }, (...[error]) => resolve(error));
  });
  const options: unknown = [...(connect.mock.calls[0] ?? [])].flat()[0];
  await dialing.destroy();
  expect(await failed).toMatchObject({ name: 'ProxyError' });
  return options;
}

describe('a connection to a proxy', () => {
  it.each([
    ['http://proxy.test', 'proxy.test', 80],
    ['https://proxy.test', 'proxy.test', 443],
    ['socks5://proxy.test', 'proxy.test', 1080],
    ['http://proxy.test:3128', 'proxy.test', 3128],
    ['socks5://[2001:db8::7]:1081', '2001:db8::7', 1081],
  ])('%s is made to %s port %d', async (url, host, port) => {
    expect(await destination(url)).toMatchObject({ host, port, keepAlive: true, noDelay: true });
  });
});
