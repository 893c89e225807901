/** Server addresses. */
import { ConfigError } from '../../api/errors.ts';
import type { TlsConfig } from '../types.ts';

/** Parts of a server's address for connections and requests. */
export interface ServerAddress {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string;
  /** Prefix of every path: `''`, or `/some/prefix` without a slash at the end. */
  readonly prefix: string;
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** Whether the server is on this machine. */
  readonly loopback: boolean;
}

/** Returns the scheme of an address without one, by the rule of client-go's `defaultServerUrlFor`. */
function defaultScheme(tls: TlsConfig = {}): string {
  const { ca, caFile, cert, certFile, insecureSkipTlsVerify } = tls;
  return ca || caFile || cert || certFile || insecureSkipTlsVerify ? 'https://' : 'http://';
}

/** Returns whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Parses a base URL, or a host with an optional port, whose scheme is `https` if the configuration has an
 * authority, a client certificate or `insecureSkipTlsVerify`, otherwise `http`, as in kubectl.
 * @throws {ConfigError} if it is not a URL, has a path without a scheme, has another protocol, or contains credentials (which the message
 * does not repeat)
 */
export function parseServer(server: string, tls?: TlsConfig): ServerAddress {
  // Plain JavaScript may lack an `await` before the configuration.
  if (typeof server !== 'string')
    throw new ConfigError('the configuration has no server; is an await missing?');
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? '' : defaultScheme(tls);
  const text = scheme + server;
  if (server === '' || !URL.canParse(text) || (scheme && new URL(text).pathname !== '/')) {
    throw new ConfigError('the server is not a URL; write it like https://10.0.0.1:6443');
  }
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError(
      `the server has the protocol ${url.protocol}//; only https:// and http:// are supported`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(
      'the server has a user or a password in its URL; set them as username and password',
    );
  }
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    secure: url.protocol === 'https:',
    loopback: isLoopback(url.hostname),
  };
}
