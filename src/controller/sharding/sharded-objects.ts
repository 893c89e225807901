/** Shards of informers: they store the objects of this replica only. */

import type { KubernetesObject, Stored } from '@kgen/runtime';
import type { ObjectShard } from '@kgen/runtime/informers';
import { controllerOf } from '@kgen/runtime/objects';
import type { ReconcileKey } from '../runs/key.ts';
import { hasSlot, namespaceSelector, noSlots, type ShardField, type SlotSet, slotOf } from './slots.ts';

/**
 * Relation of objects to the reconciled ones: `self` are reconciled objects, `owned` are objects whose
 * managing controller is a reconciled object of the same namespace.
 */
export type ShardRelation = 'self' | 'owned';

/** Objects of some slots, which change. */
export class ShardedObjects implements ObjectShard {
  readonly #field: ShardField;
  readonly #relation: ShardRelation;
  readonly #listeners = new Set<() => Promise<void>>();
  #slots = noSlots;

  constructor(field: ShardField, relation: ShardRelation) {
    this.#field = field;
    this.#relation = relation;
  }

  get selector(): string | undefined {
    return this.#field === 'namespace' ? namespaceSelector(this.#slots) : undefined;
  }

  includes(object: Stored<KubernetesObject>): boolean {
    const key = this.#keyOf(object);
    return key !== undefined && hasSlot(this.#slots, slotOf(key, this.#field));
  }

  onChange(listener: () => Promise<void>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the slots. Resolves when the caches contain their objects. */
  async change(slots: SlotSet): Promise<void> {
    this.#slots = slots;
    await Promise.all([...this.#listeners].map((listener) => listener()));
  }

  #keyOf(object: Stored<KubernetesObject>): ReconcileKey | undefined {
    const { namespace = '', name } = object.metadata;
    if (this.#relation === 'self' || this.#field === 'namespace') return { namespace, name };
    const owner = controllerOf(object)?.name;
    return owner === undefined ? undefined : { namespace, name: owner };
  }
}
