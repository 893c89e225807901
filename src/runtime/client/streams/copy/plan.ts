/** Plan of a copy to a container, which is made before anything is changed. */
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import type { RemoteLook, RemotePath } from './look.ts';

/** Paths of a copy in the container. */
export interface CopyPlan {
  /** Folder to which the paths are relative. */
  readonly base: string;
  /** Path of the local root. Those below it follow from their names, unless they are in `existing`. */
  readonly root: string;
  /**
   * Paths of the folders that exist, which keep their mode and owner, and of files behind links, by their
   * local paths. They contain no links.
   */
  readonly existing: ReadonlyMap<string, string>;
}

/** Kinds of local files that are copied. */
type LocalKind = 'folder' | 'file' | 'link';

/** Returns the kind of a local file, and `undefined` for one that is not copied. */
export function localKindOf(stats: Stats): LocalKind | undefined {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : undefined;
}

/** A local file or folder that is compared with the container. */
export interface Local {
  readonly path: string;
  readonly kind: LocalKind;
}

/**
 * Compares the local files with the container.
 * @param look a session whose first records are those of the remote path and of its parent
 * @throws {Error} if a file would replace a folder or a special file, or a folder anything else: with each
 * path and its reason
 */
export async function planOf(
  pod: string,
  look: RemoteLook,
  local: Local,
  remotePath: string,
): Promise<CopyPlan> {
  const comparison = new Comparison(pod, look);
  const root = await comparison.root(local, remotePath);
  await comparison.folders();
  const { conflicts } = comparison;
  const more = conflicts.length > 10 ? `; and ${conflicts.length - 10} more` : '';
  if (conflicts.length > 0) throw unchanged(pod, `${conflicts.slice(0, 10).join('; ')}${more}`);
  return { base: '/', root: relative(root), existing: comparison.existing };
}

/** Returns the error of a copy that would damage the container. */
export function unchanged(pod: string, reason: string): Error {
  return new Error(`${pod}: nothing was copied: ${reason}`);
}

function relative(path: string): string {
  return path.replace(/^\//, '');
}

class Comparison {
  readonly conflicts: string[] = [];
  readonly existing: Map<string, string> = new Map();
  readonly #pod: string;
  readonly #look: RemoteLook;
  /** Local folders that exist in the container, and their paths there. */
  readonly #folders: [local: string, remote: string][] = [];

  constructor(pod: string, look: RemoteLook) {
    this.#pod = pod;
    this.#look = look;
  }

  /** Returns the path of the root in the container. A file is copied into a folder that exists. */
  async root(local: Local, remotePath: string): Promise<string> {
    const [present, parent] = [await this.#look.next(), await this.#look.next()];
    if (present.kind !== 'folder') {
      const folder = this.#physicalOf(parent, posix.dirname(remotePath));
      return this.#add(local, present, posix.join(folder, posix.basename(remotePath)));
    }
    const folder = this.#physicalOf(present, remotePath);
    if (local.kind === 'folder') return this.#add(local, present, folder);
    const name = basename(resolve(local.path));
    const [found = present] = await this.#look.namesIn(folder, [name]);
    return this.#add(local, found, posix.join(folder, name));
  }

  /** Compares the content of the folders that exist. */
  async folders(): Promise<void> {
    for (let next = this.#folders.pop(); next !== undefined; next = this.#folders.pop()) {
      const [local, remote] = next;
      const entries = await entriesOf(local);
      const names = entries.map(({ path }) => basename(path));
      const found = await this.#look.namesIn(remote, names);
      for (const [index, entry] of entries.entries()) {
        const present = found[index];
        if (present !== undefined) this.#add(entry, present, posix.join(remote, basename(entry.path)));
      }
    }
  }

  #add({ path: local, kind }: Local, present: RemotePath, path: string): string {
    const conflict = conflictOf(kind, present);
    const physical = present.physical ?? path;
    if (conflict !== undefined) this.conflicts.push(`${path} ${conflict}`);
    else if (kind === 'folder' && present.kind === 'folder') {
      this.existing.set(local, relative(physical));
      this.#folders.push([local, physical]);
    } else if (kind === 'file' && present.isLink) this.existing.set(local, relative(physical));
    return path;
  }

  #physicalOf({ kind, physical }: RemotePath, path: string): string {
    if (kind !== 'folder') throw unchanged(this.#pod, `the container has no folder ${path}`);
    if (physical === undefined) throw unchanged(this.#pod, `the folder ${path} cannot be entered`);
    return physical;
  }
}

async function entriesOf(folder: string): Promise<readonly Local[]> {
  const entries: Local[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const kind = localKindOf(await lstat(path));
    if (kind !== undefined) entries.push({ path, kind });
  }
  return entries;
}

/** Returns why a local file cannot be copied to a path. Files and links replace each other, as in `tar`. */
function conflictOf(local: LocalKind, { kind, isLink, physical }: RemotePath): string | undefined {
  if (kind === 'absent' || (local === 'link' && isLink)) return undefined;
  if (local === 'folder' && kind !== 'folder') return 'exists and is not a folder';
  if (local !== 'folder' && kind === 'folder') return 'is a folder';
  if (kind === 'special file' || kind === 'dangling link') return `is a ${kind}`;
  return isLink && physical === undefined ? 'is a link that cannot be resolved' : undefined;
}
