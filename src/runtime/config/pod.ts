/** Configuration of a pod from its service account. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../api/errors.ts';
import type { Environment, InClusterOptions } from './in-cluster.ts';
import { readNamed } from './kubeconfig/material.ts';
import { hideAuth, hideConfig, hideTls } from './redact/redact.ts';
import type { ClusterConfig } from './types.ts';

/** Mount path of the service account in pods. */
const serviceAccountDir = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Name of the service account for messages, with the usual reason for its absence. */
const where = 'the service account of this pod (see automountServiceAccountToken)';

/** Returns whether the environment is that of a pod. */
export function isInCluster(env: Environment): boolean {
  return Boolean(env['KUBERNETES_SERVICE_HOST'] && env['KUBERNETES_SERVICE_PORT']);
}

/** Implements `inClusterConfig`. */
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
  // Read one after the other, so that of several missing files the error always names the same one.
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

async function readOptional(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch {
    // A missing file means that the value is not set.
    return '';
  }
}
