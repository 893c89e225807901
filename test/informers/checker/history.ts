import { isDeepStrictEqual } from 'node:util';
import { type Entry, keyOf, versionOf, type WireObject, withoutManagedFields } from '../server/objects.ts';
import { seen, sees, type View } from '../server/view.ts';

/** Members of an object that a handler receives and the checker reads. */
export interface Notification {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

/** One call of a handler. */
export interface Call {
  readonly type: 'add' | 'update' | 'delete';
  readonly uid: string;
  readonly version: number;
  /** A deletion that was detected by a relist instead of an event. */
  readonly missed: boolean;
}

/** A change, as a client with this view sees it. */
export type Happening = Omit<Entry, 'before'> & { readonly view: View };

/** Reference: every version of every object that a client can see. */
export class Truth {
  readonly #log: readonly Entry[];
  readonly #views: readonly View[];
  readonly #received: (object: WireObject) => object;
  #known = 0;
  readonly #events: Happening[] = [];
  readonly #byVersion = new Map<number, object>();
  readonly #deletions = new Map<string, number[]>();

  /** `received` returns an object as clients receive it. Default: without managedFields. */
  constructor(
    log: readonly Entry[],
    views: readonly View[],
    received: (object: WireObject) => object = withoutManagedFields,
  ) {
    this.#log = log;
    this.#views = views;
    this.#received = received;
  }

  /** All changes that a client sees, in order. */
  get events(): readonly Happening[] {
    for (; this.#known < this.#log.length; this.#known += 1) {
      const entry = this.#log[this.#known];
      for (const view of this.#views) if (entry !== undefined) this.#learn(entry, view);
    }
    return this.#events;
  }

  /** Returns the object after a change, or the last state at the version of its deletion. */
  at(version: number): object | undefined {
    void this.events;
    return this.#byVersion.get(version);
  }

  /** Returns true if an object was deleted, for this client, after a version. */
  hasGone(uid: string, since: number): boolean {
    void this.events;
    return this.#deletions.get(uid)?.some((version) => version > since) === true;
  }

  #learn({ version, broken, doubtful, ...entry }: Entry, view: View): void {
    const event = seen(view, entry);
    if (event === undefined) return;
    this.#events.push({ ...event, version, broken, doubtful, view });
    this.#byVersion.set(version, this.#received(event.object));
    if (event.type !== 'DELETED') return;
    const { uid } = event.object.metadata;
    this.#deletions.set(uid, [...(this.#deletions.get(uid) ?? []), version]);
  }

  /** Returns the objects that a client sees, each also as the client receives it. */
  visible(objects: readonly WireObject[]): readonly (readonly [object: WireObject, received: object])[] {
    const seen = objects.filter((object) => this.#views.some((view) => sees(view, object)));
    return seen.map((object) => [object, this.#received(object)]);
  }
}

/**
 * Compares the calls of a registration with the reference and with the rules of a valid history, and records
 * the resulting state.
 */
export class History {
  readonly #truth: Truth;
  readonly problems: string[] = [];
  readonly calls: Call[] = [];
  /** Highest delivered version. */
  newest = 0;
  /** Existing objects by key, according to the calls of this registration. */
  readonly state = new Map<string, Notification>();
  /** Last delivered version of each object, by uid: it may stop to match a selector and match again. */
  readonly #last = new Map<string, number>();
  /** Reason why no call is allowed. */
  #over: string | undefined;
  /** Whether unchanged objects are delivered again. */
  readonly #resyncs: boolean;

  constructor(truth: Truth, { resyncs = false } = {}) {
    this.#truth = truth;
    this.#resyncs = resyncs;
  }

  /** Declares further calls invalid, or valid again if `reason` is undefined. */
  expectSilence(reason: string | undefined): void {
    this.#over = reason;
  }

  add(object: Notification): void {
    this.#begin('add', object, false);
    if (this.state.has(placeOf(object))) this.problem('add of an existing object', object);
    this.#advance(object);
    this.state.set(placeOf(object), object);
  }

  update(object: Notification, old: Notification): void {
    const known = this.state.get(placeOf(object));
    if (known === undefined) this.problem('update of a missing object', object);
    else if (known !== old) this.problem('old is not the object delivered last', object);
    if (this.#resyncs && object === old) return;
    this.#begin('update', object, false);
    if (known?.metadata.uid !== object.metadata.uid) this.problem('update to another uid', object);
    this.#advance(object);
    this.state.set(placeOf(object), object);
  }

  delete(object: Notification, missed: boolean): void {
    this.#begin('delete', object, missed);
    const known = this.state.get(placeOf(object));
    const { uid } = object.metadata;
    if (known?.metadata.uid !== uid) this.problem('delete of a missing object', object);
    else if (missed && known !== object)
      this.problem('the last state is not the object delivered last', object);
    else if (missed && !this.#truth.hasGone(uid, versionOf(object)))
      this.problem('invented deletion', object);
    else if (!missed) this.#advance(object);
    this.state.delete(placeOf(object));
  }

  /** Compares the final state with the objects of the server. */
  compareWith(objects: readonly WireObject[]): void {
    const expected = new Map(this.#truth.visible(objects).map((entry) => [keyOf(entry[0]), entry]));
    for (const [key, reported] of this.state) {
      if (!isDeepStrictEqual(reported, expected.get(key)?.[1]))
        this.problem('differs from the server at the end', reported);
      expected.delete(key);
    }
    for (const [missing] of expected.values()) this.problem('missing at the end', missing);
  }

  problem(what: string, { metadata: { namespace, name, uid, resourceVersion } }: Notification): void {
    this.problems.push(`${what}: ${namespace}/${name} ${uid} @${resourceVersion}`);
  }

  #begin(type: Call['type'], object: Notification, missed: boolean): void {
    if (this.#over !== undefined) this.problem(`${type} ${this.#over}`, object);
    this.calls.push({ type, uid: object.metadata.uid, version: versionOf(object), missed });
    if (missed) return;
    const real = this.#truth.at(versionOf(object));
    if (!isDeepStrictEqual(object, real))
      this.problem(`${type} of a state that the server never had`, object);
  }

  #advance(object: Notification): void {
    const { uid } = object.metadata;
    const version = versionOf(object);
    const last = this.#last.get(uid) ?? 0;
    if (version === last) this.problem('a version is delivered twice', object);
    if (version < last) this.problem('back in time', object);
    this.#last.set(uid, version);
    this.newest = Math.max(this.newest, version);
  }
}

function placeOf({ metadata: { namespace, name } }: Notification): string {
  return `${namespace}/${name}`;
}
