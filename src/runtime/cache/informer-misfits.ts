import type { UnreadableItem } from '../watch/source.ts';

/** Names an object in messages and maps. */
export function objectName({ namespace, name }: Pick<UnreadableItem, 'namespace' | 'name'>): string {
  return namespace ? `${namespace}/${name ?? ''}` : (name ?? '');
}

/**
 * Objects that could not be taken in, each with the version at which that was told, so that each version is told once.
 * A whole state begins a new account, which takes the place of the old one when the state is complete.
 */
export class Misfits {
  #known = new Map<string, string>();
  #next: Map<string, string> | undefined;

  get size(): number {
    return this.#known.size;
  }

  /** Whether this is news. */
  note(object: string, version: string): boolean {
    const told = this.#next?.get(object) === version || this.#known.get(object) === version;
    this.#account.set(object, version);
    return !told;
  }

  /** The object has been taken in, or is gone. Its name is asked for where it can matter. */
  forget(object: () => string): void {
    if (this.#account.size > 0) this.#account.delete(object());
  }

  begin(): void {
    // What was told of a state that never was complete is told.
    for (const [object, version] of this.#next ?? []) this.#known.set(object, version);
    this.#next = new Map();
  }

  complete(): void {
    this.#known = this.#next ?? this.#known;
    this.#next = undefined;
  }

  get #account(): Map<string, string> {
    return this.#next ?? this.#known;
  }
}
