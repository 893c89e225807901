/** Environment of exec plugins: the variable `KUBERNETES_EXEC_INFO` and the other variables. */

import { ConfigError } from '../../api/errors.ts';
import { codeIn } from '../../common/error-code.ts';
import type { ClusterConfig, ExecConfig } from '../../config/types.ts';
import type { AuthEnvironment } from '../environment.ts';
import { pluginName } from './check.ts';

/** The cluster in the format of plugins. Absent members are not sent. */
export type ClusterInfo = Readonly<Record<string, unknown>>;

/**
 * Returns the cluster for a plugin with `provideClusterInfo`.
 * @throws {ConfigError} if the CA file cannot be read
 */
export async function clusterInfo(
  config: ClusterConfig,
  exec: ExecConfig,
  environment: Pick<AuthEnvironment, 'read'>,
): Promise<ClusterInfo> {
  const { server, tls, proxyUrl, disableCompression } = config;
  const ca = await authorities(config, environment);
  return {
    server,
    ...(tls?.serverName && { 'tls-server-name': tls.serverName }),
    ...(tls?.insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
    ...(disableCompression && { 'disable-compression': true }),
    config: exec.clusterConfig ?? null,
  };
}

async function authorities(
  { tls }: ClusterConfig,
  { read }: Pick<AuthEnvironment, 'read'>,
): Promise<string | undefined> {
  if (tls?.ca !== undefined || tls?.caFile === undefined) return tls?.ca;
  try {
    return await read(tls.caFile);
  } catch (cause) {
    const what = `the CA file ${tls.caFile} for the exec plugin cannot be read`;
    throw new ConfigError(`${what}${codeIn(cause)}`, { cause });
  }
}

/**
 * Returns the value of `KUBERNETES_EXEC_INFO`.
 * @throws {ConfigError} if the cluster's `config` for the plugin is not JSON
 */
export function execInfo(exec: ExecConfig, interactive: boolean, cluster: ClusterInfo | undefined): string {
  try {
    return JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: { ...(cluster !== undefined && { cluster }), interactive },
    });
  } catch (cause) {
    throw new ConfigError(`${pluginName(exec)} has a clusterConfig that is not JSON`, {
      cause,
    });
  }
}

/**
 * Returns the variables by name. On systems with case-insensitive names, the last variable of a name applies.
 */
export function execEnv(
  own: AuthEnvironment['env'],
  added: readonly { readonly name: string; readonly value: string }[],
  platform: NodeJS.Platform,
): Record<string, string> {
  const inherited = Object.entries(own).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const variables = new Map<string, readonly [name: string, value: string]>();
  for (const { name, value } of [...inherited, ...added]) {
    variables.set(platform === 'win32' ? name.toUpperCase() : name, [name, value]);
  }
  return Object.fromEntries(variables.values());
}
