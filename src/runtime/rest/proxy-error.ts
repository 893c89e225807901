/** What a proxy did instead of a connection. */

/** Which of it. */
export type ProxyErrorCode =
  | 'PROXY_UNREACHABLE'
  | 'PROXY_CLOSED'
  | 'PROXY_TIMEOUT'
  | 'PROXY_REFUSED'
  | 'PROXY_AUTHENTICATION_REQUIRED'
  | 'PROXY_NOT_UNDERSTOOD';

/** Why there is no connection through a proxy. The message names the proxy, without its password. */
export class ProxyError extends Error {
  readonly code: ProxyErrorCode;

  constructor(code: ProxyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  override get name(): 'ProxyError' {
    return 'ProxyError';
  }
}
