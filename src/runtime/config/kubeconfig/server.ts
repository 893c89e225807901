/** Server addresses. */
import { ConfigError } from '../../api/errors.ts';
import { printable } from '../../common/printable.ts';
import type { TlsConfig } from '../types.ts';

/** Parts of a server's address for connections and requests. */
export interface ServerAddress {
  /** Scheme, host and port, without a slash at the end and without the zone of an IPv6 address. */
  readonly origin: string;
  /** Zone of a link-local IPv6 address: `eth0`. Requests and certificates do not contain it. */
  readonly zone?: string;
  /** Prefix of every path: `''`, or `/some/prefix` without a slash at the end. */
  readonly prefix: string;
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** Whether the server is on this machine. */
  readonly loopback: boolean;
}

/** Returns whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|\[::1]|127(\.\d{1,3}){3})$/.test(hostname);
}

/**
 * Parses a base URL, or a host with an optional port, whose scheme is `https` if the configuration has an
 * authority, a client certificate or `insecureSkipTlsVerify`, otherwise `http`, as in kubectl.
 * @throws {ConfigError} if it is not a URL, has a path without a scheme, has another protocol, or contains
 * credentials (which the message does not repeat)
 */
export function parseServer(server: string, tls?: TlsConfig): ServerAddress {
  // Plain JavaScript may lack an `await` before the configuration.
  if (typeof server !== 'string')
    throw new ConfigError('the configuration has no server; is an await missing?');
  const scheme = server.includes('://') ? '' : defaultScheme(tls);
  const { text, zone } = withoutZone(scheme + server);
  if (!URL.canParse(text) || (scheme && new URL(text).pathname !== '/')) {
    throw new ConfigError(`the server must be a URL such as https://10.0.0.1:6443, got ${shown(server)}`);
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError(`the server must be at https:// or http://, got ${url.protocol}//`);
  }
  if (url.username || url.password) {
    throw new ConfigError('the server has credentials in its URL; set them as username and password');
  }
  return {
    origin: url.origin,
    ...(zone !== undefined && { zone }),
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    secure: url.protocol === 'https:',
    loopback: isLoopback(url.hostname),
  };
}

/** Returns the base URL of a server, with its scheme. */
export function serverUrl({ origin, zone, prefix }: ServerAddress): string {
  return `${zone === undefined ? origin : origin.replace(']', `%25${zone}]`)}${prefix}`;
}

/** Separates the zone of an IPv6 address, RFC 6874: `[fe80::1%25eth0]`. URLs of Node.js have none. */
function withoutZone(text: string): { readonly text: string; readonly zone?: string } {
  const [whole = '', before = '', zone = ''] =
    /^([a-z]+:\/\/\[[\da-f:.]+)%25([\w.~-]+)(?=\])/i.exec(text) ?? [];
  return zone === '' ? { text } : { text: before + text.slice(whole.length), zone };
}

/** Returns an invalid address for messages, without the parts that may be credentials. */
function shown(server: string): string {
  const address = server.replace(/^([a-z]+:\/\/)?.*@/is, '$1').replace(/[?#].*/s, '');
  return JSON.stringify(printable(address.slice(0, 100)));
}

/** Returns the scheme of an address without one, by the rule of client-go's `defaultServerUrlFor`. */
function defaultScheme(tls: TlsConfig = {}): string {
  const { ca, caFile, cert, certFile, insecureSkipTlsVerify } = tls;
  return ca || caFile || cert || certFile || insecureSkipTlsVerify ? 'https://' : 'http://';
}
