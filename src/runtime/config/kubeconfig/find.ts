/** Search for the configuration. */
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../api/errors.ts';
import { editYaml } from '../../yaml/edit.ts';
import { contentsOf } from '../editing/change.ts';
import type { LoadConfigOptions, ParseKubeconfigOptions } from '../load.ts';
import { isInCluster, podConfig } from '../pod.ts';
import type { ClusterConfig } from '../types.ts';
import { type Contents, readDocument } from './document.ts';
import { kubeconfigPaths, openKubeconfigFile } from './files.ts';
import { resolveSelected } from './resolve.ts';
import { type KubeconfigSelection, selectEntries } from './select.ts';

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

/** Returns the selected configuration; reads the files that it names. */
export function configOf(
  contents: Contents,
  selection: KubeconfigSelection,
  source: string,
): Promise<ClusterConfig> {
  return resolveSelected(selectEntries(contents, selection, source), { read: readText, allowExec: true });
}

/** Implements `loadConfig`. */
export async function findConfig(options: LoadConfigOptions = {}): Promise<ClusterConfig> {
  const { paths, required } = kubeconfigPaths(options);
  const files = await Promise.all(paths.map(openKubeconfigFile));
  const missing = files.filter(({ exists }) => !exists).map(({ path }) => path);
  if (required && missing.length > 0) throw new ConfigError(`kubeconfig ${missing.join(', ')} not found`);
  const contents = contentsOf(files);
  const { env = process.env, namespace } = options;
  if (!required && isEmptyConfig(contents) && !selectsSomething(options)) {
    if (isInCluster(env)) return podConfig({ env, namespace });
    throw new ConfigError(
      `no configuration: ${paths.join(', ')} ${missing.length > 0 ? 'does not exist' : 'has no clusters, contexts or users'} and this is not a pod; ` +
        'set KUBECONFIG, or name a kubeconfig file',
    );
  }
  return configOf(contents, options, paths.join(', '));
}

function selectsSomething({ context, cluster, user }: KubeconfigSelection): boolean {
  return Boolean(context || cluster || user);
}

function isEmptyConfig(config: Contents): boolean {
  return config.clusters.size === 0 && config.users.size === 0 && config.contexts.size === 0;
}

/** Implements `parseKubeconfig`. */
export async function readKubeconfigText(
  text: string,
  options: ParseKubeconfigOptions = {},
): Promise<ClusterConfig> {
  const source = 'the kubeconfig';
  const document = await editYaml(text, source);
  const contents = readDocument(document.read(), source, undefined);
  const read = (path: string): Promise<string> =>
    Promise.reject(new ConfigError(`${source} names a file: ${path}`));
  const { allowExec = false } = options;
  return resolveSelected(selectEntries(contents, options, source), { read, allowExec });
}
