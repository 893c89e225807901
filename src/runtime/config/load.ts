/** The way to the configuration. What reads it is loaded when it is first asked for: most programs need it once. */
import type { Environment } from './in-cluster.ts';
import type { Selection } from './select.ts';
import type { ClusterConfig } from './types.ts';

/** Options of `loadConfig`: where to look, and what to take instead of what is said there. */
export interface LoadConfigOptions extends Selection {
  /** Path of a kubeconfig file, which then has to exist and is the only one. */
  kubeconfig?: string | undefined;
  /** Default: `process.env`. `KUBECONFIG`, `HOME` and the variables of a pod are looked at. */
  env?: Environment | undefined;
}

/**
 * Finds and reads the configuration: the file `kubeconfig`, or the files that `$KUBECONFIG` lists (of entries with one
 * name the first holds), or `~/.kube/config`, or the service account of the pod that this runs in.
 * @throws {ConfigError} none of them is there, or what is there cannot be used; says which file and what to do
 */
export async function loadConfig(options?: LoadConfigOptions): Promise<ClusterConfig> {
  const found = await import('./find.ts');
  return found.findConfig(options);
}

/**
 * Reads a kubeconfig that is given as text: YAML or JSON, with all data inline. Reads no file.
 * @throws {ConfigError} with line and column where it is not YAML
 */
export async function parseKubeconfig(text: string, selection?: Selection): Promise<ClusterConfig> {
  const found = await import('./find.ts');
  return found.readKubeconfigText(text, selection);
}
