/** What a plugin is told: the variable `KUBERNETES_EXEC_INFO`, and the rest of its environment. */
import type { ClusterConfig, ExecConfig } from '../../config/types.ts';
import { codeIn } from '../../error-code.ts';
import { ConfigError } from '../../errors.ts';
import type { AuthEnvironment } from '../environment.ts';
import { pluginName } from './check.ts';

/** The cluster as plugins know it. Members that are not there are not sent. */
export type ClusterInfo = Readonly<Record<string, unknown>>;

async function authorities(
  { tls }: ClusterConfig,
  { read }: Pick<AuthEnvironment, 'read'>,
): Promise<string | undefined> {
  if (tls?.ca !== undefined || tls?.caFile === undefined) return tls?.ca;
  try {
    return await read(tls.caFile);
  } catch (cause) {
    const what = `the CA file ${tls.caFile}, which an exec plugin is to be told, cannot be read`;
    throw new ConfigError(`${what}${codeIn(cause)}`, { cause });
  }
}

/**
 * What a plugin that wants to know is told of its cluster.
 * @throws {ConfigError} the CA file cannot be read
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

/**
 * The text of `KUBERNETES_EXEC_INFO`.
 * @throws {ConfigError} the cluster's `config` for the plugin is not JSON
 */
export function execInfo(exec: ExecConfig, interactive: boolean, cluster: ClusterInfo | undefined): string {
  try {
    return JSON.stringify({
      kind: 'ExecCredential',
      apiVersion: exec.apiVersion,
      spec: { ...(cluster !== undefined && { cluster }), interactive },
    });
  } catch (cause) {
    throw new ConfigError(`${pluginName(exec)} cannot be told its cluster: clusterConfig is not JSON`, {
      cause,
    });
  }
}

/** Variables by name. Where case does not tell names apart, the last one of a name is the one that counts. */
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
