/**
 * Source of objects for caches. It decodes them with as little memory as possible, and skips items that
 * cannot be decoded.
 */

import type { ListMeta } from '../../api/meta.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { LeanReader } from '../../codec/lean-json.ts';
import type { Projection } from '../../codec/projection/projection.ts';
import type { StringPool } from '../../codec/string-pool.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { ListWatch } from '../../watch/source.ts';
import type { RequestTarget } from '../requests/build-request.ts';
import { listRequest } from '../requests/verb-requests.ts';
import { sortItems } from './cached-items.ts';
import { listOf } from './decode.ts';
import type { ListWatchOptions } from './list-watch.ts';
import { objectSource, sharedOptions } from './object-source.ts';

/** Options of every request of the source, and of decoding. */
export interface CacheListWatchOptions extends ListWatchOptions {
  readonly cache: {
    /** Whether to keep `metadata.managedFields` in the objects. Otherwise decoding skips their bytes. */
    readonly keepManagedFields: boolean;
    /** Pool of strings that objects of all sources with the same pool share, for objects in JSON. */
    readonly strings: StringPool;
    /**
     * Returns the fields to which objects of the next response are reduced. An item of a list in an unusual
     * form is not reduced. Default: all fields.
     */
    readonly projection?: (() => Projection | undefined) | undefined;
  };
}

/**
 * Creates the source of informers for a resource. An item of a list is in `unreadable` instead of `items` if
 * it is not an object, if metadata, name, uid or resourceVersion are missing, or if it is malformed protobuf
 * with a readable name. The source rejects any other malformed response.
 */
export function cacheListWatch<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: CacheListWatchOptions,
): ListWatch<T> {
  const { cache } = options;
  const shared = sharedOptions(options);
  const { readItem, parseLine } = new LeanReader(cache);
  const omitManagedFields = !cache.keepManagedFields;
  const select = (): APIRequest['select'] => cache.projection?.()?.selection;
  return {
    ...objectSource<T>(rest, target, { ...shared, omitManagedFields, select }),
    list: async (params, signal, decoded) => {
      const request = listRequest(target, { ...shared, ...params, signal });
      const { operation } = request;
      const reading = { readItem, omitManagedFields, itemErrors: true, select: select(), decoded };
      const response = await rest.request({ ...request, ...reading, maxRetries: 0 });
      const page = listOf(response, target.resource, operation);
      const { items, unreadable } = await sortItems(page, operation);
      // Decoded data: the server is trusted for all members that a cache does not need.
      return { items: items as Stored<T>[], metadata: page.list.metadata as ListMeta, unreadable };
    },
    parseLine,
  };
}
