/** Reads of the present state of objects. */

import type { KubernetesObject, RESTClient, Stored } from '@kgen/runtime';
import { fieldSelectorText } from '@kgen/runtime/selectors';
import { isObject, member, metadataString } from '../members.ts';
import { collectionPath, type FinalizedResource, type ObjectPlace } from '../runs/finalizer.ts';

/**
 * Returns an object as it is stored when the request arrives; `undefined` if it does not exist. By a list,
 * for which controllers have the permission.
 */
export async function liveObject(
  rest: RESTClient,
  resource: FinalizedResource,
  { name, namespace }: ObjectPlace,
  signal?: AbortSignal,
): Promise<Stored<KubernetesObject> | undefined> {
  const query = { fieldSelector: fieldSelectorText({ 'metadata.name': name }) };
  const found = await liveObjects(rest, resource, { namespace, query, signal });
  return found.find((each) => metadataString(each, 'name') === name);
}

/** Selection of objects. */
export interface LiveSelection {
  /** Default: all, or cluster-scoped objects. */
  readonly namespace: string | undefined;
  readonly query: { readonly [parameter: string]: string | undefined };
  readonly signal?: AbortSignal | undefined;
}

/** Returns the objects of a selector as they are stored when the request arrives. */
export async function liveObjects(
  rest: RESTClient,
  resource: FinalizedResource,
  { namespace, query, signal }: LiveSelection,
): Promise<readonly Stored<KubernetesObject>[]> {
  const list = await rest.get(collectionPath(resource, { namespace }), { query, signal });
  const items = member(list, 'items');
  // seam: the server returns stored objects.
  return Array.isArray(items) ? (items.filter(isObject) as unknown as Stored<KubernetesObject>[]) : [];
}
