/** Configurations of the same server with another identity. */

import { ConfigError } from '../api/errors.ts';
import type { Impersonation } from '../api/options.ts';
import { parseServer, serverUrl } from './kubeconfig/server.ts';
import { hideAuth, hideConfig, hideTls } from './redact/redact.ts';
import type { ClusterConfig } from './types.ts';
import { withoutCertificate } from './used-tls.ts';

/**
 * Returns a configuration for the same server without an identity: no client certificate, no other
 * credentials and no impersonation. A server that allows it treats its requests as those of
 * `system:anonymous`.
 * @throws {ConfigError} if the server of the configuration is not a valid URL
 */
export function anonymous(config: ClusterConfig): ClusterConfig {
  const { auth: _, tls, impersonate: __, ...others } = config;
  // Without a scheme, a certificate implies https.
  const server = serverUrl(parseServer(config.server, tls));
  return hideConfig({
    ...others,
    server,
    ...(tls !== undefined && { tls: hideTls(withoutCertificate(tls)) }),
  });
}

/**
 * Returns a configuration for the same server with a bearer token in place of the client certificate, the
 * other credentials and the impersonation of `config`.
 * @throws {ConfigError} if the token is empty, or the server of the configuration is not a valid URL
 */
export function withToken(config: ClusterConfig, token: string): ClusterConfig {
  if (typeof token !== 'string' || token.trim() === '') throw new ConfigError('the token is empty');
  return hideConfig({ ...anonymous(config), auth: hideAuth({ token }) });
}

/**
 * Returns the configuration with the same credentials that impersonates another user in every request that
 * does not set its own impersonation. It replaces the impersonation of `config`.
 * @throws {ConfigError} if no user is named
 * @example
 * ```ts
 * import { loadConfig, RESTClient, withImpersonation } from '@kgen/runtime';
 *
 * const config = withImpersonation(await loadConfig(), { user: 'jane', groups: ['developers'] });
 * console.log(await new RESTClient(config).get('/api/v1/namespaces/shop/pods'));
 * ```
 */
export function withImpersonation(config: ClusterConfig, impersonate: Impersonation): ClusterConfig {
  if (typeof impersonate?.user !== 'string' || impersonate.user === '') {
    throw new ConfigError('impersonation needs a user; groups alone cannot be impersonated');
  }
  return hideConfig({ ...config, impersonate });
}
