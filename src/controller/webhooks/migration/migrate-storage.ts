/** Storage migration of custom resources: every object is written again in the storage version. */
import {
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isExpired,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type RESTClient,
  type RequestOptions,
  retryOnConflict,
} from '@kgen/runtime';
import { isText, listAt, memberAt } from '../../members.ts';
import {
  definitionPath,
  type MigratedDefinition,
  progressCondition,
  readDefinition,
  savedToken,
  withCondition,
} from './stored-versions.ts';

/** Options of `migrateStorage`. */
export interface StorageMigrationOptions extends Pick<RequestOptions, 'signal' | 'headers' | 'impersonate'> {
  /** Objects per page. Default: 500. */
  readonly pageSize?: number | undefined;
  /** Maximum number of writes per second. Default: 100. */
  readonly writesPerSecond?: number | undefined;
  /**
   * Delay before the first write, in milliseconds, in which all API servers begin to use the storage version:
   * one that has not yet would write the previous version. Default: 10,000.
   */
  readonly settleMs?: number | undefined;
  /** Whether nothing is written, and the objects are only counted. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Called with each step, in order. Default: none. */
  readonly onProgress?: ((progress: StorageMigrationProgress) => void) | undefined;
}

/** A step of a storage migration. */
export interface StorageMigrationProgress {
  /**
   * - `migrating`: a pass over all objects begins.
   * - `resumed`: it begins where an interrupted migration has ended.
   * - `server`: the StorageVersionMigration of the server is used.
   * - `page`: the objects of a page are written.
   * - `restarted`: the definition has changed meanwhile, so that another pass is necessary.
   */
  readonly step: 'migrating' | 'resumed' | 'server' | 'page' | 'restarted';
  /** Storage version of the definition. */
  readonly version: string;
  /** Objects that are written in this pass. */
  readonly written: number;
  /** Objects that are left; `undefined` if the server does not count them. */
  readonly left?: number | undefined;
}

/** Result of `migrateStorage`. */
export interface StorageMigrationResult {
  /** Name of the definition, such as `redisclusters.cache.example.com`. */
  readonly definition: string;
  readonly storageVersion: string;
  /** Versions that were removed from `status.storedVersions`; with `dryRun`, those that would be. */
  readonly removed: readonly string[];
  /** Number of objects that were written, with `dryRun` of those that would be, deleted ones included. */
  readonly written: number;
  /** Passes that were repeated, because the definition had changed. */
  readonly restarts: number;
}

/** An object that cannot be written. */
export interface StorageMigrationFailure {
  /** Object, as `namespace/name` or `name`. */
  readonly object: string;
  readonly error: Error;
}

/** Thrown for objects that the server refuses to write: no version is removed from `storedVersions`. */
export class StorageMigrationError extends Error {
  override readonly name = 'StorageMigrationError';
  /** At most 100; with as many, the migration has ended early. */
  readonly failures: readonly StorageMigrationFailure[];

  constructor(definition: string, failures: readonly StorageMigrationFailure[]) {
    const shown = failures.slice(0, 5).map(({ object, error }) => `${object}: ${error.message}`);
    const more = failures.length > 5 ? ` and ${failures.length - 5} more` : '';
    super(
      `migrate ${definition}: ${failures.length} objects cannot be written, so that their old versions stay in use: correct or delete them, and run it again: ${shown.join('; ')}${more}`,
    );
    this.failures = failures;
  }
}

const fieldManager = 'kgen-storage-migration';
const maxFailures = 100;
/** Concurrent writes. */
const atOnce = 8;
const metadataOnly = (kind: string): string =>
  `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`;

/**
 * Writes all objects of a custom resource again in the storage version of its definition, and removes the
 * other versions from `status.storedVersions`, so that they can be removed from the definition.
 *
 * Each object is written by an empty merge patch, which the server applies to the present object: no
 * concurrent change is lost, and an object that has the storage version already is not stored again. After an
 * interruption, another call continues with the page at which the first one has ended: a condition of the
 * definition, `kgen.dev/StorageMigration`, contains it. If the definition is changed meanwhile, all objects
 * are written once more. A server with `storagemigration.k8s.io/v1beta1` migrates the objects itself.
 *
 * Requires `list` and `patch` of the resource, `get` of `customresourcedefinitions`, and `patch` of
 * `customresourcedefinitions/status`.
 * @throws {StorageMigrationError} if the server refuses to write objects, such as invalid ones
 * @throws {ApiError} `isNotFound` without the definition
 * @throws {RangeError} if options are out of range
 * @throws {DecodeError} for a definition without a served or stored version
 * @example
 * ```ts
 * import { migrateStorage } from '@kgen/controller/webhooks';
 * import { loadConfig, RESTClient } from '@kgen/runtime';
 *
 * const crontabs = { group: 'stable.example.com', plural: 'crontabs' };
 * const rest = new RESTClient(await loadConfig());
 * const { written, removed } = await migrateStorage(rest, crontabs, { onProgress: console.log });
 * console.log(`${written} objects, no longer stored as ${removed}`);
 * ```
 */
