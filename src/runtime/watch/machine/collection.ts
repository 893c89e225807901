import type { Stored } from '../../api/types.ts';
import { type BookmarkEvent, initialEventsEnd, type WatchEvent } from '../../api/watch-events.ts';
import { stringOf } from '../../common/readable.ts';

type Objects<T> = Map<string, Stored<T>>;

/** Objects of a collection according to the events of consecutive watches with bookmarks. */
export class Collection<T> {
  #objects: Objects<T> = new Map();
  /** Objects received since the start of a watch, until its initial events are complete. */
  #initial: Objects<T> | undefined = new Map();

  /** Number of objects that exist. */
  get size(): number {
    return this.#objects.size;
  }

  /** Objects that exist, in a new array. */
  get objects(): Stored<T>[] {
    return [...this.#objects.values()];
  }

  /** Prepares for the initial events of another watch. */
  restart(): void {
    this.#initial = new Map();
  }

  /**
   * Adds an event, and returns the resulting changes. Returns `undefined` until the initial events of a watch
   * are complete, and then all differences from the previous state at once. Objects that were deleted
   * meanwhile are reported with their last known state.
   */
  take(event: WatchEvent<T> | BookmarkEvent): readonly WatchEvent<T>[] | undefined {
    const initial = this.#initial;
    if (event.type !== 'BOOKMARK') {
      change(initial ?? this.#objects, event);
      return initial === undefined ? [event] : undefined;
    }
    const ends = event.object.metadata.annotations?.[initialEventsEnd] === 'true';
    return initial !== undefined && ends ? this.#replace(initial) : undefined;
  }

  #replace(initial: Objects<T>): readonly WatchEvent<T>[] {
    const events = [...differences(this.#objects, initial)];
    this.#objects = initial;
    this.#initial = undefined;
    return events;
  }
}

function change<T>(objects: Objects<T>, { type, object }: WatchEvent<T>): void {
  if (type === 'DELETED') objects.delete(keyOf(object));
  else objects.set(keyOf(object), object);
}

/** An object with another uid replaces the previous one, which counts as deleted. */
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

/** Returns the namespace and the name. Items of lists are not validated: each member may be of any type. */
export function objectKey({
  namespace,
  name,
}: {
  readonly namespace?: unknown;
  readonly name: unknown;
}): string {
  return namespace === undefined ? stringOf(name) : `${stringOf(namespace)}/${stringOf(name)}`;
}
