/** Histories: the steps by which one object is written, as data that can be printed. */

import type { Fields, KindName, Version } from './kinds.ts';

/** Forms of writes. */
export type Verb =
  | 'create'
  | 'apply'
  | 'applyText'
  | 'applyStatus'
  | 'update'
  | 'updateStatus'
  | 'json'
  | 'merge'
  | 'strategic'
  | 'streamed'
  | 'mergeStatus'
  | 'scale'
  | 'mergeScale'
  | 'delete'
  | 'deleteCollection'
  /** A reconcile function changes the cached object and passes it to `updateStatus`. */
  | 'changeCached'
  /** As `changeCached`, with the object that the last write returned. */
  | 'changeReturned';

/** `metadata.resourceVersion` of a body: of the present, the cached or the previous object, or none. */
export type VersionOfBody = 'latest' | 'cached' | 'old' | 'none';

/** A write of the object. */
export interface Write {
  readonly verb: Verb;
  /** Field manager. Default: that of the managed client. */
  readonly manager?: string;
  /** Version of the kind. Default: `v1`. */
  readonly version?: Version;
  /** Content without apiVersion, kind and name; operations of a JSON patch; number of replicas. */
  readonly body?: unknown;
  /** Default: `latest` for updates, otherwise `none`. */
  readonly resourceVersion?: VersionOfBody;
  /** Whether an apply takes fields of other managers. Default: true. */
  readonly force?: false;
}

/**
 * Faults of a write. `lost`: executed, and the connection breaks before the response. `malformed`: executed,
 * and the response cannot be decoded. `unavailable`: executed, and a proxy responds with 504. `delayed`: the
 * connection breaks, and the server executes it at the step `deliver`. `slow`: executed, and the response
 * arrives after the next write.
 */
export type Fault = 'lost' | 'malformed' | 'unavailable' | 'delayed' | 'slow';

/** A step of a history. */
export type Step =
  /** A write by the client under test. */
  | { readonly own: Write; readonly fault?: Fault }
  /** A write by another client. */
  | { readonly other: Write }
  /** Events are held back: all, or those of the first informer. */
  | { readonly do: 'hold'; readonly only?: 'first' }
  /** Ends a hold; the caches catch up. */
  | { readonly do: 'release' }
  /** Executes the delayed writes. */
  | { readonly do: 'deliver' }
  /** The informers stop and start again. */
  | { readonly do: 'relist' }
  /** Writes the last body of each form again, as reconciles do. */
  | { readonly do: 'reconcile' }
  /**
   * Another process of the same program takes over, writes, and hands the object back; `lags`: events of its
   * writes are held back.
   */
  | { readonly handover: readonly Write[]; readonly lags?: true };

/** Fields that the cache of an informer has. */
export type Cache = 'whole' | 'managedFields' | 'select' | 'transform' | 'metadata';

/** An informer of the process. */
export interface CacheOptions {
  readonly cache: Cache;
  /** Default: `v1`. */
  readonly version?: Version;
}

/** A history of one object. */
export interface History {
  readonly kind: KindName;
  readonly caches: readonly CacheOptions[];
  /** Whether writes are sent by runs of a controller. Default: false. */
  readonly inRuns?: boolean;
  /** Form of `handover`. Default: `restart`, a process without an election. */
  readonly fence?: 'leader' | 'shards';
  /** A webhook changes the objects: see `webhook.ts`. Default: none. */
  readonly webhook?: WebhookName;
  readonly steps: readonly Step[];
}

/** Behaviour of the mutating webhook: it sets a label, replaces a value, or removes a field. */
export type WebhookName = 'label' | 'replace' | 'remove';

/** Returns a history as lines. */
export function printHistory({ steps, ...world }: History): string {
  return [JSON.stringify(world), ...steps.map((step) => `  ${JSON.stringify(step)}`)].join('\n');
}

/** Returns the members of an object that a body has. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
