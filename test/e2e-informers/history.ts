/** Checker of the calls of an informer's handlers and of its final state. Independent of the runtime. */
import { isDeepStrictEqual } from 'node:util';

/** Members of an object that the checker reads. */
export interface Seen {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
}

/** Calls of one set of handlers. */
export class History<T extends Seen> {
  /** Violations, in the order of their detection. */
  readonly problems: string[] = [];
  /** Number of deletions that were detected later. */
  missed = 0;
  readonly #live = new Map<string, T>();
  readonly #objects = new Map<string, T>();
  /** Last delivered version of each uid. */
  readonly #versions = new Map<string, bigint>();
  readonly #gone = new Set<string>();
  readonly #mayReturn: boolean;

  /**
   * `mayReturn`: an object may reappear after its deletion, as with a selector that it does not match for a
   * while.
   */
  constructor({ mayReturn = false }: { readonly mayReturn?: boolean } = {}) {
    this.#mayReturn = mayReturn;
  }

  readonly add = (object: T): void => {
    const last = this.#live.get(keyOf(object));
    if (last !== undefined) this.#problem('add', object, `while ${versionOf(last)} has that name`);
    if (this.#gone.has(object.metadata.uid) && !this.#mayReturn)
      this.#problem('add', object, 'of a deleted uid');
    this.#gone.delete(object.metadata.uid);
    this.#take('add', object);
  };

  readonly update = (object: T, old: T): void => {
    const last = this.#live.get(keyOf(object));
    if (last !== old) this.#problem('update', object, `from ${versionOf(old)}, which was not delivered last`);
    if (last === undefined) this.#problem('update', object, 'of a missing object');
    else if (last.metadata.uid !== object.metadata.uid) this.#problem('update', object, 'of another uid');
    this.#take('update', object);
  };

  readonly delete = (object: T, { missed }: { readonly missed: boolean }): void => {
    const last = this.#live.get(keyOf(object));
    const { uid, resourceVersion } = object.metadata;
    if (last === undefined) this.#problem('delete', object, 'of a missing object');
    else if (last.metadata.uid !== uid) this.#problem('delete', object, 'of another uid');
    else if (missed && last !== object) this.#problem('delete', object, 'not the last one known');
    else if (!missed && !sameContent(object, last)) this.#problem('delete', object, 'not in its last state');
    if (!missed && BigInt(resourceVersion) < (this.#versions.get(uid) ?? 0n)) {
      this.#problem('delete', object, 'older than the last version');
    }
    this.#versions.set(uid, BigInt(resourceVersion));
    this.#live.delete(keyOf(object));
    this.#gone.add(uid);
    if (missed) this.missed += 1;
  };

  /** Objects that exist according to the calls. */
  get live(): readonly T[] {
    return [...this.#live.values()];
  }

  /** Every delivered state, by its uid and version. */
  get states(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  #take(what: string, object: T): void {
    const { uid, resourceVersion } = object.metadata;
    const version = BigInt(resourceVersion);
    if (version <= (this.#versions.get(uid) ?? 0n))
      this.#problem(what, object, 'not newer than the last version');
    this.#versions.set(uid, version);
    this.#live.set(keyOf(object), object);
    this.#objects.set(versionOf(object), object);
  }

  #problem(what: string, object: T, why: string): void {
    this.problems.push(`${what} ${keyOf(object)} ${versionOf(object)}: ${why}`);
  }
}

/**
 * Returns the differences between two sets of objects; empty if they have the same objects in the same
 * states.
 */
export function differences(ours: readonly Seen[], theirs: readonly Seen[]): readonly string[] {
  const known = new Map(ours.map((object) => [keyOf(object), object]));
  const wrong = theirs.flatMap((object) => {
    const own = known.get(keyOf(object));
    known.delete(keyOf(object));
    if (own === undefined) return [`${keyOf(object)} ${versionOf(object)} is missing`];
    if (own.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return [`${keyOf(object)} is ${versionOf(own)} instead of ${versionOf(object)}`];
    }
    return isDeepStrictEqual(withoutManagedFields(own), withoutManagedFields(object))
      ? []
      : [`${keyOf(object)} differs from the server`];
  });
  return [...wrong, ...[...known.keys()].map((key) => `${key} should be gone`)];
}

/**
 * Returns a copy without `metadata.managedFields`, and without members that differ between lists and single
 * objects.
 */
export function withoutManagedFields(object: Seen): object {
  // Items of a list have no kind; these two members are not read otherwise.
  const {
    metadata,
    apiVersion: _,
    kind: __,
    ...rest
  } = object as Seen & { apiVersion?: string; kind?: string };
  return { ...rest, metadata: { ...metadata, managedFields: undefined } };
}

/** Returns true if two states of an object differ only in their version. */
function sameContent(a: Seen, b: Seen): boolean {
  const content = (object: Seen) => ({
    ...withoutManagedFields(object),
    metadata: { ...object.metadata, managedFields: undefined, resourceVersion: undefined },
  });
  return isDeepStrictEqual(content(a), content(b));
}

function keyOf({ metadata: { namespace = '', name } }: Seen): string {
  return `${namespace}/${name}`;
}

/** Returns the key of one state of an object. */
export function versionOf({ metadata: { uid, resourceVersion } }: Seen): string {
  return `${uid}@${resourceVersion}`;
}
