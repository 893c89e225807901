/** Client certificate that a configuration presents. Loaded with the first request. */
import { credentialKinds } from './credential-kinds.ts';
import { origin } from './origin.ts';
import type { AuthConfig, ClusterConfig, TlsConfig } from './types.ts';

interface WithOrigin {
  readonly [origin]?: object;
}

/** Notes that the parts of a configuration were read together. */
export function readTogether({ tls, auth }: Pick<ClusterConfig, 'tls' | 'auth'>): void {
  const value = {};
  for (const part of [tls, auth]) if (part !== undefined) Object.defineProperty(part, origin, { value });
}

/** Returns the TLS settings without the client certificate. */
export function withoutCertificate(tls: TlsConfig): TlsConfig {
  const { cert: _, key: __, certFile: ___, keyFile: ____, ...trust } = tls;
  return trust;
}

/** Returns the TLS settings for connections: without the certificate if another credential replaced it. */
export function usedTls({ tls = {}, auth }: ClusterConfig): TlsConfig {
  if (auth === undefined || credentialKinds(auth).length === 0 || !hasCertificate(tls)) return tls;
  return originOf(tls) === originOf(auth) ? tls : withoutCertificate(tls);
}

function hasCertificate({ cert, certFile }: TlsConfig): boolean {
  return cert !== undefined || certFile !== undefined;
}

function originOf(part: (TlsConfig | AuthConfig) & WithOrigin): object | undefined {
  return part[origin];
}
