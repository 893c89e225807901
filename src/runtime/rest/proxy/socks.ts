/** Tunnel through a SOCKS5 proxy. The proxy resolves names. */
import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { ProxyServer } from './proxy.ts';
import { ProxyError } from './proxy-error.ts';
import { type Reply, readReply, type TunnelTarget } from './tunnel-reply.ts';

const version = 5;
const withoutUser = 0;
const withPassword = 2;
const connectCommand = 1;
/** Address types. */
const ipv4 = 1;
const domain = 3;
const ipv6 = 4;

/** Explanations of the reply codes of the proxy. */
const refusals: readonly string[] = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/**
 * Turns a connection to a proxy into one to `target`.
 * @throws {ProxyError} if the proxy refuses, or its reply is invalid
 */
export async function socksTunnel(socket: Socket, proxy: ProxyServer, target: TunnelTarget): Promise<void> {
  await logIn(socket, proxy);
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  const address = addressBytes(target.host, proxy);
  socket.write(Buffer.concat([Buffer.of(version, connectCommand, 0), address, port]));
  const { first, second } = await readReply(socket, proxy, reply);
  if (first !== version) throw confused(proxy);
  if (second === 0) return;
  const why = refusals[second] ?? `reply code ${second}`;
  const message = `the proxy ${proxy.label} refused a tunnel to ${target.host}:${target.port}: ${why}`;
  throw new ProxyError('PROXY_REFUSED', message);
}

function confused(proxy: ProxyServer): ProxyError {
  return new ProxyError('PROXY_NOT_UNDERSTOOD', `the proxy ${proxy.label} does not speak SOCKS 5`);
}

async function logIn(socket: Socket, proxy: ProxyServer): Promise<void> {
  const { user } = proxy;
  const methods = user === undefined ? [withoutUser] : [withPassword, withoutUser];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const chosen = await readReply(socket, proxy, pair);
  if (chosen.first !== version) throw confused(proxy);
  if (chosen.second === withoutUser) return;
  if (chosen.second !== withPassword || user === undefined) throw unwanted(proxy);
  const name = counted(user.name, 'user', proxy);
  socket.write(Buffer.concat([Buffer.of(1), name, counted(user.password, 'password', proxy)]));
  const result = await readReply(socket, proxy, pair);
  if (result.second !== 0) throw unwanted(proxy);
}

function unwanted(proxy: ProxyServer): ProxyError {
  const hint =
    proxy.user === undefined
      ? 'requires a user and a password; set them in its URL: socks5://user:password@host'
      : 'rejected the user and the password of its URL';
  return new ProxyError('PROXY_AUTHENTICATION_REQUIRED', `the proxy ${proxy.label} ${hint}`);
}

/** Returns a string after its length, which is one byte. */
function counted(text: string, what: string, proxy: ProxyServer): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) {
    throw new ProxyError(
      'PROXY_REFUSED',
      `the ${what} for the proxy ${proxy.label} is longer than 255 bytes`,
    );
  }
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/** Parses two bytes: the version, and the selected method or the result. */
function pair(bytes: Buffer): Reply<{ readonly first: number; readonly second: number }> | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  return { value: { first, second }, length: 2 };
}

/** Parses the reply to CONNECT: a version, a code, and an unused address. */
function reply(bytes: Buffer): Reply<{ readonly first: number; readonly second: number }> | undefined {
  const [first, second, , kind, length = 0] = bytes;
  if (first !== version || (second !== undefined && second !== 0)) return pair(bytes);
  if (second === undefined || kind === undefined) return undefined;
  const size = kind === ipv4 ? 4 : kind === ipv6 ? 16 : length + 1;
  const end = 4 + size + 2;
  return bytes.length < end ? undefined : { value: { first, second }, length: end };
}

function addressBytes(host: string, proxy: ProxyServer): Buffer {
  if (isIPv4(host)) return Buffer.from([ipv4, ...host.split('.').map(Number)]);
  if (isIPv6(host)) return Buffer.concat([Buffer.of(ipv6), ipv6Bytes(host)]);
  return Buffer.concat([Buffer.of(domain), counted(host, 'name of the server', proxy)]);
}

/** Returns the bytes of an IPv6 address. */
function ipv6Bytes(address: string): Buffer {
  // A URL normalizes an embedded IPv4 address to two groups.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
