/** Entry point of in-cluster configurations; the implementation is loaded on first use. */
import type { ClusterConfig } from './types.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of `inClusterConfig`. */
export interface InClusterOptions {
  /** Environment variables, with the address of the API server. Default: `process.env`. */
  readonly env?: Environment | undefined;
  /** Folder with `token`, `ca.crt` and `namespace`. Default: the folder in which kubelets mount them. */
  readonly dir?: string | undefined;
  /** Namespace of the configuration. Default: `$POD_NAMESPACE`, then the service account's. */
  readonly namespace?: string | undefined;
}

/**
 * Returns the configuration with which a process in a pod reaches its cluster: address, certificate authority
 * and token of the pod's service account. The token is read again when it is rotated.
 * @throws {ConfigError} if this is not a pod, or its service account is not mounted
 * @example
 * ```ts
 * import { inClusterConfig, RESTClient } from '@kgen/runtime';
 *
 * const rest = new RESTClient(await inClusterConfig());
 * console.log(rest.namespace, await rest.get('/version'));
 * ```
 */
export async function inClusterConfig(options?: InClusterOptions): Promise<ClusterConfig> {
  const { podConfig } = await import('./pod.ts');
  return podConfig(options);
}
