import type { RequestOptions, SelectorOptions } from '../options.ts';
import type { RESTClient } from '../rest/client.ts';
import { closedSignals } from '../rest/closing.ts';
import type { ListWatch } from '../watch/source.ts';
import type { Target } from './request.ts';

/** What every request of the source is made with. */
export type ListWatchOptions = SelectorOptions &
  Pick<RequestOptions, 'headers' | 'maxResponseBytes' | 'impersonate'>;

/**
 * The objects of a resource as a source for watches of one's own: requests are sent once, not repeated.
 *
 * What it does is loaded with the first request. Clients use `object-source.ts` itself: what they load lazily and the
 * package exports as well, bundlers put into every program.
 */
export function listWatch<T>(rest: RESTClient, target: Target, options: ListWatchOptions = {}): ListWatch<T> {
  const { resource, namespace } = target;
  const load = async (): Promise<ListWatch<T>> => {
    const { objectSource } = await import('./object-source.ts');
    return objectSource<T>(rest, target, options);
  };
  return {
    closed: closedSignals.get(rest),
    target: { resource: resource.plural, ...(namespace !== undefined && { namespace }) },
    list: async (params, signal) => (await load()).list(params, signal),
    watch: async (params, signal) => (await load()).watch(params, signal),
  };
}
