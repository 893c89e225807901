import type { ControllerRunner } from '../controllers/runner.ts';
import type { Watches } from '../http/watches.ts';
import type { Store, StoreContent } from '../store/store.ts';

/** All objects of a server at one moment. It can be restored any number of times, on other servers too. */
export interface ServerSnapshot {
  /** Latest resourceVersion of the server when the snapshot was taken. */
  readonly resourceVersion: string;
}

/** The objects are immutable values, so a snapshot refers to them. */
class StoredSnapshot implements ServerSnapshot {
  readonly revision: number;
  readonly content: StoreContent;

  constructor(store: Store) {
    this.revision = store.revision;
    this.content = store.content();
  }

  get resourceVersion(): string {
    return String(this.revision);
  }
}

/** Returns all objects of a store. */
export function takeSnapshot(store: Store): ServerSnapshot {
  return new StoredSnapshot(store);
}

/**
 * Replaces all objects by those of a snapshot. Every earlier resourceVersion is expired: open watches end
 * with an ERROR event 410, so that clients list again.
 * @throws {TypeError} for an object that `takeSnapshot` did not create
 */
export function restoreSnapshot(
  store: Store,
  watches: Watches,
  controllers: ControllerRunner,
  snapshot: ServerSnapshot,
): void {
  if (!(snapshot instanceof StoredSnapshot))
    throw new TypeError('restore needs a value that snapshot() of a test server returned');
  store.replace(snapshot.content, snapshot.revision);
  store.beginWatches();
  watches.expire();
  controllers.resync();
}
