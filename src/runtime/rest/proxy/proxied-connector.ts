/** Connections through a proxy. Loaded for configurations with a proxy. */
import { type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { serverNameOf } from '../tls/server-name.ts';
import { type TlsOptions, tlsOptions } from '../tls/tls-options.ts';
import type { ConnectionTarget } from '../transport/connection-key.ts';
import type { Dialing } from '../transport/dialing.ts';
import { type Connector, connectTimeoutMs, probeAfterMs } from '../transport/pool.ts';
import { type ProxyServer, proxyAuthorization } from './proxy.ts';
import { ProxyError, unwelcome } from './proxy-error.ts';
import { socksTunnel } from './socks.ts';
import { proxyFailure, type Reply, readReply, type TunnelTarget, untilEvent } from './tunnel-reply.ts';

/** Limit above the length of any response head to CONNECT, in bytes. */
const headBytes = 64 * 1024;

const defaultPorts: Readonly<Record<ProxyServer['kind'], number>> = { http: 80, https: 443, socks5: 1080 };

/**
 * Returns a connector through the proxy of a target: by a tunnel for TLS servers and for SOCKS, to which
 * `connector` adds TLS. For a plain server behind an HTTP proxy it connects to the proxy, which forwards the
 * requests.
 */
export function proxied(
  connector: Connector,
  { proxy, address, tls, tunnel: always }: ConnectionTarget,
  dialing: Dialing,
): Connector {
  if (proxy === undefined) return connector;
  const trust = proxy.kind === 'https' ? tlsOptions(tls) : undefined;
  const forwards = !address.secure && proxy.kind !== 'socks5' && always !== true;
  return ({ protocol, hostname, port, ...options }, callback) => {
    const socket = dial(proxy, trust, tls.serverName);
    dialing.track(socket);
    // Each step has its own listener; between two steps, and afterwards, an error must not end the process.
    socket.on('error', () => undefined);
    const stop = limited(socket, proxy);
    const target = forwards ? undefined : targetOf(protocol, hostname, port);
    // Calls back once in any case: the last step of the chain below never throws.
    const failed = (error: unknown): void => {
      socket.destroy();
      callback(proxyFailure(error, proxy), null);
    };
    const reached = (): void => {
      if (socket.destroyed) failed(socket.errored ?? new Error('the connection was closed'));
      else if (address.secure)
        connector({ ...options, protocol, hostname, port, httpSocket: socket }, callback);
      else callback(null, socket);
    };
    tunnel(socket, proxy, target).finally(stop).then(reached, failed);
  };
}

/** Destroys a socket that is not ready within the time-out. Returns a function that stops the timer. */
function limited(socket: Socket, { label }: ProxyServer): () => void {
  const late = new ProxyError(
    'PROXY_TIMEOUT',
    `no connection through the proxy ${label} within ${connectTimeoutMs / 1000} s`,
  );
  const timer = setTimeout(() => socket.destroy(late), connectTimeoutMs);
  return () => clearTimeout(timer);
}

function targetOf(protocol: string, hostname: string, port: string): TunnelTarget {
  return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

async function tunnel(socket: Socket, proxy: ProxyServer, target: TunnelTarget | undefined): Promise<void> {
  await untilEvent(socket, proxy, proxy.kind === 'https' ? 'secureConnect' : 'connect');
  if (target === undefined) return;
  if (proxy.kind === 'socks5') await socksTunnel(socket, proxy, target);
  else await requestTunnel(socket, proxy, target);
}

/**
 * Connects to the proxy. As in Go, the TLS settings for the server apply to a TLS proxy, too, with the client
 * certificate and the expected name among them.
 */
function dial({ kind, url }: ProxyServer, trust: TlsOptions | undefined, name: string | undefined): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? defaultPorts[kind] : Number(url.port);
  const probes = { keepAlive: true, keepAliveInitialDelay: probeAfterMs };
  const options = { host, port, autoSelectFamily: true, noDelay: true, ...probes };
  return kind === 'https'
    ? tlsConnect({ ...options, ...serverNameOf(name || host), ...trust, ALPNProtocols: ['http/1.1'] })
    : tcpConnect(options);
}

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
