import type { StoredObject } from '../../api/types.ts';
import { namespaceOf } from '../key.ts';
import type { IndexColumn } from './indexer-column.ts';

/**
 * Objects of one part at one time. Each object has a slot, which its name keeps as long as an object exists
 * under it. So indices store numbers only, and replacing an object moves nothing.
 */
export class State<O extends StoredObject> {
  /** Objects by slot. */
  readonly objects: (O | undefined)[] = [];
  /** One column for each index, in their order. */
  readonly columns: IndexColumn[] = [];
  readonly #slots = new Map<string, Map<string, number>>();
  readonly #free: number[] = [];

  get(namespace: string, name: string): O | undefined {
    const slot = this.#slots.get(namespace)?.get(name);
    return slot === undefined ? undefined : this.objects[slot];
  }

  slot(namespace: string, name: string): number | undefined {
    return this.#slots.get(namespace)?.get(name);
  }

  count(namespace?: string): number {
    if (namespace !== undefined) return this.#slots.get(namespace)?.size ?? 0;
    return this.objects.length - this.#free.length;
  }

  namespaces(): string[] {
    return [...this.#slots.keys()];
  }

  /** Adds all objects, or those of one namespace, to `found`. */
  collect(namespace: string | undefined, found: O[]): void {
    if (namespace === undefined) {
      for (const object of this.objects) if (object !== undefined) found.push(object);
      return;
    }
    for (const slot of this.#slots.get(namespace)?.values() ?? []) {
      const object = this.objects[slot];
      if (object !== undefined) found.push(object);
    }
  }

  /** Adds an object with a new name. Returns its slot. */
  insert(object: O): number {
    const slot = this.#free.pop() ?? this.objects.length;
    this.objects[slot] = object;
    const namespace = namespaceOf(object);
    const slots = this.#slots.get(namespace);
    if (slots === undefined) this.#slots.set(namespace, new Map([[object.metadata.name, slot]]));
    else slots.set(object.metadata.name, slot);
    return slot;
  }

  /** Removes the object with the name, and frees its slot. */
  remove(namespace: string, name: string): void {
    const slots = this.#slots.get(namespace);
    const slot = slots?.get(name);
    if (slots === undefined || slot === undefined) return;
    slots.delete(name);
    if (slots.size === 0) this.#slots.delete(namespace);
    for (const column of this.columns) column.file(slot, []);
    this.objects[slot] = undefined;
    this.#free.push(slot);
  }
}
