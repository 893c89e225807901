import type { Chance } from '../chance.ts';
import { type Entry, group, keyOf, kind, type WireObject } from './objects.ts';

/** Fields of a new object. */
export interface Fields {
  readonly namespace: string;
  readonly name: string;
  readonly tier: string;
  readonly size: number;
}

/** The objects, all of their versions, and the history that is not compacted. */
export class Database {
  readonly #objects = new Map<string, WireObject>();
  readonly #broken = new Set<string>();
  readonly #doubtful = new Set<string>();
  /** The last requested state: pages belong to one state. */
  #last: { readonly version: number; readonly objects: readonly WireObject[] } | undefined;
  /** Complete history in order, for checkers, independent of compaction. */
  readonly log: Entry[] = [];
  version = 100;
  /** The history up to this version is compacted. */
  compacted = 100;
  #uids = 0;

  get keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  /** The keys that are broken, or were when they were deleted. */
  get broken(): readonly string[] {
    return [...this.#broken];
  }

  get(key: string): WireObject | undefined {
    return this.#objects.get(key);
  }

  isBroken(object: WireObject): boolean {
    return this.#broken.has(keyOf(object));
  }

  /** Creates or changes an object. */
  put({ namespace, name, tier, size }: Fields, chance: Chance): void {
    const before = this.#objects.get(`${namespace}/${name}`);
    if (before === undefined) this.#uids += 1;
    const managedFields = [
      { manager: 'tests', operation: 'Update', fieldsV1: { 'f:spec': { 'f:size': {} } } },
    ];
    const metadata = {
      name,
      namespace,
      uid: before?.metadata.uid ?? `uid-${this.#uids}`,
      resourceVersion: this.#tick(chance),
      labels: { tier, 'example.com/größe': String(size % 3) },
      ...(chance.odds(0.5) && { managedFields }),
    };
    const spec = { size, note: `Größe ${size} \u{1f4e6}` };
    const object = { apiVersion: `${group}/v1`, kind, metadata, spec };
    this.#append(before === undefined ? 'ADDED' : 'MODIFIED', object, before);
    this.#objects.set(keyOf(object), object);
  }

  /** Deletes an object, if it exists. */
  delete(key: string, chance: Chance): void {
    const before = this.#objects.get(key);
    if (before === undefined) return;
    const metadata = { ...before.metadata, resourceVersion: this.#tick(chance) };
    this.#append('DELETED', { ...before, metadata }, before);
    this.#objects.delete(key);
  }

  /** From now on, the object under this key cannot be decoded by clients. */
  break(key: string): void {
    this.#broken.add(key);
    this.#doubtful.add(key);
  }

  heal(key: string): void {
    this.#broken.delete(key);
  }

  /** Advances the version, as changes of other resources do. */
  advance(versions: number): void {
    this.version += versions;
  }

  /** Compacts the history up to now. */
  compact(): void {
    this.compacted = this.version;
  }

  /** Returns all objects at a version, in the order of keys. */
  at(version: number): readonly WireObject[] {
    if (this.#last?.version !== version) this.#last = { version, objects: this.#at(version) };
    return this.#last.objects;
  }

  #at(version: number): readonly WireObject[] {
    const objects = new Map(this.#objects);
    for (let index = this.log.length - 1; index >= 0; index -= 1) {
      const entry = this.log[index];
      if (entry === undefined || entry.version <= version) break;
      if (entry.before === undefined) objects.delete(keyOf(entry.object));
      else objects.set(keyOf(entry.object), entry.before);
    }
    return [...objects].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, object]) => object);
  }

  /** Changes after a version. */
  *since(version: number): Generator<Entry> {
    let index = this.log.length;
    while (index > 0 && (this.log[index - 1]?.version ?? 0) > version) index -= 1;
    for (; index < this.log.length; index += 1) {
      const entry = this.log[index];
      if (entry !== undefined) yield entry;
    }
  }

  #tick(chance: Chance): string {
    this.version += chance.between(1, 3);
    return String(this.version);
  }

  #append(type: Entry['type'], object: WireObject, before: WireObject | undefined): void {
    const { version } = this;
    const doubtful = this.#doubtful.has(keyOf(object));
    this.log.push({ version, type, object, before, broken: this.isBroken(object), doubtful });
  }
}
