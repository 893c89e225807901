/** The configuration that a pod has from its service account. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../errors.ts';
import type { Environment, InClusterOptions } from './in-cluster.ts';
import { readNamed } from './material.ts';
import { hideAuth, hideConfig, hideTls } from './redact.ts';
import type { ClusterConfig } from './types.ts';

/** Where a pod finds its service account. */
const serviceAccountDir = '/var/run/secrets/kubernetes.io/serviceaccount';

/** How messages name it, with what most often keeps it away. */
const where = 'the service account of this pod (see automountServiceAccountToken)';

/** Whether the environment is that of a pod. */
export function isInCluster(env: Environment): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST'] && env['KUBERNETES_SERVICE_PORT']);
}

async function readOptional(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    // A service account without this file is one without this information.
    return '';
  }
}

/** See `inClusterConfig`. */
export async function podConfig(options: InClusterOptions = {}): Promise<ClusterConfig> {
  const { env = process.env, dir = serviceAccountDir } = options;
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  if (!isInCluster(env)) {
    throw new ConfigError(
      'not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set',
    );
  }
  const read = (name: string): Promise<string> =>
    readNamed((path) => readFile(path, 'utf8'), join(dir, name), where);
  // One after the other, so that of several that are missing it is always the same one that is named.
  const token = await read('token');
  const ca = await read('ca.crt');
  const namespace = options.namespace || env['POD_NAMESPACE'] || (await readOptional(join(dir, 'namespace')));
  return hideConfig({
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: hideTls({ ca, caFile: join(dir, 'ca.crt') }),
    auth: hideAuth({ token: token.trim(), tokenFile: join(dir, 'token') }),
    namespace: namespace || 'default',
  });
}
