/** Files that a container reads and writes: those of its volumes, and its own. */

import { array, type Json, type JsonObject, object, own, text } from '@kgen/schema/values/json';
import type { Cluster } from '../../cluster.ts';
import type { ContainerFile } from '../programs.ts';
import { expanded } from './environment.ts';
import { volumeFiles } from './volumes.ts';

/** Written files by path. */
export type WrittenFiles = Map<string, ContainerFile>;

interface Mount {
  readonly path: string;
  readonly volume: Json;
  /** Folder of the volume that is mounted. */
  readonly folder: string;
}

/** Files of one container. Files in volumes are those of the pod, so that its containers share them. */
export class FileSystem {
  readonly #cluster: () => Cluster;
  readonly #pod: () => JsonObject;
  readonly #mounts: readonly Mount[];
  readonly #shared: WrittenFiles;
  readonly #own: WrittenFiles = new Map();

  constructor(
    cluster: () => Cluster,
    pod: () => JsonObject,
    container: Json,
    env: Readonly<Record<string, string>>,
    shared: WrittenFiles,
  ) {
    this.#cluster = cluster;
    this.#pod = pod;
    this.#shared = shared;
    this.#mounts = mountsOf(pod(), container, env);
  }

  read(path: string): ContainerFile | undefined {
    return this.#all().get(path);
  }

  list(prefix: string): readonly string[] {
    return [...this.#all().keys()].filter((path) => path.startsWith(prefix)).sort();
  }

  write(path: string, content: string | undefined, mode = 0o644): void {
    const mount = this.#mounts.find((each) => isWithin(path, each.path));
    const files = mount === undefined ? this.#own : this.#shared;
    const key = mount === undefined ? path : sharedKey(mount, path.slice(mount.path.length));
    if (content === undefined) files.delete(key);
    else files.set(key, { content, mode });
  }

  #all(): WrittenFiles {
    const files: WrittenFiles = new Map(this.#own);
    for (const mount of [...this.#mounts].reverse()) {
      const { path, volume, folder } = mount;
      for (const [name, file] of Object.entries(volumeFiles(this.#cluster(), this.#pod(), volume))) {
        if (folder === '') files.set(`${path}/${name}`, file);
        else if (name === folder) files.set(path, file);
        else if (name.startsWith(`${folder}/`)) files.set(`${path}${name.slice(folder.length)}`, file);
      }
      const prefix = sharedKey(mount, '');
      for (const [key, file] of this.#shared)
        if (isWithin(key, prefix)) files.set(path + key.slice(prefix.length), file);
    }
    return files;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function sharedKey({ volume, folder }: Mount, rest: string): string {
  return `${text(volume, 'name')}${folder === '' ? '' : `/${folder}`}${rest}`;
}

/** Returns the mounts, those with the longest path first. */
function mountsOf(pod: JsonObject, container: Json, env: Readonly<Record<string, string>>): readonly Mount[] {
  const volumes = array(pod, 'spec', 'volumes');
  return array(container, 'volumeMounts')
    .map((mount) => ({
      path: text(mount, 'mountPath').replace(/(?<=^\/|[^/])\/+$/, ''),
      volume: volumes.find((each) => text(each, 'name') === text(mount, 'name')) ?? null,
      folder: subPathOf(mount, env),
    }))
    .sort((a, b) => b.path.length - a.path.length);
}

function subPathOf(mount: Json, env: Readonly<Record<string, string>>): string {
  const expression = text(mount, 'subPathExpr');
  return expression === '' ? text(mount, 'subPath') : expanded(expression, env);
}

/** Returns the message for a sub-path that would leave its volume, or that refers to an unknown variable. */
export function subPathProblem(container: Json, env: Readonly<Record<string, string>>): string | undefined {
  for (const mount of array(container, 'volumeMounts')) {
    if (own(object(mount), 'subPathExpr') === undefined) continue;
    const path = subPathOf(mount, env);
    if (path.startsWith('/')) return `${path}: subPath must not be absolute`;
    if (path.split('/').includes('..')) return `${path}: subPath must not contain '..'`;
    if (/\$\(|`/.test(path)) return `failed to prepare subPath for volumeMount "${text(mount, 'name')}"`;
  }
  return undefined;
}
