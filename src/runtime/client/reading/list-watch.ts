import type { RequestOptions } from '../../api/options.ts';
import { onDemand } from '../../common/on-demand.ts';
import { closedSignals } from '../../rest/abort/abort-on-close.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { SelectorOptions } from '../../selectors/selection.ts';
import type { ListWatch } from '../../watch/source.ts';
import type { RequestTarget } from '../requests/build-request.ts';

const source = onDemand(() => import('./object-source.ts'));

/** Options of every request of the source. */
export type ListWatchOptions = SelectorOptions &
  Pick<RequestOptions, 'headers' | 'maxResponseBytes' | 'impersonate'>;

/**
 * Returns the objects of a resource as a source for custom watches. Each call sends one request, without
 * retries.
 *
 * The implementation is loaded with the first request. Clients import `object-source.ts` directly: bundlers
 * include modules that are both loaded lazily and exported by the package in every program.
 */
export function listWatch<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: ListWatchOptions = {},
): ListWatch<T> {
  const { resource, namespace } = target;
  const load = async (): Promise<ListWatch<T>> => {
    const { objectSource } = await source();
    return objectSource<T>(rest, target, options);
  };
  return {
    closed: closedSignals.get(rest),
    target: { resource: resource.plural, ...(namespace !== undefined && { namespace }) },
    list: async (params, signal) => (await load()).list(params, signal),
    watch: async (params, signal) => (await load()).watch(params, signal),
  };
}
