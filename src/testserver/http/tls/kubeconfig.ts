import type { ClusterConfig } from '@kgen/runtime';
import { dump } from 'js-yaml';

/**
 * Returns a configuration as a kubeconfig in YAML, for kubectl and other programs. It contains the
 * certificates, keys and tokens, and is therefore a secret.
 */
export function kubeconfigOf(config: ClusterConfig): string {
  const { namespace } = config;
  const context = { cluster: 'test', user: 'test', ...(namespace !== undefined && { namespace }) };
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: clusterOf(config) }],
    users: [{ name: 'test', user: userOf(config) }],
    contexts: [{ name: 'test', context }],
    'current-context': 'test',
  });
}

function clusterOf({ server, tls }: ClusterConfig): object {
  return { server, ...(tls?.ca !== undefined && { 'certificate-authority-data': base64(tls.ca) }) };
}

function userOf({ tls, auth }: ClusterConfig): object {
  return {
    ...(tls?.cert !== undefined && { 'client-certificate-data': base64(tls.cert) }),
    ...(tls?.key !== undefined && { 'client-key-data': base64(tls.key) }),
    ...(auth?.token !== undefined && { token: auth.token }),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
