/** Source of objects for watches and caches. Only ever loaded lazily: see `list-watch.ts`. */
import type { KubernetesList } from '../../api/meta.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { parseLineLazily } from '../../codec/lazy/lazy-json.ts';
import { closedSignals } from '../../rest/abort/abort-on-close.ts';
import type { RESTClient } from '../../rest/client.ts';
import { selectionOf } from '../../selectors/selection.ts';
import type { ListWatch } from '../../watch/source.ts';
import type { RequestTarget } from '../requests/build-request.ts';
import { listRequest, watchRequest } from '../requests/verb-requests.ts';
import { decodeLongList } from './decode.ts';
import type { ListWatchOptions } from './list-watch.ts';

/** Options of every request of the source, and of decoding. */
export interface ObjectSourceOptions extends ListWatchOptions, Pick<APIRequest, 'omitManagedFields'> {
  /** Returns the fields to which objects of protobuf events are reduced. Default: all fields. */
  readonly select?: (() => APIRequest['select']) | undefined;
}

/** Returns the options that apply to every request of a source. */
export function sharedOptions(options: ListWatchOptions): ListWatchOptions {
  const { headers, maxResponseBytes, impersonate } = options;
  return { ...selectionOf(options), headers, maxResponseBytes, impersonate };
}

/** Returns the objects of a resource as a source. Each call sends one request, without retries. */
export function objectSource<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: ObjectSourceOptions = {},
): ListWatch<T> {
  const { resource, namespace } = target;
  const { omitManagedFields = false, select } = options;
  const shared = sharedOptions(options);
  const once = { maxRetries: 0, ...(omitManagedFields && { omitManagedFields }) };
  return {
    closed: closedSignals.get(rest),
    target: { resource: resource.plural, ...(namespace !== undefined && { namespace }) },
    list: async (params, signal) => {
      const request = listRequest(target, { ...shared, ...params, signal });
      const response = await rest.request({ ...request, ...once });
      return decodeLongList<KubernetesList<Stored<T>>>(response, resource, request.operation);
    },
    watch: async (params, signal) => {
      const request = watchRequest(target, { ...shared, signal }, params);
      return rest.stream({ ...request, ...once, select: select?.() });
    },
    parseLine: parseLineLazily,
  };
}
