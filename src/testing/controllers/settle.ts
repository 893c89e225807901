import { definitions, namespaces } from '../resources/builtin.ts';
import { servedTypes } from '../resources/catalog.ts';
import type { Change, Store } from '../store/store.ts';
import { array, type JsonObject, object, putAt, strings, text } from '../values/json.ts';
import { deleteObject } from '../verbs/deletion.ts';
import { cleanDefinitions, establishDefinitions } from './definitions.ts';
import { collectGarbage } from './garbage.ts';

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

/** Deletes the objects in deleted namespaces, and the namespaces once they are empty. */
function emptyNamespaces(store: Store): boolean {
  const deleting = store
    .list(namespaces.storage)
    .filter(([, value]) => text(value, 'metadata', 'deletionTimestamp') !== '');
  return deleting.map(([name, value]) => empty(store, name, value)).some((changed) => changed);
}

function empty(store: Store, name: string, value: JsonObject): boolean {
  const before = store.revision;
  const types = new Map(
    servedTypes(store)
      .filter((type) => type.namespaced)
      .map((type) => [type.storage, type]),
  );
  const contents = [...types.values()].flatMap((type) =>
    store.list(type.storage, `${name}/`).map(([key, item]) => ({ type, key, item })),
  );
  for (const { type, key, item } of contents) {
    deleteObject(store, type, key, item, { propagation: 'Background', dryRun: false });
  }
  if (contents.length > 0) return store.revision !== before;
  const finalizers = strings(value, 'spec', 'finalizers').filter((item) => item !== 'kubernetes');
  const held = finalizers.length > 0 || strings(value, 'metadata', 'finalizers').length > 0;
  if (!held) store.remove(namespaces.storage, name);
  else if (strings(value, 'spec', 'finalizers').includes('kubernetes')) {
    store.put(namespaces.storage, name, putAt(value, ['spec', 'finalizers'], finalizers));
  }
  return store.revision !== before;
}