export async function migrateStorage(
  rest: RESTClient,
  resource: { readonly group: string; readonly plural: string },
  options: StorageMigrationOptions = {},
): Promise<StorageMigrationResult> {
  const { pageSize = 500, writesPerSecond = 100, settleMs = 10_000 } = options;
  if (!Number.isInteger(pageSize) || pageSize < 1)
    throw new RangeError(`migrateStorage: pageSize must be an integer >= 1, got ${pageSize}`);
  if (!(writesPerSecond > 0))
    throw new RangeError(`migrateStorage: writesPerSecond must be > 0, got ${writesPerSecond}`);
  if (!(settleMs >= 0)) throw new RangeError(`migrateStorage: settleMs must be >= 0, got ${settleMs}`);
  const name = `${resource.plural}.${resource.group}`;
  return new Migration(rest, name, { ...options, pageSize, writesPerSecond, settleMs }).run();
}

interface Limits {
  readonly pageSize: number;
  readonly writesPerSecond: number;
  readonly settleMs: number;
}

class Migration {
  readonly #rest: RESTClient;
  readonly #name: string;
  readonly #options: StorageMigrationOptions & Limits;
  readonly #request: RequestOptions;
  #failures: StorageMigrationFailure[] = [];
  #written = 0;
  /** Time of the next write, in milliseconds of `performance.now()`. */
  #nextMs = 0;

  constructor(rest: RESTClient, name: string, options: StorageMigrationOptions & Limits) {
    this.#rest = rest;
    this.#name = name;
    this.#options = options;
    const { signal, headers, impersonate } = options;
    this.#request = { signal, headers, impersonate };
  }

