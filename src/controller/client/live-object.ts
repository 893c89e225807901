/** Reads of the present state of one object. */

import type { KubernetesObject, RESTClient, Stored } from '@kgen/runtime';
import { fieldSelectorText } from '@kgen/runtime/selectors';
import { collectionPath, type FinalizedResource, type ObjectPlace } from '../controller/finalizer.ts';
import { isObject, member, metadataString } from '../members.ts';

/**
 * Returns an object as it is stored when the request arrives; `undefined` if it does not exist. By a list,
 * for which controllers have the permission.
 */
export async function liveObject(
  rest: RESTClient,
  resource: FinalizedResource,
  place: ObjectPlace,
  signal?: AbortSignal,
): Promise<Stored<KubernetesObject> | undefined> {
  const { name } = place;
  const list = await rest.get(collectionPath(resource, place), {
    query: { fieldSelector: fieldSelectorText({ 'metadata.name': name }) },
    signal,
  });
  const items = member(list, 'items');
  const found = Array.isArray(items)
    ? items.find((item) => metadataString(item, 'name') === name)
    : undefined;
  // seam: the server returns stored objects.
  return isObject(found) ? (found as unknown as Stored<KubernetesObject>) : undefined;
}
