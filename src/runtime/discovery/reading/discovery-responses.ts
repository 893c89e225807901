/** Discovery data in either form, completed by requests as needed. */
import { isApiError, isTimeoutError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { messageOf } from '../../common/callbacks.ts';
import { inParallel } from '../../common/in-parallel.ts';
import { Shared } from '../single-flight.ts';
import type { APIResourceList, DiscoveryCallOptions, ServerGroupsAndResources } from '../types.ts';
import { getting } from './discovery-request.ts';
import { groupVersionsOf, type KnownRoot, type Source, type Store } from './source-types.ts';

/** Maximum number of concurrent requests for resource lists. */
const atOnce = 10;
/** Maximum number of retries for resource lists that could not be read. */
const retries = 2;

const operation: RequestOperation = getting('/apis');

/**
 * Discovery data of a server with the requests that complete it. Only permanent results are cached: transient
 * failures are retried by the next call that needs them. To drop the cache, create a new instance; pending
 * requests of the old one are then ignored.
 */
export class DiscoveryResponses {
  readonly #source: Source;
  readonly #store: Store | undefined;
  /** After `invalidate()`, files in the cache folder are not used. */
  readonly #mayBeStored: boolean;
  #root: KnownRoot | undefined;
  /** Resource lists that were requested individually, by group version. */
  readonly #lists: Map<string, APIResourceList | Error> = new Map();
  readonly #anyRoot: Shared<KnownRoot> = new Shared();
  readonly #newRoot: Shared<KnownRoot> = new Shared();
  readonly #everything: Shared<ServerGroupsAndResources> = new Shared();
  readonly #requested: Map<string, Shared<APIResourceList | Error>> = new Map();

  constructor(source: Source, store: Store | undefined, mayBeStored: boolean) {
    this.#source = source;
    this.#store = store;
    this.#mayBeStored = mayBeStored;
  }

  /** Returns the groups. If a failed group version concerns the caller, the groups are requested again. */
  async root(options: DiscoveryCallOptions, concerns: (failed: string) => boolean): Promise<KnownRoot> {
    const known = this.#root;
    if (known !== undefined && ![...known.failed.keys()].some(concerns)) return known;
    return this.#anyRoot.run(options, operation, async (signal) => {
      const stored = known === undefined && this.#mayBeStored ? await this.#store?.groups() : undefined;
      if (stored === undefined) return this.#fetchRoot({ signal });
      this.#root = { ...stored, lists: new Map(), failed: new Map(), stored: true };
      return this.#root;
    });
  }

  /** Requests the groups from the server. */
  #fetchRoot(options: DiscoveryCallOptions): Promise<KnownRoot> {
    return this.#newRoot.run(options, operation, async (signal) => {
      const fetchedAt = this.#source.now();
      const root: KnownRoot = { ...(await this.#source.root(signal)), fetchedAt, stored: false };
      this.#root = root;
      // An incomplete result is not stored, because other programs would not see the failures.
      if (root.failed.size === 0) await this.#store?.save(root.groups, root.lists.values());
      return root;
    });
  }

  /**
   * Returns the resources of one group version.
   * @throws the error of the request
   */
  async list(groupVersion: string, options: DiscoveryCallOptions): Promise<APIResourceList> {
    const root = await this.root(options, (failed) => failed === groupVersion);
    const found = await this.#find(groupVersion, root, options);
    if (found instanceof Error) throw found;
    return found;
  }

  async #find(
    groupVersion: string,
    root: KnownRoot,
    options: DiscoveryCallOptions,
  ): Promise<APIResourceList | Error> {
    const known =
      root.lists.get(groupVersion) ?? root.failed.get(groupVersion) ?? this.#lists.get(groupVersion);
    if (known !== undefined) return known;
    if (!root.stored) return this.#fetchList(groupVersion, options);
    const stored = await this.#store?.list(groupVersion);
    if (stored !== undefined) this.#lists.set(groupVersion, stored);
    return stored ?? this.#find(groupVersion, await this.#fetchRoot(options), options);
  }

  /** Requests one list. Returns the error, so that one failure does not reject all requests. */
  #fetchList(groupVersion: string, options: DiscoveryCallOptions): Promise<APIResourceList | Error> {
    const shared = this.#requested.get(groupVersion) ?? new Shared<APIResourceList | Error>();
    this.#requested.set(groupVersion, shared);
    return shared.run(options, getting(`/apis/${groupVersion}`), async (signal) => {
      try {
        const list = await this.#source.list(groupVersion, signal);
        this.#lists.set(groupVersion, list);
        await this.#store?.save(undefined, [list]);
        return list;
      } catch (error) {
        signal.throwIfAborted();
        if (!mayPass(error)) this.#lists.set(groupVersion, errorOf(error));
        return errorOf(error);
      }
    });
  }

  /** Returns all groups and all lists. */
  async everything(options: DiscoveryCallOptions): Promise<ServerGroupsAndResources> {
    return this.#everything.run(options, operation, async (signal) => {
      const root = await this.root({ signal }, () => true);
      const lists = await this.#listsOf(root, signal);
      if (lists !== undefined) return allOf(root, lists);
      const requested = await this.#fetchRoot({ signal });
      return allOf(requested, (await this.#listsOf(requested, signal)) ?? new Map());
    });
  }

  /** Returns the lists of a root or their errors, or `undefined` if some stored lists are missing. */
  async #listsOf(
    root: KnownRoot,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, APIResourceList | Error> | undefined> {
    const names = groupVersionsOf(root.groups).filter((name) => !root.lists.has(name));
    if (root.stored) return this.#storedLists(names);
    const found = new Map<string, APIResourceList | Error>();
    for (let tries = 0; tries <= retries; tries += 1) {
      const missing = names.filter((name) => isMissing(found.get(name)));
      await inParallel(missing, atOnce, async (name) => {
        found.set(name, await this.#find(name, root, { signal }));
      });
    }
    return found;
  }

  async #storedLists(
    names: readonly string[],
  ): Promise<ReadonlyMap<string, APIResourceList | Error> | undefined> {
    for (const name of names) {
      const stored = this.#lists.get(name) ?? (await this.#store?.list(name));
      if (stored === undefined) return undefined;
      this.#lists.set(name, stored);
    }
    return this.#lists;
  }
}

function isMissing(found: APIResourceList | Error | undefined): boolean {
  return found === undefined || (found instanceof Error && isWorthRetrying(found));
}

/** In the order of the groups and their versions. */
function allOf(
  root: KnownRoot,
  lists: ReadonlyMap<string, APIResourceList | Error>,
): ServerGroupsAndResources {
  const failed = new Map(root.failed);
  const resources: APIResourceList[] = [];
  for (const name of groupVersionsOf(root.groups)) {
    const found = root.lists.get(name) ?? lists.get(name);
    if (found instanceof Error) failed.set(name, found);
    else if (found !== undefined) resources.push(found);
  }
  return { groups: root.groups, resources, failed, fetchedAt: root.fetchedAt };
}

/**
 * Returns whether a failure is transient: there was no response, it was truncated, or the server could not
 * process the request. Refused requests are permanent failures.
 */
function mayPass(error: unknown): boolean {
  return !isApiError(error) || error.code === 429 || error.code >= 500 || error.code < 400;
}

/** Returns whether to retry at once. A request that timed out is not retried. */
function isWorthRetrying(error: Error): boolean {
  return mayPass(error) && !isTimeoutError(error);
}

/** Returns a thrown value as an error. */
function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}
