/** Kubeconfig files: their paths and contents. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { ConfigError } from '../../api/errors.ts';
import { codeIn, errorCodeOf } from '../../common/error-code.ts';
import { editYaml, type YamlEditor } from '../../yaml/edit.ts';
import type { KubeconfigOptions } from '../load.ts';

/**
 * Returns the absolute paths of the files, and whether they must exist.
 * @throws {ConfigError} if the path of the options is empty: usually a variable that is not set, rather than
 * a request for the default
 */
export function kubeconfigPaths({ kubeconfig, env = process.env }: KubeconfigOptions): {
  readonly paths: readonly string[];
  readonly required: boolean;
} {
  if (kubeconfig === '') {
    throw new ConfigError(
      'the path of the kubeconfig is empty; omit it to use $KUBECONFIG or ~/.kube/config',
    );
  }
  if (kubeconfig !== undefined) return { paths: [resolve(kubeconfig)], required: true };
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return { paths: [...new Set(listed.map((path) => resolve(path)))], required: false };
  return { paths: [join(env['HOME'] || homedir(), '.kube', 'config')], required: false };
}

/**
 * Returns the content of a file; `undefined` if it does not exist.
 * @throws {ConfigError} if it exists and cannot be read
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = errorCodeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`cannot read the kubeconfig ${path}${codeIn(cause)}`, { cause });
  }
}

/** One file of a kubeconfig, open for changes. */
export interface KubeconfigFile {
  readonly path: string;
  /** Whether the file exists already. */
  readonly exists: boolean;
  readonly document: YamlEditor;
}

/** Initial content of a new kubeconfig. */
const empty = 'apiVersion: v1\nkind: Config\n';

/** @throws {ConfigError} if the file cannot be read, or is not YAML; with line and column */
export async function openKubeconfigFile(path: string): Promise<KubeconfigFile> {
  const text = await readIfThere(path);
  return { path, exists: text !== undefined, document: await editYaml(text ?? empty, path) };
}
