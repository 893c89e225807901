/** Finding the configuration, and reading it. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { parseYaml } from '../yaml/parse.ts';
import { emptyKubeconfig, type Kubeconfig, mergeKubeconfigs, readDocument } from './document.ts';
import type { LoadConfigOptions } from './load.ts';
import { isInCluster, podConfig } from './pod.ts';
import { resolveSelected } from './resolve.ts';
import { type Selection, selectEntries } from './select.ts';
import type { ClusterConfig } from './types.ts';

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

/** See `loadConfig`. */
export async function findConfig(options: LoadConfigOptions = {}): Promise<ClusterConfig> {
  const { paths, required } = candidates(options);
  const found = await Promise.all(paths.map(readKubeconfig));
  const missing = paths.filter((_, index) => found[index] === undefined);
  if (required && missing.length > 0) throw new ConfigError(`there is no kubeconfig ${missing.join(', ')}`);
  const config = mergeKubeconfigs(found.map((one) => one ?? emptyKubeconfig));
  const { env = process.env, namespace } = options;
  if (!required && saysNothing(config) && !selectsSomething(options)) {
    if (isInCluster(env)) return podConfig({ env, namespace });
    throw new ConfigError(
      `no configuration: ${paths.join(', ')} ${missing.length > 0 ? 'is not there' : 'is empty'} and this is not a pod; ` +
        'set KUBECONFIG, or name a kubeconfig file',
    );
  }
  return resolveSelected(selectEntries(config, options, paths.join(', ')), readText);
}

/** See `parseKubeconfig`. */
export async function readKubeconfigText(text: string, selection: Selection = {}): Promise<ClusterConfig> {
  const source = 'the kubeconfig';
  const config = readDocument(await parseYaml(text, source), source, undefined);
  const refuse = (path: string): Promise<string> =>
    Promise.reject(new ConfigError(`${source} names a file: ${path}`));
  return resolveSelected(selectEntries(config, selection, source), refuse);
}
