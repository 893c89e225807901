/** Conversion of kubeconfig entries to a configuration. */
import { ConfigError } from '../../api/errors.ts';
import { hideAuth, hideConfig, hideTls } from '../redact/redact.ts';
import type { ClusterConfig, TlsConfig } from '../types.ts';
import { readTogether } from '../used-tls.ts';
import { type Entry, flagMember, textMember, whereIs } from './document.ts';
import { type Rights, readPem } from './material.ts';
import { checkedProxyUrl } from './proxy.ts';
import type { Selected } from './select.ts';
import { parseServer, type ServerAddress } from './server.ts';
import { readUser } from './user.ts';

/**
 * Creates the configuration; reads the files that it names.
 * @throws {ConfigError} if a part is missing, contradictory or cannot be read
 */
export async function resolveSelected(selected: Selected, rights: Rights): Promise<ClusterConfig> {
  const { cluster, user, context, namespace } = selected;
  const where = whereIs(cluster, 'cluster');
  const trust = await serverTls(cluster, where, rights);
  const proxyUrl = textMember(cluster.fields, 'proxy-url', where);
  const { origin, prefix, secure, loopback } = readServer(cluster, trust, where);
  const { tls: clientTls, auth, impersonate } = await readUser(user, cluster, secure || loopback, rights);
  const tls = { ...trust, ...clientTls };
  const config = hideConfig({
    server: `${origin}${prefix}`,
    ...(secure && Object.keys(tls).length > 0 && { tls: hideTls(tls) }),
    ...(auth !== undefined && { auth: hideAuth(auth) }),
    ...(proxyUrl !== undefined && { proxyUrl: checkedProxyUrl(proxyUrl, `${where}: proxy-url`) }),
    ...(impersonate !== undefined && { impersonate }),
    ...(flagMember(cluster.fields, 'disable-compression', where) && { disableCompression: true }),
    namespace,
    ...(context !== undefined && { context }),
  });
  readTogether(config);
  return config;
}

function readServer(cluster: Entry, tls: TlsConfig, where: string): ServerAddress {
  const server = textMember(cluster.fields, 'server', where);
  if (server === undefined) throw new ConfigError(`${where} has no server`);
  try {
    return parseServer(server, tls);
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`${where}: ${error.message}`) : error;
  }
}

async function serverTls(cluster: Entry, where: string, rights: Rights): Promise<TlsConfig> {
  const ca = await readPem(cluster, 'certificate-authority', where, rights);
  const insecureSkipTlsVerify = flagMember(cluster.fields, 'insecure-skip-tls-verify', where);
  const serverName = textMember(cluster.fields, 'tls-server-name', where);
  if (insecureSkipTlsVerify && ca !== undefined) {
    throw new ConfigError(
      `${where}: certificate-authority and insecure-skip-tls-verify exclude each other; remove one`,
    );
  }
  return {
    ...(ca !== undefined && { ca: ca.text }),
    ...(ca?.file !== undefined && { caFile: ca.file }),
    ...(serverName !== undefined && { serverName }),
    ...(insecureSkipTlsVerify && { insecureSkipTlsVerify }),
  };
}
