/** Objects that are left when all objects of users are deleted. */

import { type JsonObject, object } from '@kgen/schema/values/json';
import type { Store, StoreContent } from '@kgen/testserver/internal/store/store';

/** Name of the configuration of a webhook of others, which does not belong to the operator. */
export const foreignWebhook = 'defaults-of-others';

/** Selects the objects of which none may be left. */
export interface LeftoverScope {
  /** Storage keys of resources. */
  readonly resources: Iterable<string>;
  /** Objects that existed before the run. */
  readonly base: StoreContent;
  /** Whether an object may be left. */
  readonly outlives: (object: JsonObject, resource: string) => boolean;
}

/** Returns a line for each object that is left, with the finalizers that keep it. */
export function leftovers(
  store: Pick<Store, 'list'>,
  { resources, base, outlives }: LeftoverScope,
): readonly string[] {
  return [...resources].flatMap((resource) => {
    const before = new Set((base.get(resource) ?? []).map(([key]) => key));
    return store
      .list(resource)
      .filter(([key, value]) => !before.has(key) && key !== foreignWebhook && !outlives(value, resource))
      .map(([key, value]) => `${resource} ${key} ${reasonOf(object(value, 'metadata')['finalizers'])}`);
  });
}

function reasonOf(finalizers: unknown): string {
  return finalizers === undefined ? 'still exists' : `still has finalizers ${JSON.stringify(finalizers)}`;
}
