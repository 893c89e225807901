/** Where caches get their objects: read with as little memory as can be, and an item that cannot be read harms no other. */
import { LeanReader } from '../codec/lean-json.ts';
import type { StringPool } from '../codec/string-pool.ts';
import type { ListMeta } from '../meta.ts';
import type { RESTClient } from '../rest/client.ts';
import type { Stored } from '../types.ts';
import type { ListWatch } from '../watch/source.ts';
import { sortItems } from './cached-items.ts';
import { listOf } from './decode.ts';
import type { ListWatchOptions } from './list-watch.ts';
import { objectSource } from './object-source.ts';
import type { Target } from './request.ts';
import { listRequest } from './requests.ts';

/** What every request of the source is made with, and how objects are read. */
export interface CacheListWatchOptions extends ListWatchOptions {
  readonly cache: {
    /** Whether `metadata.managedFields` stays in the objects. Its bytes are passed over where it does not. */
    readonly keepManagedFields: boolean;
    /** Shares texts between the objects of all sources that have the same one, where they come as JSON. */
    readonly strings: StringPool;
  };
}

/**
 * The objects of a resource as a source for informers. An item of a list that is no object, or has no metadata, name, uid
 * or resourceVersion, is in `unreadable` instead of `items`, and so is one in protobuf that says its name and makes no sense
 * otherwise; any other answer that makes no sense rejects.
 */
export function cacheListWatch<T>(
  rest: RESTClient,
  target: Target,
  options: CacheListWatchOptions,
): ListWatch<T> {
  const { labelSelector, fieldSelector, headers, maxResponseBytes, impersonate, cache } = options;
  const shared = { labelSelector, fieldSelector, headers, maxResponseBytes, impersonate };
  const { readItem, parseLine } = new LeanReader(cache);
  const omitManagedFields = !cache.keepManagedFields;
  return {
    ...objectSource<T>(rest, target, { ...shared, omitManagedFields }),
    list: async (params, signal) => {
      const request = listRequest(target, { ...shared, ...params, signal });
      const { operation } = request;
      const reading = { readItem, omitManagedFields, itemErrors: true };
      const answer = await rest.request({ ...request, ...reading, maxRetries: 0 });
      const decoded = listOf(answer, target.resource, operation);
      const { items, unreadable } = await sortItems(decoded, operation);
      // Wire decoding: the server answers for all that a cache does not need.
      return { items: items as Stored<T>[], metadata: decoded.list.metadata as ListMeta, unreadable };
    },
    parseLine,
  };
}
