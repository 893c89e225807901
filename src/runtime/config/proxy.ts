/** The address of a proxy. */
import { ConfigError } from '../errors.ts';

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/**
 * Checks the address of a proxy, and gives it back as it is.
 * @throws {ConfigError} no URL, or another protocol. The message does not repeat it: it may hold a password
 */
export function checkedProxyUrl(proxyUrl: string, where: string): string {
  const url = proxyUrl.includes('://') && URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined;
  if (url !== undefined && !protocols.has(url.protocol)) {
    throw new ConfigError(
      `${where} has the protocol ${url.protocol}//; only http://, https:// and socks5:// can be used`,
    );
  }
  if (url === undefined || url.hostname === '') {
    throw new ConfigError(`${where} is not a URL; write it like http://proxy.example:3128`);
  }
  return proxyUrl;
}

/** The address without its user and password, for messages and logs. */
export function shownProxyUrl(proxyUrl: string): string {
  if (!URL.canParse(proxyUrl)) return '[hidden]';
  const url = new URL(proxyUrl);
  if (url.username === '' && url.password === '') return proxyUrl;
  url.username = 'hidden';
  url.password = '';
  return url.href;
}
