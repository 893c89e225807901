/** The way to the configuration. What reads it is loaded when it is first asked for: most programs need it once. */
import type { Environment } from './in-cluster.ts';
import type { Kubeconfig } from './kubeconfig.ts';
import type { Selection } from './select.ts';
import type { ClusterConfig } from './types.ts';

/** Where to look for a kubeconfig. */
export interface KubeconfigOptions {
  /** Path of a kubeconfig file, which then has to exist and is the only one. */
  readonly kubeconfig?: string | undefined;
  /** Default: `process.env`. `KUBECONFIG`, `HOME` and the variables of a pod are looked at. */
  readonly env?: Environment | undefined;
}

/** Options of `loadConfig`: where to look, and what to take instead of what is said there. */
export interface LoadConfigOptions extends Selection, KubeconfigOptions {}

/** Options of `parseKubeconfig`. */
export interface ParseKubeconfigOptions extends Selection {
  /**
   * Whether a user of the kubeconfig may run its `exec` program. Only for texts from somebody whom you would let run
   * programs here. Default false.
   */
  readonly allowExec?: boolean | undefined;
}

/**
 * Finds and reads the configuration: the file `kubeconfig`, or the files that `$KUBECONFIG` lists (of entries with one
 * name the first holds), or `~/.kube/config`, or the service account of the pod that this runs in.
 *
 * For a server at `http://`, the credentials of a user are read only where its host is this machine (`localhost`,
 * `127.0.0.0/8`, `::1`); they are then sent over the unencrypted connection. kubectl sends none to any `http://` server.
 * For a proxy on this machine that authenticates by itself, use `anonymous(config)`.
 * @throws {ConfigError} none of them is there, or what is there cannot be used; says which file and what to do
 */
export async function loadConfig(options?: LoadConfigOptions): Promise<ClusterConfig> {
  const found = await import('./find.ts');
  return found.findConfig(options);
}

/**
 * Reads a kubeconfig that is given as text: YAML or JSON, with all data inline. Reads no file, and refuses a user with an
 * `exec` program unless that is allowed.
 * @throws {ConfigError} with line and column where it is not YAML
 */
export async function parseKubeconfig(
  text: string,
  options?: ParseKubeconfigOptions,
): Promise<ClusterConfig> {
  const found = await import('./find.ts');
  return found.readKubeconfigText(text, options);
}

/**
 * Reads the same files as `loadConfig`, as data that can be changed and written back. A file that is not there holds
 * nothing, also the one named `kubeconfig`: writing makes it.
 * @throws {ConfigError} a file cannot be read, or is no kubeconfig; with line and column where it is not YAML
 */
export async function loadKubeconfig(options?: KubeconfigOptions): Promise<Kubeconfig> {
  const { openKubeconfig } = await import('./open-kubeconfig.ts');
  return openKubeconfig(options);
}
