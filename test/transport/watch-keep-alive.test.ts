/** Keep-alive probes of the operating system while a watch is silent. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type CertificateAuthority, createAuthority, type KeyPair } from '@kgen/certificates/authority';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { httpProxy, socksProxy } from './proxies.ts';
import { listen, open } from './support.ts';

let authority: CertificateAuthority;
let pair: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  pair = await authority.issueServer('api', { names: ['localhost'], addresses: ['127.0.0.1'] });
});

const keepAliveTimer = 2;
const ticksPerSecond = 100;

/** Returns the seconds until the next probe of each connection to a port, `undefined` without a probe. */
function probesTo(port: number): (number | undefined)[] {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, , remote = '', state, , timer = ''] = line.trim().split(/\s+/);
    if (Number.parseInt(remote.split(':')[1] ?? '', 16) !== port || state !== '01') return [];
    const [kind = 0, ticks = 0] = timer.split(':').map((digits) => Number.parseInt(digits, 16));
    return [kind === keepAliveTimer ? ticks / ticksPerSecond : undefined];
  });
}

const request = {
  method: 'GET',
  path: '/watch',
  query: [],
  headers: {},
  operation: { verb: 'watch', resource: 'things' },
} as const;

/** Servers that send the head of a response and then stay silent. */
const servers = {
  'plain HTTP': () => createHttpServer((_request, response) => void response.writeHead(200).write('\n')),
  HTTPS: () => createHttpsServer(pair, (_request, response) => void response.writeHead(200).write('\n')),
};

const direct = async (port: number): Promise<{ readonly port: number; readonly url?: string }> => ({ port });
const ways: Readonly<Record<string, typeof direct>> = {
  'no proxy': direct,
  'a proxy for HTTP': async (port) => {
    const proxy = await httpProxy(port);
    return { port: proxy.port, url: `http://127.0.0.1:${proxy.port}` };
  },
  'a proxy for SOCKS': async (port) => {
    const proxy = await socksProxy(port);
    return { port: proxy.port, url: `socks5://127.0.0.1:${proxy.port}` };
  },
};

// Only Linux exposes the timers of connections.
describe.skipIf(process.platform !== 'linux')('a silent connection is probed within 30 s', () => {
  const protocols = Object.keys(servers) as (keyof typeof servers)[];
  const cases = protocols.flatMap((protocol) => Object.keys(ways).map((way) => ({ protocol, way })));
  it.each(cases)('$protocol over $way', async ({ protocol, way }) => {
    const port = await listen(servers[protocol]());
    const { port: reached, url } = (await ways[way]?.(port)) ?? { port };
    const scheme = protocol === 'plain HTTP' ? 'http' : 'https';
    const config = { server: `${scheme}://127.0.0.1:${port}`, tls: { ca: authority.cert } };
    const rest = open({ ...config, ...(url !== undefined && { proxyUrl: url }) });
    const response = await rest.stream(request);
    onTestFinished(() => response.cancel());
    // While data is unacknowledged, the timer is that of its retransmission.
    const seconds = await vi.waitFor(
      () => {
        const probes = probesTo(reached);
        expect(probes).toHaveLength(1);
        expect(probes).not.toContain(undefined);
        return probes[0];
      },
      { timeout: 20_000 },
    );
    expect(seconds).toBeLessThanOrEqual(30);
  });
});
