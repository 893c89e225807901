/**
 * Stored discovery responses, in the files and folders of kubectl: `<server>/servergroups.json` and
 * `<server>/<group>/<version>/serverresources.json`. kgen and kubectl can read each other's files.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { decodeJson } from '../../codec/json.ts';
import { messageOf } from '../../common/callbacks.ts';
import type { APIGroup, APIResource, APIResourceList } from '../types.ts';
import { getting } from './discovery-request.ts';
import { parseGroups, parseResourceList } from './legacy.ts';
import { groupVersionOf } from './names.ts';
import type { Store, StoreOptions } from './source-types.ts';

/** Maximum size of a file in bytes: a hundred times that of large clusters. */
const maxBytes = 256 * 1024 * 1024;
/** Tolerance for modification times in the future, in milliseconds. */
const clockSkewMs = 60_000;

/** Returns the folder of a server as named by kubectl. Path segments that lead elsewhere are neutralised. */
export function serverFolder(server: string): string {
  const plain = server
    .replace('https://', '')
    .replace('http://', '')
    .replaceAll(/[^(\w/.]/g, '_');
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '.' : join(parts.map((part) => (part === '..' ? '_' : part)).join('/'));
}

/** The stored responses of one server. */
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

  /** Empty lists are not stored, because kubectl treats them as corrupt. */
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

  /** The name comes from the server, so only a valid one becomes part of a path. */
  #listPath(groupVersion: string): string | undefined {
    const known = groupVersionOf(groupVersion);
    return known && join(this.#folder, known.group, known.version, 'serverresources.json');
  }

  /** Returns `undefined` for a file that is missing, expired, unreadable or invalid. */
  async #read<T>(path: string, parse: (value: unknown, fetchedAt: number) => T): Promise<T | undefined> {
    try {
      const found = await stat(path);
      const { mtimeMs, size } = found;
      const ageMs = Date.now() - mtimeMs;
      // The clocks of machines that share a folder may differ. Reading something other than a regular file
      // might never end.
      if (ageMs < -clockSkewMs || ageMs > this.#ttlMs || !found.isFile() || size > maxBytes) return undefined;
      return parse(decodeJson(await readFile(path), getting(path)), mtimeMs);
    } catch {
      // The server is requested instead, and its response replaces the file.
      return undefined;
    }
  }

  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(
      `discovery is not cached in ${this.#folder}: ${messageOf(error)}`,
      'DiscoveryWarning',
    );
  }
}

/** Writes a file atomically. */
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

function resourceListJson({ groupVersion, resources }: APIResourceList): string {
  const items = resources.map(resourceJson);
  const list = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: items };
  return `${JSON.stringify(list)}\n`;
}

/** Go omits empty lists of names. */
function resourceJson(resource: APIResource): object {
  const { shortNames, categories, ...rest } = resource;
  return {
    ...rest,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
  };
}

/** Returns the groups as JSON that kubectl reads. */
function groupListJson(groups: readonly APIGroup[]): string {
  const none = { groupVersion: '', version: '' };
  const items = groups.map(({ name, versions, preferredVersion = none }) => ({
    name,
    versions,
    preferredVersion,
  }));
  return `${JSON.stringify({ kind: 'APIGroupList', apiVersion: 'v1', groups: items })}\n`;
}
