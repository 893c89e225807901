/** Tunnel through an HTTP proxy by the method CONNECT. */
import type { Socket } from 'node:net';
import { type ProxyServer, proxyAuthorization } from './proxy.ts';
import { ProxyError, unwelcome } from './proxy-error.ts';
import { type Reply, readReply, type TunnelTarget } from './tunnel-reply.ts';

/** Limit above the length of any response head to CONNECT, in bytes. */
const headBytes = 64 * 1024;

/**
 * Turns a connection to a proxy into one to `target`.
 * @throws {ProxyError} if the proxy refuses, or its response is invalid
 */
export async function requestTunnel(socket: Socket, proxy: ProxyServer, target: TunnelTarget): Promise<void> {
  const name = authority(target);
  const authorization = proxyAuthorization(proxy);
  const headers = authorization === undefined ? '' : `proxy-authorization: ${authorization}\r\n`;
  socket.write(`CONNECT ${name} HTTP/1.1\r\nhost: ${name}\r\n${headers}\r\n`);
  const head = await readReply(socket, proxy, (bytes) => parseHead(bytes, proxy));
  const status = Number(head.slice(9, 12));
  if (status < 200 || status > 299) throw refusal(status, name, proxy);
}

function refusal(status: number, target: string, proxy: ProxyServer): ProxyError {
  if (status === 407) return unwelcome(proxy);
  const message = `the proxy ${proxy.label} refused a tunnel to ${target}: ${status}`;
  return new ProxyError('PROXY_REFUSED', message);
}

function parseHead(bytes: Buffer, proxy: ProxyServer): Reply<string> | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0 && bytes.length < headBytes) return undefined;
  const value = bytes.toString('latin1', 0, bytes.indexOf('\r\n'));
  if (end < 0 || !/^HTTP\/1\.[01] \d{3}\b/.test(value)) {
    throw new ProxyError('PROXY_NOT_UNDERSTOOD', `the proxy ${proxy.label} does not speak HTTP`);
  }
  return { value, length: end + 4 };
}

function authority({ host, port }: TunnelTarget): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
