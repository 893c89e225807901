/** The way to the configuration of a pod. What reads it is loaded when it is first asked for. */
import type { ClusterConfig } from './types.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of `inClusterConfig`. */
export interface InClusterOptions {
  /** Default: `process.env`. */
  readonly env?: Environment | undefined;
  /** Folder with `token`, `ca.crt` and `namespace`. Default: where a kubelet puts them. */
  readonly dir?: string | undefined;
  /** Default: `$POD_NAMESPACE`, then the service account's. */
  readonly namespace?: string | undefined;
}

/**
 * The configuration of the pod that this process runs in. The token is read again as it rotates.
 * @throws {ConfigError} not in a pod, or its service account is not mounted
 */
export async function inClusterConfig(options?: InClusterOptions): Promise<ClusterConfig> {
  const { podConfig } = await import('./pod.ts');
  return podConfig(options);
}
