/**
 * Entry point of configurations; the implementation is loaded on first use, as most programs need it once.
 */
import type { Environment } from './in-cluster.ts';
import type { Kubeconfig } from './kubeconfig/kubeconfig.ts';
import type { KubeconfigSelection } from './kubeconfig/select.ts';
import type { ClusterConfig } from './types.ts';

/** Options that locate a kubeconfig. */
export interface KubeconfigOptions {
  /** Path of the only kubeconfig file, which `loadConfig` requires to exist. */
  readonly kubeconfig?: string | undefined;
  /** Environment variables: `KUBECONFIG`, `HOME` and those of a pod are used. Default: `process.env`. */
  readonly env?: Environment | undefined;
}

/** Options of `loadConfig`: the location of the configuration, and overrides of its values. */
export interface LoadConfigOptions extends KubeconfigSelection, KubeconfigOptions {}

/** Options of `parseKubeconfig`. */
export interface ParseKubeconfigOptions extends KubeconfigSelection {
  /**
   * Whether a user of the kubeconfig may run its `exec` program. Only for strings from a source that may run
   * programs on this machine. Default: false.
   */
  readonly allowExec?: boolean | undefined;
}

/**
 * Finds and reads the configuration: the file `kubeconfig`, or the files that `$KUBECONFIG` lists (of entries
 * with one name, the first applies), or `~/.kube/config`, or the service account of the pod that the process
 * runs in.
 *
 * For a server at `http://`, the credentials of a user are read only if its host is this machine
 * (`localhost`, `127.0.0.0/8`, `::1`); they are then sent over the unencrypted connection. kubectl sends none
 * to any `http://` server. For a proxy on this machine that authenticates by itself, use `anonymous(config)`.
 * @throws {ConfigError} if none of them exists, or the one found is invalid; names the file and the remedy
 * @example
 * ```ts
 * import { loadConfig, RESTClient } from '@kgen/runtime';
 *
 * const config = await loadConfig({ context: 'staging' });
 * const rest = new RESTClient(config);
 * console.log(config.server, await rest.get('/version'));
 * ```
 */
export async function loadConfig(options?: LoadConfigOptions): Promise<ClusterConfig> {
  const found = await import('./kubeconfig/find.ts');
  return found.findConfig(options);
}

/**
 * Parses a kubeconfig from a string: YAML or JSON, with all data inline. Reads no file, and rejects a user
 * with an `exec` program unless `allowExec` is set.
 * @throws {ConfigError} with line and column if it is not YAML
 * @example
 * ```ts
 * import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
 *
 * const config = await parseKubeconfig(process.env['KUBECONFIG_TEXT'] ?? '', { context: 'staging' });
 * console.log(config.server);
 * ```
 */
export async function parseKubeconfig(
  text: string,
  options?: ParseKubeconfigOptions,
): Promise<ClusterConfig> {
  const found = await import('./kubeconfig/find.ts');
  return found.readKubeconfigText(text, options);
}

/**
 * Reads the files of `loadConfig` as an editable kubeconfig. A missing file is empty, also the one named
 * `kubeconfig`: writing creates it.
 * @throws {ConfigError} if a file cannot be read, or is not a kubeconfig; with line and column if it is not
 * YAML
 * @example
 * ```ts
 * import { loadKubeconfig } from '@kgen/runtime/kubeconfig';
 *
 * const kubeconfig = await loadKubeconfig();
 * kubeconfig.useContext('staging');
 * await kubeconfig.write();
 * ```
 */
export async function loadKubeconfig(options?: KubeconfigOptions): Promise<Kubeconfig> {
  const { openKubeconfig } = await import('./editing/open-kubeconfig.ts');
  return openKubeconfig(options);
}
