/** Sources and stores of discovery data. */
import type { APIGroup, APIResourceList } from '../types.ts';

/** Content of the two endpoints that list the groups. */
export interface Root {
  readonly groups: readonly APIGroup[];
  /** Resource lists of aggregated discovery, by group version. Empty without it. */
  readonly lists: ReadonlyMap<string, APIResourceList>;
  /** Group versions that the server itself could not read, with errors. */
  readonly failed: ReadonlyMap<string, Error>;
}

/** A root with its origin. */
export interface KnownRoot extends Root {
  /** In milliseconds since 1970. */
  readonly fetchedAt: number;
  /** Whether it was read from disk, where its lists are stored too. */
  readonly stored: boolean;
}

/** Returns the group versions of groups, in order. */
export function groupVersionsOf(groups: readonly APIGroup[]): readonly string[] {
  return groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
}

/** Source of discovery data: the server. */
export interface Source {
  root(signal?: AbortSignal): Promise<Root>;
  list(groupVersion: string, signal?: AbortSignal): Promise<APIResourceList>;
  /** In milliseconds since 1970. */
  now(): number;
}

/**
 * Persistent store of discovery data. Reads return `undefined` for data that is missing, expired or invalid.
 */
export interface Store {
  groups(): Promise<{ readonly groups: readonly APIGroup[]; readonly fetchedAt: number } | undefined>;
  list(groupVersion: string): Promise<APIResourceList | undefined>;
  /** Never rejects: data that cannot be stored is requested again. */
  save(groups: readonly APIGroup[] | undefined, lists: Iterable<APIResourceList>): Promise<void>;
}

/** Location of stored data, its server and its maximum age. */
export interface StoreOptions {
  readonly folder: string;
  /** The URL in the configuration. */
  readonly server: string;
  readonly ttlMs: number;
}
