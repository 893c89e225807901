/** Lists and watches whose objects have selected fields only. Loaded with the first such call. */
import type { KubernetesList } from '../../api/meta.ts';
import type { ListOptions } from '../../api/options.ts';
import type { AnySelection } from '../../api/selected.ts';
import type { APIRequest } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { LeanReader } from '../../codec/lean-json.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { includesField } from '../../codec/projection/selected-mark.ts';
import { StringPool } from '../../codec/string-pool.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { ListWatch } from '../../watch/source.ts';
import type { RequestTarget } from '../requests/build-request.ts';
import { listRequest } from '../requests/verb-requests.ts';
import { decodeLongList } from './decode.ts';
import type { ListWatchOptions } from './list-watch.ts';
import { objectSource, sharedOptions } from './object-source.ts';

/**
 * Returns a list whose items have the fields of a selection.
 * @throws {TypeError} if the selection is invalid
 */
export async function selectedList<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: ListOptions,
  select: AnySelection,
): Promise<KubernetesList<Stored<T>>> {
  const projection = Projection.of(select);
  return listOf(rest, target, listRequest(target, options), projection, readerOf(projection));
}

/**
 * Returns the objects of a resource as a source, with the fields of a selection.
 * @throws {TypeError} if the selection is invalid
 */
export function selectedSource<T>(
  rest: RESTClient,
  target: RequestTarget,
  options: ListWatchOptions,
  select: AnySelection,
): ListWatch<T> {
  const projection = Projection.of(select);
  const reader = readerOf(projection);
  const shared = sharedOptions(options);
  return {
    ...objectSource<T>(rest, target, { ...shared, select: () => projection.selection }),
    list: (params, signal) => {
      const request = listRequest(target, { ...shared, ...params, signal });
      return listOf(rest, target, { ...request, maxRetries: 0 }, projection, reader);
    },
    parseLine: reader.parseLine,
  };
}

/** Strings are shared within one list, or one watch. */
function readerOf(projection: Projection): LeanReader {
  return new LeanReader({
    keepManagedFields: includesField(projection.selection, ['metadata', 'managedFields']),
    strings: new StringPool(),
    projection: () => projection,
  });
}

async function listOf<T>(
  rest: RESTClient,
  target: RequestTarget,
  request: APIRequest,
  projection: Projection,
  { readItem }: LeanReader,
): Promise<KubernetesList<Stored<T>>> {
  const response = await rest.request({ ...request, readItem, select: projection.selection });
  const list = await decodeLongList<KubernetesList<Stored<T>>>(response, target.resource, request.operation);
  // Items of a list in an unusual form are read as a whole.
  return { ...list, items: list.items.map((item) => projection.pick(item)) };
}
