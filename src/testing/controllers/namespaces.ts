import { namespaces } from '../resources/builtin.ts';
import { servedTypes } from '../resources/catalog.ts';
import type { Store } from '../store/store.ts';
import { type JsonObject, putAt, strings, text } from '../values/json.ts';
import { deleteObject } from '../verbs/deletion.ts';

/** Deletes the objects in deleted namespaces, and the namespaces once they are empty. */
export function emptyNamespaces(store: Store): boolean {
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
