/**
 * Own writes of one part of a store that its source has not confirmed. The part contains their results
 * already; the table keeps older events and lists from undoing them.
 */
import type { StoredObject } from '../../api/types.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { namespaceOf } from '../key.ts';
import { isNotNewer, isOlder } from '../versions.ts';

/** Object that was created or changed. */
interface PendingObject<O> {
  readonly kind: 'stored';
  readonly namespace: string;
  readonly name: string;
  readonly object: O;
}

/**
 * Object that was deleted. No object ever has its uid again, so hiding that uid for too long hides nothing
 * else: the conditions under which the entry ends only limit its time in memory.
 */
export interface PendingDeletion {
  readonly kind: 'deleted';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Last version of the object that is known, which is older than its deletion. */
  readonly version: string | undefined;
  /** Whether the source has sent the object, so that its deletion follows. */
  readonly announced: boolean;
  /** Time at which the entry ends if neither `version` nor an event of the object is known. */
  readonly until: number;
}

export type PendingWrite<O> = PendingObject<O> | PendingDeletion;

/** Unconfirmed writes by namespace and name. */
export class OwnWrites<O extends StoredObject> {
  readonly #entries = new Map<string, PendingWrite<O>>();
  /** Number of events since all entries were checked. */
  #unchecked = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(namespace: string, name: string): PendingWrite<O> | undefined {
    return this.#entries.get(`${namespace}/${name}`);
  }

  set(entry: PendingWrite<O>): void {
    this.#entries.set(keyOf(entry), entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Returns a copy of all entries. */
  all(): PendingWrite<O>[] {
    return [...this.#entries.values()];
  }

  /** Returns whether a write that is not older is recorded under the name of an object. */
  supersedes({ metadata }: O, namespace: string): boolean {
    const entry = this.get(namespace, metadata.name);
    const version = entry?.kind === 'stored' ? versionOf(entry.object) : entry?.version;
    return version !== undefined && isNotNewer(metadata.resourceVersion, version);
  }

  /**
   * Returns whether an event is older than the write of its object, and so must be ignored. Any other event
   * confirms the write, and ends its entry.
   */
  hides({ type, object }: ObjectEvent<O>): boolean {
    const { name, uid, resourceVersion } = object.metadata;
    const entry = this.get(namespaceOf(object), name);
    if (entry === undefined) return false;
    if (entry.kind === 'stored') {
      if (isOlder(resourceVersion, versionOf(entry.object))) return true;
      this.#end(entry);
      return false;
    }
    if (entry.uid === uid) {
      // An older deletion is that of an object that left the selection: it may have entered it again.
      if (type !== 'DELETED') this.#announce(entry, resourceVersion);
      else if (isOlder(resourceVersion, entry.version ?? '')) this.set({ ...entry, announced: false });
      else this.#end(entry);
      return true;
    }
    // Objects of the same name exist one after the other.
    if (entry.version !== undefined && isNotNewer(resourceVersion, entry.version)) return true;
    if (entry.version !== undefined) this.#end(entry);
    return false;
  }

  /**
   * Ends the entries whose events would have been sent up to `version`, and returns those of objects: the
   * source does not select them. All entries are checked once for as many events as there are entries, so
   * that an event costs a constant time, and if `now` is a time without events.
   */
  overdue(version: string, now: number, events: number): PendingObject<O>[] {
    this.#unchecked += events;
    if (events > 0 && this.#unchecked < this.size) return [];
    this.#unchecked = 0;
    const objects: PendingObject<O>[] = [];
    for (const entry of this.#entries.values()) {
      if (!isOverdue(entry, version, now)) continue;
      this.#end(entry);
      if (entry.kind === 'stored') objects.push(entry);
    }
    return objects;
  }

  /**
   * Returns the state of a name after a list of `version` that contains `listed` under it. Ends the entry if
   * the list contains the result of the write.
   */
  afterList(entry: PendingWrite<O>, listed: O | undefined, version: string): O | undefined {
    if (entry.kind === 'stored') {
      if (!isNotNewer(versionOf(entry.object), version)) return entry.object;
    } else if (listed?.metadata.uid === entry.uid) {
      this.#announce(entry, listed.metadata.resourceVersion);
      return undefined;
    } else if (entry.version === undefined) {
      return listed;
    } else if (isOlder(version, entry.version)) {
      return undefined;
    }
    this.#end(entry);
    return listed;
  }

  /** Records that the source has sent a version of the deleted object. */
  #announce(entry: PendingDeletion, resourceVersion: string): void {
    const { version = '' } = entry;
    this.set({
      ...entry,
      announced: true,
      version: isNotNewer(resourceVersion, version) ? version : resourceVersion,
    });
  }

  #end(entry: PendingWrite<O>): void {
    this.#entries.delete(keyOf(entry));
  }
}

function keyOf<O>({ namespace, name }: PendingWrite<O>): string {
  return `${namespace}/${name}`;
}

function versionOf({ metadata }: StoredObject): string {
  return metadata.resourceVersion;
}

function isOverdue<O extends StoredObject>(entry: PendingWrite<O>, version: string, now: number): boolean {
  if (entry.kind === 'stored') return isNotNewer(versionOf(entry.object), version);
  if (entry.announced) return false;
  return entry.version === undefined ? now >= entry.until : isNotNewer(entry.version, version);
}
