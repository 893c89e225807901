import { getting } from '../reading/discovery-request.ts';
import { Shared } from '../single-flight.ts';
import type { DiscoveryCallOptions, DiscoverySource } from '../types.ts';
import { type Mappings, tabulate } from './mappings.ts';

/** Lookup tables with their source. */
interface Known {
  readonly mappings: Mappings;
  readonly failed: ReadonlyMap<string, Error>;
  readonly fetchedAt: number;
}

const operation = getting('/apis');

/**
 * The lookup tables of a server, built on first use. Rebuilt if a lookup fails, at most once per
 * `missIntervalMs`, and not if the same call has just built them. A program that keeps looking up a missing
 * resource therefore does not cause constant discovery requests.
 */
export class KnownMappings {
  readonly #discovery: DiscoverySource;
  readonly #missIntervalMs: number;
  #known: Known | undefined;
  #loading: Shared<Known> = new Shared();
  #refreshing: Shared<Known> = new Shared();
  /** On the clock of `performance.now()`. */
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(discovery: DiscoverySource, missIntervalMs: number) {
    this.#discovery = discovery;
    this.#missIntervalMs = missIntervalMs;
  }

  /** Returns the current tables, which may be outdated. */
  async get(options: DiscoveryCallOptions): Promise<Mappings> {
    return (await this.#get(options)).mappings;
  }

  /** Looks up a value, and repeats a failed lookup once in new tables. */
  async find<T>(
    options: DiscoveryCallOptions,
    search: (mappings: Mappings) => T | undefined,
    miss: (mappings: Mappings, failed: ReadonlyMap<string, Error>) => Error,
  ): Promise<T> {
    const isFirst = this.#known === undefined;
    const begun = Date.now();
    const known = await this.#get(options);
    const found = search(known.mappings);
    if (found !== undefined) return found;
    const isOfThisCall = isFirst && known.fetchedAt >= begun;
    const renewed = isOfThisCall ? known : await this.#renewed(known, options);
    const foundNow = renewed === known ? undefined : search(renewed.mappings);
    if (foundNow !== undefined) return foundNow;
    throw miss(renewed.mappings, renewed.failed);
  }

  /**
   * Drops the tables, including those that are being built. Callers have to invalidate discovery themselves.
   */
  forget(): void {
    this.#known = undefined;
    this.#loading = new Shared();
    this.#refreshing = new Shared();
  }

  async #get(options: DiscoveryCallOptions): Promise<Known> {
    if (this.#known !== undefined) return this.#known;
    const loading = this.#loading;
    return loading.run(options, operation, async (signal) => {
      const known = await this.#load(signal);
      if (this.#loading === loading) this.#known = known;
      return known;
    });
  }

  /** Tables that have been built since, or are being built, are recent enough. */
  async #renewed(known: Known, options: DiscoveryCallOptions): Promise<Known> {
    const current = this.#known;
    if (current !== undefined && current !== known) return current;
    const refreshing = this.#refreshing;
    const isDue = performance.now() - this.#refreshedAt >= this.#missIntervalMs;
    if (!isDue) return known;
    return refreshing.run(options, operation, async (signal) => {
      this.#discovery.invalidate();
      const renewed = await this.#load(signal);
      if (this.#refreshing !== refreshing) return renewed;
      this.#refreshedAt = performance.now();
      this.#known = renewed;
      return renewed;
    });
  }

  async #load(signal: AbortSignal): Promise<Known> {
    const { groups, resources, failed, fetchedAt } = await this.#discovery.serverGroupsAndResources({
      signal,
    });
    return { mappings: tabulate(groups, resources), failed, fetchedAt };
  }
}
