/** Errors of connections through a proxy. */
import type { ProxyServer } from './proxy.ts';

/** Reasons of a `ProxyError`. */
export type ProxyErrorCode =
  | 'PROXY_UNREACHABLE'
  | 'PROXY_CLOSED'
  | 'PROXY_TIMEOUT'
  | 'PROXY_REFUSED'
  | 'PROXY_AUTHENTICATION_REQUIRED'
  | 'PROXY_NOT_UNDERSTOOD';

/** Error of a connection through a proxy. The message names the proxy without its password. */
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

/** Returns the error for an HTTP proxy that responds with 407. */
export function unwelcome({ label, user }: ProxyServer): ProxyError {
  const hint =
    user === undefined
      ? 'requires a user and a password (407); set them in its URL: http://user:password@host'
      : 'rejected the user and the password of its URL (407)';
  return new ProxyError('PROXY_AUTHENTICATION_REQUIRED', `the proxy ${label} ${hint}`);
}
