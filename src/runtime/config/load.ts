/** Finding the configuration. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { emptyKubeconfig, type Kubeconfig, mergeKubeconfigs, readDocument } from './document.ts';
import { type Environment, inClusterConfig, isInCluster } from './in-cluster.ts';
import { resolveSelected } from './resolve.ts';
import { type Selection, selectEntries } from './select.ts';
import type { ClusterConfig } from './types.ts';
import { parseYaml } from './yaml.ts';

/** Options of `loadConfig`: where to look, and what to take instead of what is said there. */
export interface LoadConfigOptions extends Selection {
  /** Path of a kubeconfig file, which then has to exist and is the only one. */
  kubeconfig?: string | undefined;
  /** Default: `process.env`. `KUBECONFIG`, `HOME` and the variables of a pod are looked at. */
  env?: Environment | undefined;
}

/** What a file has; `undefined` where there is none. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`cannot read the kubeconfig ${path} (${String(code)})`, { cause });
  }
}

async function readKubeconfig(path: string): Promise<Kubeconfig | undefined> {
  const text = await readIfThere(path);
  return text === undefined ? undefined : readDocument(await parseYaml(text, path), path, path);
}

/** The files that are meant, and whether they have to be there. */
function candidates({ kubeconfig, env = process.env }: LoadConfigOptions): {
  paths: string[];
  required: boolean;
} {
  if (kubeconfig !== undefined) return { paths: [resolve(kubeconfig)], required: true };
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return { paths: [...new Set(listed.map((path) => resolve(path)))], required: false };
  return { paths: [join(env['HOME'] || homedir(), '.kube', 'config')], required: false };
}

function saysNothing(config: Kubeconfig): boolean {
  return config.clusters.size === 0 && config.users.size === 0 && config.contexts.size === 0;
}

function selectsSomething({ context, cluster, user }: Selection): boolean {
  return Boolean(context || cluster || user);
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

/**
 * Finds and reads the configuration: the file `kubeconfig`, or the files that `$KUBECONFIG` lists (of entries with one
 * name the first holds), or `~/.kube/config`, or the service account of the pod that this runs in.
 * @throws {ConfigError} none of them is there, or what is there cannot be used; says which file and what to do
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<ClusterConfig> {
  const { paths, required } = candidates(options);
  const found = await Promise.all(paths.map(readKubeconfig));
  const missing = paths.filter((_, index) => found[index] === undefined);
  if (required && missing.length > 0) throw new ConfigError(`there is no kubeconfig ${missing.join(', ')}`);
  const config = mergeKubeconfigs(found.map((one) => one ?? emptyKubeconfig));
  const { env = process.env, namespace } = options;
  if (!required && saysNothing(config) && !selectsSomething(options)) {
    if (isInCluster(env)) return inClusterConfig({ env, namespace });
    throw new ConfigError(
      `no configuration: ${paths.join(', ')} ${missing.length > 0 ? 'is not there' : 'is empty'} and this is not a pod; ` +
        'set KUBECONFIG, or pass { kubeconfig }',
    );
  }
  return resolveSelected(selectEntries(config, options, paths.join(', ')), readText);
}

/**
 * Reads a kubeconfig that is given as text: YAML or JSON, with all data inline. Reads no file.
 * @throws {ConfigError} with line and column where it is not YAML
 */
export async function parseKubeconfig(text: string, selection: Selection = {}): Promise<ClusterConfig> {
  const source = 'the kubeconfig';
  const config = readDocument(await parseYaml(text, source), source, undefined);
  const refuse = (path: string): Promise<string> =>
    Promise.reject(new ConfigError(`${source} names a file: ${path}`));
  return resolveSelected(selectEntries(config, selection, source), refuse);
}
