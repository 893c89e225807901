/** Configurations of the same server with another identity. */
import { ConfigError } from '../errors.ts';
import type { Impersonation } from '../options.ts';
import { hideAuth, hideConfig, hideTls } from './redact.ts';
import { parseServer } from './server.ts';
import type { ClusterConfig } from './types.ts';
import { withoutCertificate } from './used-tls.ts';

/**
 * A configuration for the same server without an identity: no client certificate, no other credential and no
 * impersonation. A server that allows it treats its requests as those of `system:anonymous`.
 * @throws {ConfigError} the server of the configuration is not a URL that can be used
 */
export function anonymous(config: ClusterConfig): ClusterConfig {
  const { auth: _, tls, impersonate: __, ...others } = config;
  // Without a scheme, a certificate is a reason to use https.
  const { origin, prefix } = parseServer(config.server, tls);
  return hideConfig({
    ...others,
    server: `${origin}${prefix}`,
    ...(tls !== undefined && { tls: hideTls(withoutCertificate(tls)) }),
  });
}

/**
 * A configuration for the same server as the owner of a bearer token, in place of the client certificate, the other
 * credentials and the impersonation of `config`.
 * @throws {ConfigError} the token is empty, or the server of the configuration is not a URL that can be used
 */
export function withToken(config: ClusterConfig, token: string): ClusterConfig {
  if (typeof token !== 'string' || token.trim() === '') throw new ConfigError('the token is empty');
  return hideConfig({ ...anonymous(config), auth: hideAuth({ token }) });
}

/**
 * The configuration with the same credentials, acting as somebody else in every request that does not name another one
 * itself. It replaces the impersonation of `config`.
 * @throws {ConfigError} no user to act as
 */
export function withImpersonation(config: ClusterConfig, impersonate: Impersonation): ClusterConfig {
  if (typeof impersonate?.user !== 'string' || impersonate.user === '') {
    throw new ConfigError('impersonation needs a user; groups alone cannot be impersonated');
  }
  return hideConfig({ ...config, impersonate });
}
