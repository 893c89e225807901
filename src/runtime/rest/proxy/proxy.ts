/** Selection of the proxy for a server. */

import { ConfigError } from '../../api/errors.ts';
import { noteSecret } from '../../common/sent-secrets.ts';
import type { ServerAddress } from '../../config/kubeconfig/server.ts';
import { isExempt, type Target } from './no-proxy.ts';

/** A proxy and its protocol. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  /** Includes the user and the password, if there are any. */
  readonly url: URL;
  /** The URL without user and password, for messages. */
  readonly label: string;
  readonly user: { readonly name: string; readonly password: string } | undefined;
}

/** The environment variables for proxies. */
export type Environment = Readonly<Record<string, string | undefined>>;

const kinds: ReadonlyMap<string, ProxyServer['kind']> = new Map([
  ['http:', 'http'],
  ['https:', 'https'],
  ['socks5:', 'socks5'],
  ['socks5h:', 'socks5'],
]);

/**
 * Parses the URL of a proxy; without a scheme it is `http://`.
 * @param from source of the URL, for messages, which do not repeat the URL
 * @throws {ConfigError} if the URL is invalid, or its protocol is not supported
 */
export function parseProxy(text: string, from: string): ProxyServer {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme))
    throw new ConfigError(`${from} is not a URL; write it like http://10.0.0.1:3128`);
  const url = new URL(withScheme);
  const kind = kinds.get(url.protocol);
  if (kind === undefined) {
    throw new ConfigError(
      `${from} has the protocol ${url.protocol}//; only http://, https:// and socks5:// are supported`,
    );
  }
  if (url.hostname === '') throw new ConfigError(`${from} has no host`);
  return { kind, url, label: `${url.protocol}//${url.host}`, user: userOf(url, from) };
}

function userOf(url: URL, from: string): ProxyServer['user'] {
  if (url.username === '' && url.password === '') return undefined;
  try {
    return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    // The original message is left out: it contains the URL with the password.
    throw new ConfigError(`the user or the password in ${from} is not percent-encoded: write % as %25`);
  }
}

/**
 * Returns the proxy for a server: the configured one, or that of the environment for the scheme of the
 * server, unless `NO_PROXY` excludes it. Environment variables never apply to loopback addresses.
 * @throws {ConfigError} if the URL of the proxy is invalid
 */
export function proxyFor(
  address: ServerAddress,
  configured: string | undefined,
  environment: Environment,
): ProxyServer | undefined {
  if (configured !== undefined && configured !== '') {
    return parseProxy(configured, 'the proxy (in a kubeconfig: proxy-url)');
  }
  const named = variable(environment, address.secure ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (named === undefined) return undefined;
  const exempt = variable(environment, 'NO_PROXY')?.value ?? '';
  if (address.loopback || isExempt(exempt, targetOf(address))) return undefined;
  return parseProxy(named.value, `the environment variable ${named.name}`);
}

/** Returns a server address as a target of `NO_PROXY`. */
function targetOf({ origin, secure }: ServerAddress): Target {
  const { hostname, port } = new URL(origin);
  return { hostname, port: port === '' ? (secure ? 443 : 80) : Number(port) };
}

/** Returns the first of the two spellings of a variable that is not empty. */
function variable(
  environment: Environment,
  name: string,
): { readonly name: string; readonly value: string } | undefined {
  for (const one of [name, name.toLowerCase()]) {
    const value = environment[one];
    if (value !== undefined && value !== '') return { name: one, value };
  }
  return undefined;
}

/** Returns the `Proxy-Authorization` header of a proxy with a user. */
export function proxyAuthorization({ user }: ProxyServer): string | undefined {
  if (user === undefined) return undefined;
  noteSecret(user.password);
  return `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
}
