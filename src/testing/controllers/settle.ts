import { DEFINITIONS, NAMESPACES } from '../resources/builtin.ts';
import type { Change, Store } from '../store/store.ts';
import { array, object, text } from '../values/json.ts';
import { cleanDefinitions, establishDefinitions } from './definitions.ts';
import { collectGarbage } from './garbage.ts';
import { emptyNamespaces } from './namespaces.ts';

/** One thing that a cluster's controllers do: makes what changes it can and says whether there were any. */
type Controller = (store: Store) => boolean;

const CONTROLLERS: readonly Controller[] = [
  establishDefinitions,
  cleanDefinitions,
  emptyNamespaces,
  collectGarbage,
];

/** Whether a change can give the controllers anything to do: most writes of plain objects do not. */
export function concernsControllers({ resource, type, object: value }: Change): boolean {
  if (resource === DEFINITIONS.storage || resource === NAMESPACES.storage || type === 'DELETED') return true;
  const metadata = object(value, 'metadata');
  return text(metadata, 'deletionTimestamp') !== '' || array(metadata, 'ownerReferences').length > 0;
}

/**
 * Does what the controllers of a real cluster do, until nothing is left to do: definitions become established, deleted
 * ones and deleted namespaces are emptied, dependents of deleted owners go. Every step only removes or completes, so it ends.
 */
export function settle(store: Store): void {
  while (CONTROLLERS.map((controller) => controller(store)).some((changed) => changed));
}
