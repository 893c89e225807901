/** What tells connections apart. Tokens and impersonation are headers and do not. */
import type { ServerAddress } from '../config/server.ts';
import type { TlsConfig } from '../config/types.ts';
import type { ProxyServer } from './proxy.ts';

/** A server, how it is trusted, what the client proves itself with in the handshake, and the way there. */
export interface Identity {
  readonly address: ServerAddress;
  readonly tls: TlsConfig;
  readonly proxy: ProxyServer | undefined;
  readonly http2: boolean;
}

/** The same text for what may share connections. Holds credentials: a key of maps in memory, and nothing else. */
export function identityKey({ address, tls, proxy, http2 }: Identity): string {
  const trust = [tls.ca, tls.serverName, tls.insecureSkipTlsVerify === true];
  const proof = [tls.cert, tls.key];
  return JSON.stringify([address.origin, trust, proof, proxy?.url.href, http2]);
}
