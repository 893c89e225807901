/** What discovery is put together from. */
import type { APIGroup, APIResourceList } from './types.ts';

/** What the two endpoints that name the groups say. */
export interface Root {
  readonly groups: readonly APIGroup[];
  /** By group version: what aggregated discovery says; empty without it. */
  readonly lists: ReadonlyMap<string, APIResourceList>;
  /** By group version: what the server itself could not find out. */
  readonly failed: ReadonlyMap<string, Error>;
}

/** A root, and where it is from. */
export interface KnownRoot extends Root {
  /** In milliseconds since 1970. */
  readonly fetchedAt: number;
  /** From the disk, where its lists are, too. */
  readonly stored: boolean;
}

/** The group versions of groups, in their order. */
export function groupVersionsOf(groups: readonly APIGroup[]): readonly string[] {
  return groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
}

/** Where answers come from: the server. */
export interface Source {
  root(signal?: AbortSignal): Promise<Root>;
  list(groupVersion: string, signal?: AbortSignal): Promise<APIResourceList>;
  /** In milliseconds since 1970. */
  now(): number;
}

/** Where answers are kept beyond the process. Reading gives undefined for what is absent, too old or no such answer. */
export interface Store {
  groups(): Promise<{ readonly groups: readonly APIGroup[]; readonly fetchedAt: number } | undefined>;
  list(groupVersion: string): Promise<APIResourceList | undefined>;
  /** Never fails: what cannot be kept is asked for again. */
  save(groups: readonly APIGroup[] | undefined, lists: Iterable<APIResourceList>): Promise<void>;
}

/** Where answers are kept, of which server, and for how long they are good. */
export interface StoreOptions {
  readonly folder: string;
  /** The URL as the configuration has it. */
  readonly server: string;
  readonly ttlMs: number;
}
