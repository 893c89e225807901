/** Index of the dependents of owners. */

import { array, type JsonObject, own, text } from '@kgen/schema/values/json';
import { namespaceOf } from '../store/object-facts.ts';
import type { Change, Store } from '../store/store.ts';

/** The dependents of owners, by the UID of the owner. Kept up to date by the changes of the store. */
export class DependentIndex {
  readonly #byOwner = new Map<string, Map<string, Set<string>>>();
  /** Keys of objects without a controller, by resource and namespace. */
  readonly #orphans = new Map<string, Set<string>>();

  constructor(store: Store) {
    this.reset(store);
  }

  /** Reads all objects of the store. */
  reset(store: Store): void {
    this.#byOwner.clear();
    this.#orphans.clear();
    for (const resource of store.resources()) {
      for (const [key, value] of store.list(resource)) this.#add(resource, key, value);
    }
  }

  /** Applies a change. */
  update({ type, resource, key, object, previous }: Change): void {
    if (previous !== undefined) this.#remove(resource, key, previous);
    if (type !== 'DELETED') this.#add(resource, key, object);
  }

  /** Returns the keys of the dependents of one resource, sorted. */
  of(owner: string, resource: string): readonly string[] {
    return [...(this.#byOwner.get(owner)?.get(resource) ?? [])].sort();
  }

  /** Returns the dependents of all resources. */
  all(owner: string): readonly (readonly [resource: string, key: string])[] {
    const found = this.#byOwner.get(owner) ?? new Map<string, Set<string>>();
    return [...found].flatMap(([resource, keys]) =>
      [...keys].sort().map((key): [string, string] => [resource, key]),
    );
  }

  /** Returns the keys of the objects of a namespace without a controller, sorted. */
  orphans(resource: string, namespace: string): readonly string[] {
    return [...(this.#orphans.get(`${resource} ${namespace}`) ?? [])].sort();
  }

  #add(resource: string, key: string, value: JsonObject): void {
    if (!hasController(value)) {
      const group = `${resource} ${namespaceOf(value)}`;
      this.#orphans.set(group, (this.#orphans.get(group) ?? new Set<string>()).add(key));
    }
    for (const uid of ownersOf(value)) {
      const resources = this.#byOwner.get(uid) ?? new Map<string, Set<string>>();
      this.#byOwner.set(uid, resources);
      resources.set(resource, (resources.get(resource) ?? new Set<string>()).add(key));
    }
  }

  #remove(resource: string, key: string, value: JsonObject): void {
    this.#orphans.get(`${resource} ${namespaceOf(value)}`)?.delete(key);
    for (const uid of ownersOf(value)) {
      const resources = this.#byOwner.get(uid);
      resources?.get(resource)?.delete(key);
      if (resources?.get(resource)?.size === 0) resources.delete(resource);
      if (resources?.size === 0) this.#byOwner.delete(uid);
    }
  }
}

function ownersOf(value: JsonObject): readonly string[] {
  return array(value, 'metadata', 'ownerReferences').map((owner) => text(owner, 'uid'));
}

function hasController(value: JsonObject): boolean {
  return array(value, 'metadata', 'ownerReferences').some((owner) => own(owner, 'controller') === true);
}
