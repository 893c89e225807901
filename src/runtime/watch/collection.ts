import { stringOf } from '../readable.ts';
import type { Stored } from '../types.ts';
import { type BookmarkEvent, INITIAL_EVENTS_END, type WatchEvent } from './events.ts';

type Objects<T> = Map<string, Stored<T>>;

/** What watches with bookmarks have told of a collection, one after the other. */
export class Collection<T> {
  #objects: Objects<T> = new Map();
  /** While a watch tells what exists: what it has told of that. */
  #told: Objects<T> | undefined = new Map();

  /** How many objects exist. */
  get size(): number {
    return this.#objects.size;
  }

  /** The objects that exist, in a new list. */
  get objects(): Stored<T>[] {
    return [...this.#objects.values()];
  }

  /** Another watch begins, which tells everything that exists. */
  retell(): void {
    this.#told = new Map();
  }

  /**
   * What an event adds to what is known. Nothing before everything that exists was told; then the differences to what was
   * known before, at once: objects that went meanwhile with their last state.
   */
  take(event: WatchEvent<T> | BookmarkEvent): readonly WatchEvent<T>[] | undefined {
    const told = this.#told;
    if (event.type !== 'BOOKMARK') {
      change(told ?? this.#objects, event);
      return told === undefined ? [event] : undefined;
    }
    const ends = event.object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
    return told !== undefined && ends ? this.#replace(told) : undefined;
  }

  #replace(told: Objects<T>): readonly WatchEvent<T>[] {
    const events = [...differences(this.#objects, told)];
    this.#objects = told;
    this.#told = undefined;
    return events;
  }
}

function change<T>(objects: Objects<T>, { type, object }: WatchEvent<T>): void {
  if (type === 'DELETED') objects.delete(keyOf(object));
  else objects.set(keyOf(object), object);
}

/** Another uid is another object: the one that was known is gone. */
function* differences<T>(before: Objects<T>, after: Objects<T>): Generator<WatchEvent<T>> {
  for (const [key, object] of before) {
    const now = after.get(key);
    if (now === undefined || now.metadata.uid !== object.metadata.uid) yield { type: 'DELETED', object };
  }
  for (const [key, object] of after) {
    const old = before.get(key)?.metadata;
    const { uid, resourceVersion } = object.metadata;
    if (old === undefined || old.uid !== uid) yield { type: 'ADDED', object };
    else if (old.resourceVersion !== resourceVersion) yield { type: 'MODIFIED', object };
  }
}

function keyOf<T>({ metadata }: Stored<T>): string {
  return objectKey(metadata);
}

/** Namespace and name. Items of lists come as the server sent them: either may be of any type. */
export function objectKey({
  namespace,
  name,
}: {
  readonly namespace?: unknown;
  readonly name: unknown;
}): string {
  return namespace === undefined ? stringOf(name) : `${stringOf(namespace)}/${stringOf(name)}`;
}
