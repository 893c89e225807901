import { definitions, namespaces } from '../resources/builtin.ts';
import type { Change, Store } from '../store/store.ts';
import { array, object, text } from '../values/json.ts';
import { cleanDefinitions, establishDefinitions } from './definitions.ts';
import { collectGarbage } from './garbage.ts';
import { emptyNamespaces } from './namespaces.ts';

/** One controller of a cluster: makes the changes it can and returns whether there were any. */
type Controller = (store: Store) => boolean;

const controllers: readonly Controller[] = [
  establishDefinitions,
  cleanDefinitions,
  emptyNamespaces,
  collectGarbage,
];

/** Returns whether a change can concern a controller. Most writes of ordinary objects do not. */
export function concernsControllers({ resource, type, object: value }: Change): boolean {
  if (resource === definitions.storage || resource === namespaces.storage || type === 'DELETED') return true;
  const metadata = object(value, 'metadata');
  return text(metadata, 'deletionTimestamp') !== '' || array(metadata, 'ownerReferences').length > 0;
}

/**
 * Runs the controllers until there is nothing left to do: definitions become established, deleted definitions
 * and namespaces are emptied, dependents of deleted owners are deleted. Every step removes or completes
 * something, so it terminates.
 */
export function settle(store: Store): void {
  while (controllers.map((controller) => controller(store)).some((changed) => changed));
}
