/** Objects that an informer could not store. */
import type { UnreadableItem } from '../../watch/source.ts';

/** Returns the name of an object, for messages and maps. */
export function objectName({ namespace, name }: Pick<UnreadableItem, 'namespace' | 'name'>): string {
  return namespace ? `${namespace}/${name ?? ''}` : (name ?? '');
}

/**
 * Rejected objects with their reported versions, so that each version is reported once. A relist begins a new
 * set, which replaces the old one when the list is complete.
 */
export class RejectedObjects {
  #known = new Map<string, string>();
  #next: Map<string, string> | undefined;

  get size(): number {
    return this.#known.size;
  }

  /** Adds a version of an object. Returns whether it has not been reported before. */
  note(object: string, version: string): boolean {
    const reported = this.#next?.get(object) === version || this.#known.get(object) === version;
    this.#current.set(object, version);
    return !reported;
  }

  /** Removes an object that has been stored or deleted. Its name is computed only if necessary. */
  forget(object: () => string): void {
    if (this.#current.size > 0) this.#current.delete(object());
  }

  begin(): void {
    // Versions reported during an incomplete list have been reported.
    for (const [object, version] of this.#next ?? []) this.#known.set(object, version);
    this.#next = new Map();
  }

  complete(): void {
    this.#known = this.#next ?? this.#known;
    this.#next = undefined;
  }

  get #current(): Map<string, string> {
    return this.#next ?? this.#known;
  }
}
