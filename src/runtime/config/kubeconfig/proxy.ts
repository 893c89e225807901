/** Proxy URLs. */
import { ConfigError } from '../../api/errors.ts';

const protocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/**
 * Validates a proxy URL, and returns it unchanged.
 * @throws {ConfigError} if it is not a URL, or its protocol is not supported. The message does not repeat it,
 * as it may contain a password
 */
export function checkedProxyUrl(proxyUrl: string, where: string): string {
  const url = proxyUrl.includes('://') && URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined;
  if (url !== undefined && !protocols.has(url.protocol)) {
    throw new ConfigError(
      `${where} has the protocol ${url.protocol}//; only http://, https:// and socks5:// are supported`,
    );
  }
  if (url === undefined || url.hostname === '') {
    throw new ConfigError(`${where} is not a URL; write it like http://proxy.example:3128`);
  }
  return proxyUrl;
}

/** Returns the URL without user and password, for messages and logs. */
export function shownProxyUrl(proxyUrl: string): string {
  if (!URL.canParse(proxyUrl)) return '[hidden]';
  const url = new URL(proxyUrl);
  if (url.username === '' && url.password === '') return proxyUrl;
  url.username = 'hidden';
  url.password = '';
  return url.href;
}