  async run(): Promise<StorageMigrationResult> {
    for (let restarts = 0; ; restarts += 1) {
      const definition = await this.#definition();
      const { storage, stored } = definition;
      const removed = stored.filter((version) => version !== storage);
      const result = { definition: this.#name, storageVersion: storage, removed, restarts };
      this.#written = 0;
      if (removed.length === 0) return { ...result, written: 0 };
      if (this.#options.dryRun) return { ...result, written: await this.#count(definition) };
      if (!(await this.#migratedByServer(definition))) await this.#writeAll(definition);
      if (await this.#complete(definition)) return { ...result, written: this.#written };
      this.#report('restarted', definition);
    }
  }

  async #definition(): Promise<MigratedDefinition> {
    return readDefinition(await this.#rest.get(definitionPath(this.#name), this.#request));
  }

  async #count(definition: MigratedDefinition): Promise<number> {
    let count = 0;
    await this.#pages(definition, undefined, async (objects) => {
      count += objects.length;
    });
    return count;
  }

  async #writeAll(definition: MigratedDefinition): Promise<void> {
    const token = savedToken(definition);
    this.#failures = [];
    this.#report(token === undefined ? 'migrating' : 'resumed', definition);
    await sleep(this.#options.settleMs, this.#options.signal);
    await this.#pages(definition, token, async (objects, next, left) => {
      const rest = objects.values();
      let hasFailed = false;
      const write = async (): Promise<void> => {
        for (const object of rest) {
          if (hasFailed) return;
          await this.#write(definition, object).catch((error: unknown) => {
            hasFailed = true;
            throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, write));
      this.#report('page', definition, left);
      if (this.#failures.length >= maxFailures) throw new StorageMigrationError(this.#name, this.#failures);
      // Another migration would skip the objects that have failed.
      if (next !== undefined && this.#failures.length === 0) await this.#save(definition, next);
    });
    if (this.#failures.length > 0) throw new StorageMigrationError(this.#name, this.#failures);
  }

  /** Calls `use` with the objects of each page, the token of the next one, and the number of objects left. */
  async #pages(
    definition: MigratedDefinition,
    from: string | undefined,
    use: (objects: readonly unknown[], next: string | undefined, left: number | undefined) => Promise<void>,
  ): Promise<void> {
    for (let token = from, isFirst = true; isFirst || token !== undefined; isFirst = false) {
      const page = await this.#page(definition, token);
      const next = memberAt(page, 'metadata', 'continue');
      const left = memberAt(page, 'metadata', 'remainingItemCount');
      token = isText(next) ? next : undefined;
      await use(listAt(page, 'items'), token, typeof left === 'number' ? left : token ? undefined : 0);
    }
  }

  /** Continues in a newer state if the server no longer has that of the token; otherwise from the start. */
  async #page(definition: MigratedDefinition, token: string | undefined): Promise<unknown> {
    const path = objectsPath(definition);
    const headers = { accept: metadataOnly('PartialObjectMetadataList'), ...this.#request.headers };
    const list = (from: string | undefined): Promise<unknown> => {
      const query = { limit: this.#options.pageSize, continue: from };
      return this.#rest.get(path, { ...this.#request, headers, query });
    };
    try {
      return await list(token);
    } catch (error) {
      if (token === undefined || !(isExpired(error) || isBadRequest(error))) throw error;
      const offered = isApiError(error) && isExpired(error) ? error.status.metadata?.continue : undefined;
      return list(offered || undefined);
    }
  }

  async #write(definition: MigratedDefinition, object: unknown): Promise<void> {
    if (this.#failures.length >= maxFailures) return;
    await this.#turn();
    const [namespace, name] = [
      memberAt(object, 'metadata', 'namespace'),
      memberAt(object, 'metadata', 'name'),
    ];
    const target = { ...(isText(namespace) && { namespace }), name: `${name}` };
    const path = `${objectsPath(definition, target.namespace)}/${encodeURIComponent(target.name)}`;
    const headers = { accept: metadataOnly('PartialObjectMetadata'), ...this.#request.headers };
    const patch = (): Promise<unknown> =>
      this.#rest.patch(path, { ...this.#request, headers, query: { fieldManager }, body: {} });
    try {
      await retryOnConflict(patch, { factor: 3, signal: this.#options.signal });
    } catch (error) {
      if (!isApiError(error) || isUnauthorized(error)) throw error;
      if (!isNotFound(error)) this.#failures.push({ object: Object.values(target).join('/'), error });
    }
    this.#written += 1;
  }

  /** Waits until another write is within the rate. */
  async #turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextMs);
    this.#nextMs = at + 1000 / this.#options.writesPerSecond;
    if (at > now) await sleep(at - now, this.#options.signal);
    this.#options.signal?.throwIfAborted();
  }

  /** Stores the token of the next page in the definition. */
  async #save(definition: MigratedDefinition, token: string): Promise<void> {
    await this.#changeStatus(definition, (present) => ({
      conditions: withCondition(present, progressCondition(definition, token)),
    }));
  }

  /** Removes the old versions, and returns whether the definition was unchanged since the pass began. */
  async #complete(definition: MigratedDefinition): Promise<boolean> {
    return this.#changeStatus(definition, (present) => ({
      storedVersions: [definition.storage],
      conditions: withCondition(present, undefined),
    }));
  }

  /** Changes the status of the definition, unless its specification has changed since the pass began. */
  async #changeStatus(
    definition: MigratedDefinition,
    change: (present: MigratedDefinition) => object,
  ): Promise<boolean> {
    return retryOnConflict(
      async () => {
        const present = await this.#definition();
        if (present.uid !== definition.uid || present.generation !== definition.generation) return false;
        const { resourceVersion } = present;
        const body = { metadata: { resourceVersion }, status: change(present) };
        const query = { fieldManager };
        await this.#rest.patch(`${definitionPath(this.#name)}/status`, { ...this.#request, query, body });
        return true;
      },
      { signal: this.#options.signal },
    );
  }

  /** Returns whether the server has migrated the objects. */
  async #migratedByServer(definition: MigratedDefinition): Promise<boolean> {
    const { group, plural, generation } = definition;
    const name = `${plural}.${group}-${generation}`;
    const path = '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations';
    const body = {
      apiVersion: 'storagemigration.k8s.io/v1beta1',
      kind: 'StorageVersionMigration',
      metadata: { name },
      spec: { resource: { group, resource: plural } },
    };
    try {
      await this.#rest.post(path, { ...this.#request, body });
    } catch (error) {
      if (isNotFound(error) || isForbidden(error)) return false;
      if (!isAlreadyExists(error)) throw error;
    }
    this.#report('server', definition);
    return this.#followServer(`${path}/${encodeURIComponent(name)}`);
  }

  /** Waits for the end of a StorageVersionMigration. One that does not begin is deleted. */
  async #followServer(path: string): Promise<boolean> {
    for (let polls = 0; ; polls += 1) {
      const migration = await this.#rest.get(path, this.#request);
      const has = (type: string): boolean =>
        listAt(migration, 'status', 'conditions').some(
          (each) => memberAt(each, 'type') === type && memberAt(each, 'status') === 'True',
        );
      if (has('Succeeded')) return true;
      if (has('Failed')) return false;
      if (polls >= beginPolls && !has('Running')) {
        await this.#rest.delete(path, this.#request);
        return false;
      }
      await sleep(pollMs, this.#options.signal);
    }
  }

  #report(
    step: StorageMigrationProgress['step'],
    { storage }: MigratedDefinition,
    left?: number | undefined,
  ): void {
    this.#options.onProgress?.({ step, version: storage, written: this.#written, left });
  }
}

/** Milliseconds between two checks of a StorageVersionMigration. */
const pollMs = 1_000;
/** Checks after which a StorageVersionMigration without a controller is abandoned. */
const beginPolls = 30;

/** Returns the path of the objects of a definition, of one namespace or of all. */
function objectsPath({ group, plural, served }: MigratedDefinition, namespace?: string): string {
  const place = namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `/apis/${encodeURIComponent(group)}/${encodeURIComponent(served)}${place}/${encodeURIComponent(plural)}`;
}

/** @throws the reason of the signal if it aborts */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
