/** Which proxy is on the way to a server. */
import type { ServerAddress } from '../config/server.ts';
import { ConfigError } from '../errors.ts';
import { isExempt, type Target } from './no-proxy.ts';

/** A proxy and how to speak to it. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  /** With the user and the password, where it has them. */
  readonly url: URL;
  /** The URL without them, for messages. */
  readonly label: string;
  readonly user: { readonly name: string; readonly password: string } | undefined;
}

/** The variables of the environment that matter here. */
export type Environment = Readonly<Record<string, string | undefined>>;

const kinds: ReadonlyMap<string, ProxyServer['kind']> = new Map([
  ['http:', 'http'],
  ['https:', 'https'],
  ['socks5:', 'socks5'],
  ['socks5h:', 'socks5'],
]);

function userOf(url: URL, from: string): ProxyServer['user'] {
  if (url.username === '' && url.password === '') return undefined;
  try {
    return { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    // What it says is in the URL, which holds the password.
    throw new ConfigError(`the user or the password in ${from} is not escaped as in a URL: write % as %25`);
  }
}

/**
 * Reads the URL of a proxy; without a scheme it is `http://`.
 * @param from where it is from, for messages, which do not repeat it
 * @throws {ConfigError} no URL, or another protocol
 */
export function parseProxy(text: string, from: string): ProxyServer {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(withScheme))
    throw new ConfigError(`${from} is not a URL; write it like http://10.0.0.1:3128`);
  const url = new URL(withScheme);
  const kind = kinds.get(url.protocol);
  if (kind === undefined) {
    throw new ConfigError(
      `${from} has the protocol ${url.protocol}//; only http://, https:// and socks5:// can be used`,
    );
  }
  if (url.hostname === '') throw new ConfigError(`${from} has no host`);
  return { kind, url, label: `${url.protocol}//${url.host}`, user: userOf(url, from) };
}

/** The first of two names of one variable that is set to something. */
function variable(environment: Environment, name: string): { name: string; value: string } | undefined {
  for (const one of [name, name.toLowerCase()]) {
    const value = environment[one];
    if (value !== undefined && value !== '') return { name: one, value };
  }
  return undefined;
}

/** What a server's address is to `NO_PROXY`. */
function targetOf({ origin, secure }: ServerAddress): Target {
  const { hostname, port } = new URL(origin);
  return { hostname, port: port === '' ? (secure ? 443 : 80) : Number(port) };
}

/**
 * The proxy for a server: the configured one, or the one that the environment names for servers of its kind and does
 * not exempt it from. The environment never sends what is on this machine through a proxy.
 * @throws {ConfigError} the URL of the proxy cannot be used
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

/** The `Proxy-Authorization` header for a proxy that wants to know who asks. */
export function proxyAuthorization({ user }: ProxyServer): string | undefined {
  if (user === undefined) return undefined;
  return `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
}
