/**
 * Answers on the disk, in the files and folders that kubectl has: `<server>/servergroups.json` and
 * `<server>/<group>/<version>/serverresources.json`. Either program may read what the other wrote.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../callbacks.ts';
import { decodeJson } from '../codec/json.ts';
import { getting } from './ask.ts';
import { parseGroups, parseResourceList } from './legacy.ts';
import { groupVersionOf } from './names.ts';
import type { Store, StoreOptions } from './parts.ts';
import type { APIGroup, APIResource, APIResourceList } from './types.ts';

/** Bytes of a file that are read: a hundred times what large clusters have. */
const maxBytes = 256 * 1024 * 1024;
/** Milliseconds by which a file may be newer than now. */
const clockSkewMs = 60_000;

/** The folder of a server, as kubectl names it; a part that leads elsewhere loses its meaning. */
export function serverFolder(server: string): string {
  const plain = server
    .replace('https://', '')
    .replace('http://', '')
    .replaceAll(/[^(\w/.]/g, '_');
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '.' : join(parts.map((part) => (part === '..' ? '_' : part)).join('/'));
}

/** The groups as JSON that kubectl reads. */
function groupListJson(groups: readonly APIGroup[]): string {
  const none = { groupVersion: '', version: '' };
  const items = groups.map(({ name, versions, preferredVersion = none }) => ({
    name,
    versions,
    preferredVersion,
  }));
  return `${JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups: items })}\n`;
}

/** Go leaves empty lists of names out. */
function resourceJson(resource: APIResource): object {
  const { shortNames, categories, ...rest } = resource;
  return {
    ...rest,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
}

function resourceListJson({ groupVersion, resources }: APIResourceList): string {
  const items = resources.map(resourceJson);
  const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: items };
  return `${JSON.stringify(list)}\n`;
}

/** Writes a file at once or not at all. */
async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 });
  const part = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600 });
    await chmod(part, 0o660);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** The store of one server. */
export class DiskStore implements Store {
  readonly #folder: string;
  readonly #ttlMs: number;
  #warned = false;

  constructor({ folder, server, ttlMs }: StoreOptions) {
    this.#folder = resolve(folder, serverFolder(server));
    this.#ttlMs = ttlMs;
  }

  async groups(): Promise<{ readonly groups: readonly APIGroup[]; readonly fetchedAt: number } | undefined> {
    return this.#read(this.#groupsPath(), (value, fetchedAt) => {
      const groups = parseGroups(value, getting('/apis'));
      return groups.length === 0 ? undefined : { groups, fetchedAt };
    });
  }

  async list(groupVersion: string): Promise<APIResourceList | undefined> {
    const path = this.#listPath(groupVersion);
    if (path === undefined) return undefined;
    return this.#read(path, (value) => {
      const list = parseResourceList(value, groupVersion, getting(`/apis/${groupVersion}`));
      return list.resources.length === 0 ? undefined : list;
    });
  }

  /** What is empty is not kept: kubectl takes it for broken. */
  async save(groups: readonly APIGroup[] | undefined, lists: Iterable<APIResourceList>): Promise<void> {
    try {
      for (const list of lists) {
        const path = this.#listPath(list.groupVersion);
        if (path !== undefined && list.resources.length > 0) await replaceFile(path, resourceListJson(list));
      }
      if (groups !== undefined && groups.length > 0) {
        await replaceFile(this.#groupsPath(), groupListJson(groups));
      }
    } catch (error) {
      this.#warn(error);
    }
  }

  #groupsPath(): string {
    return join(this.#folder, 'servergroups.json');
  }

  /** The name is the server's: only one that is fit makes a path. */
  #listPath(groupVersion: string): string | undefined {
    const known = groupVersionOf(groupVersion);
    return known && join(this.#folder, known.group, known.version, 'serverresources.json');
  }

  /** Undefined for what is absent, too old or of another time, unreadable, or something else. */
  async #read<T>(path: string, parse: (value: unknown, fetchedAt: number) => T): Promise<T | undefined> {
    try {
      const found = await stat(path);
      const { mtimeMs, size } = found;
      const ageMs = Date.now() - mtimeMs;
      // A clock may be a little off between machines that share a folder. Reading anything but a file may never end.
      if (ageMs < -clockSkewMs || ageMs > this.#ttlMs || !found.isFile() || size > maxBytes) return undefined;
      return parse(decodeJson(await readFile(path), getting(path)), mtimeMs);
    } catch {
      // The server is asked instead, and what it says replaces the file.
      return undefined;
    }
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(`discovery is not kept in ${this.#folder}: ${messageOf(error)}`, 'DiscoveryWarning');
  }
}
