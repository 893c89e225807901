/** Keys of shared connections. Tokens and impersonation are headers and not part of them. */
import type { ServerAddress } from '../../config/kubeconfig/server.ts';
import type { TlsConfig } from '../../config/types.ts';
import type { ProxyServer } from '../proxy/proxy.ts';

/** A server, the TLS settings for it, the client certificate, and the proxy. */
export interface ConnectionTarget {
  readonly address: ServerAddress;
  readonly tls: TlsConfig;
  readonly proxy: ProxyServer | undefined;
  /** Whether plain HTTP connections have a tunnel too: an HTTP proxy forwards their requests otherwise. */
  readonly tunnel?: boolean;
}

/**
 * Returns equal keys for targets that may share connections. Keys contain credentials: use them only in
 * maps in memory.
 */
export function connectionKey({ address, tls, proxy }: ConnectionTarget): string {
  const trust = [tls.ca, tls.serverName, tls.insecureSkipTlsVerify === true];
  const proof = [tls.cert, tls.key];
  return JSON.stringify([address.origin, address.zone, trust, proof, proxy?.url.href]);
}
