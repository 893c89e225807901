/** Indices of a run: histories of objects, their owners, and the requests of reconciles. */
import type {
  ViewChange,
  ViewEvent,
  ViewLog,
  ViewReconcile,
  ViewRequest,
  ViewRun,
  ViewTarget,
} from '../../format.ts';
import type { Dropped } from '../../run-builder.ts';
import { isRecord, metadataOf } from '../../secrets.ts';
import { CompactContents, PlainContents } from './contents.ts';
import {
  compactEvent,
  type NewState,
  ObjectEntry,
  type ObjectHistory,
  type ObjectState,
} from './object-history.ts';
import { isServiceVerb } from './texts.ts';

/** Indices of a run. */
export interface RunModel {
  readonly run: ViewRun;
  readonly objects: ReadonlyMap<string, ObjectHistory>;
  readonly reconciles: ReadonlyMap<number, ViewReconcile>;
  /** Returns the objects of which an object is the first owner. */
  readonly childrenOf: (id: string) => readonly ObjectHistory[];
  /** Returns the requests of a reconcile. */
  readonly requestsOf: (reconcile: number) => readonly ViewRequest[];
  /** Returns the lines that a reconcile has logged. */
  readonly logOf: (reconcile: number) => readonly ViewLog[];
}

/** Returns the identity of an object in links. */
export function idOf({ group, resource, namespace, name }: ViewTarget): string {
  return JSON.stringify([group, resource, namespace, name]);
}

/** Returns the event with an index. */
export function eventAt(
  { events, firstEvent = 0 }: ViewRun,
  index: number | undefined,
): ViewEvent | undefined {
  return events[(index ?? -1) - firstEvent];
}

/** Returns the indices of a run. */
export function modelOf(run: ViewRun): RunModel {
  const index = new RunIndex({ isPlain: true });
  for (const [place, event] of run.events.entries()) index.add(event, place + (run.firstEvent ?? 0));
  for (const reconcile of run.reconciles) index.addReconcile(reconcile, (place) => eventAt(run, place));
  return index.model(run);
}

/** Indices of a run that grows. */
export class RunIndex {
  readonly #objects = new Map<string, ObjectEntry>();
  readonly #byUid = new Map<string, string>();
  readonly #children = new Map<string, Map<string, ObjectEntry>>();
  /** Objects whose owner is not an object of the run, by its uid. */
  readonly #orphans = new Map<string, Set<ObjectEntry>>();
  readonly #reconciles = new Map<number, ViewReconcile>();
  /** Indices of requests and lines of the log by the number of their reconcile. */
  readonly #events = new Map<number, number[]>();
  readonly #isPlain: boolean;
  #bytes = 0;

  /** @param isPlain whether the events stay as they are; otherwise they need a fraction of the memory */
  constructor({ isPlain }: { readonly isPlain: boolean }) {
    this.#isPlain = isPlain;
  }

  /** Estimated memory of the events and of the older states, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the indices, which change with the next addition. */
  model(run: ViewRun): RunModel {
    const eventsOf = (reconcile: number): readonly ViewEvent[] =>
      (this.#events.get(reconcile) ?? []).flatMap((place) => eventAt(run, place) ?? []);
    return {
      run,
      objects: this.#objects,
      reconciles: this.#reconciles,
      childrenOf: (id) => [...(this.#children.get(id)?.values() ?? [])],
      requestsOf: (reconcile) => eventsOf(reconcile).filter((event) => event.kind === 'request'),
      logOf: (reconcile) => eventsOf(reconcile).filter((event) => event.kind === 'log'),
    };
  }

  /** Adds an event. Returns it with its content in the history of its object. */
  add(event: ViewEvent, index: number): ViewEvent {
    this.#bytes += eventBytes;
    return this.replace(event, index);
  }

  /** Adds the state of an event that replaces the one with the same index. */
  replace(event: ViewEvent, index: number): ViewEvent {
    if ((event.kind === 'request' || event.kind === 'log') && event.reconcile !== undefined)
      addTo(this.#events, event.reconcile, index);
    if (event.kind !== 'change' && event.kind !== 'request') return event;
    const state = stateOf(event);
    const target = namedTarget(event.target, event.content);
    if (event.kind === 'request' && event.isWrite && event.reconcile !== undefined && target.name !== '')
      this.#objects.get(idOf(target))?.touch(event.reconcile);
    if (state === undefined) return this.#isPlain ? event : compactEvent(event, undefined, 0);
    const entry = this.#entryOf(target);
    const place = this.#addState(entry, state, event.content);
    if (event.kind === 'request' && event.isWrite && event.reconcile !== undefined)
      entry.touch(event.reconcile);
    return this.#isPlain ? event : compactEvent(event, entry, place);
  }

  /** Adds a reconcile, or its end. */
  addReconcile(reconcile: ViewReconcile, event: (index: number | undefined) => ViewEvent | undefined): void {
    const isNew = !this.#reconciles.has(reconcile.number);
    this.#reconciles.set(reconcile.number, reconcile);
    if (!isNew) return;
    this.#bytes += reconcileBytes;
    for (const { event: index } of reconcile.causes) {
      const cause = event(index);
      if (cause?.kind === 'change') this.#objects.get(idOf(cause.target))?.touch(reconcile.number);
    }
  }

  /** Removes the oldest events and reconciles. */
  drop({ events, reconciles }: Dropped): void {
    for (const event of events) {
      this.#bytes -= eventBytes;
      if (event.kind !== 'change') continue;
      const entry = this.#objects.get(idOf(event.target));
      if (entry !== undefined) this.#dropState(entry, event.at);
    }
    for (const { number } of reconciles) {
      this.#reconciles.delete(number);
      this.#events.delete(number);
      this.#bytes -= reconcileBytes;
    }
    const [first = Number.POSITIVE_INFINITY] = this.#reconciles.keys();
    for (const entry of this.#objects.values()) entry.forget(first);
  }

  /** The last state of an object that exists remains. */
  #dropState(entry: ObjectEntry, until: number): void {
    while (entry.states.length > (entry.isDeleted ? 0 : 1) && (entry.states[0]?.at ?? until + 1) <= until)
      this.#bytes -= entry.drop();
    if (entry.states.length > 0) return;
    this.#objects.delete(entry.id);
    this.#adopt(entry, []);
    if (this.#byUid.get(entry.uid) === entry.id) this.#byUid.delete(entry.uid);
    // They wait for an owner again.
    const children = this.#children.get(entry.id)?.values() ?? [];
    for (const child of [...children]) this.#adopt(child, child.ownerUids);
    this.#children.delete(entry.id);
  }

  #entryOf(target: ViewTarget): ObjectEntry {
    const id = idOf(target);
    const known = this.#objects.get(id);
    if (known !== undefined) return known;
    const entry = new ObjectEntry(id, target, this.#isPlain ? new PlainContents() : new CompactContents());
    this.#objects.set(id, entry);
    return entry;
  }

  /** Adds a state and returns its place. An informer repeats the state of a response. */
  #addState(entry: ObjectEntry, state: NewState, content: unknown): number {
    const known = entry.placeOf(state);
    if (known !== undefined) {
      entry.confirm(known, state);
      return known;
    }
    this.#bytes += entry.add(state, content);
    const { uid } = metadataOf(content);
    if (typeof uid === 'string') this.#named(uid, entry);
    const uids = ownerUids(content);
    if (!entry.isOwnedBy(uids)) this.#adopt(entry, uids);
    return entry.last;
  }

  /** An object becomes the owner of those that have named it before. */
  #named(uid: string, entry: ObjectEntry): void {
    if (this.#byUid.get(uid) === entry.id) return;
    this.#byUid.set(uid, entry.id);
    entry.uid = uid;
    const orphans = this.#orphans.get(uid) ?? [];
    this.#orphans.delete(uid);
    for (const orphan of orphans) this.#adopt(orphan, orphan.ownerUids);
  }

  #adopt(entry: ObjectEntry, uids: readonly string[]): void {
    const [before] = entry.owners;
    if (before !== undefined) this.#children.get(before)?.delete(entry.id);
    for (const uid of entry.ownerUids) this.#orphans.get(uid)?.delete(entry);
    const owners = uids.flatMap((uid) => this.#byUid.get(uid) ?? []);
    entry.own(uids, this.#isAbove(entry.id, owners[0]) ? [] : owners);
    for (const uid of uids) {
      if (this.#byUid.has(uid)) continue;
      const orphans = this.#orphans.get(uid) ?? new Set();
      this.#orphans.set(uid, orphans.add(entry));
    }
    const [owner] = entry.owners;
    if (owner === undefined) return;
    const children = this.#children.get(owner) ?? new Map<string, ObjectEntry>();
    this.#children.set(owner, children.set(entry.id, entry));
  }

  /** Returns whether an object is above another one, or that itself: owners may own each other. */
  #isAbove(id: string, other: string | undefined): boolean {
    const seen = new Set<string>();
    for (
      let above = other;
      above !== undefined && !seen.has(above);
      [above] = this.#objects.get(above)?.owners ?? []
    ) {
      if (above === id) return true;
      seen.add(above);
    }
    return false;
  }
}

/** Estimated memory in bytes, without contents. */
const eventBytes = 200;
const reconcileBytes = 600;

/** The reconcile of a request may be known after the request. */
function addTo<K>(map: Map<K, number[]>, key: K, value: number): void {
  const own = map.get(key);
  if (own === undefined) map.set(key, [value]);
  else if (!own.includes(value)) own.push(value);
}

/** A creation may leave the choice of the name to the server. */
function namedTarget(target: ViewTarget, content: unknown): ViewTarget {
  const { name } = metadataOf(content);
  return target.name === '' && typeof name === 'string' ? { ...target, name } : target;
}

function stateOf(event: ViewChange | ViewRequest): NewState | undefined {
  const version = versionOf(event.content);
  if (event.kind === 'change') return { at: event.at, change: event.change, version };
  if (event.result !== 'done' || !isRecord(event.content)) return undefined;
  const { content, reconcile, until = event.at, verb } = event;
  if (isServiceVerb(verb)) return undefined;
  if (content['kind'] === 'Status' || version === undefined || verb === 'delete') return undefined;
  return { at: until, change: 'write', version, by: reconcile };
}

/** Returns the place of the state that a change has; -1 if it is dropped. */
export function placeOf(states: readonly ObjectState[], { at, content }: ViewChange): number {
  const version = versionOf(content);
  return states.findLastIndex((state) =>
    version === undefined ? state.at === at : state.version === version,
  );
}

/** Returns the state of an object before a request. */
export function stateBefore(model: RunModel, { target, at, content }: ViewRequest): unknown {
  const version = versionOf(content);
  const states = model.objects.get(idOf(namedTarget(target, content)))?.states ?? [];
  return states.findLast((state) => state.at <= at && state.version !== version)?.content;
}

/** Returns the reconciles that have an object as their cause, or as the target of a write. */
export function reconcilesOf(model: RunModel, { reconciles }: ObjectHistory): readonly ViewReconcile[] {
  return reconciles.flatMap((number) => model.reconciles.get(number) ?? []);
}

function versionOf(content: unknown): unknown {
  return metadataOf(content)['resourceVersion'];
}

function ownerUids(content: unknown): readonly string[] {
  const { ownerReferences } = metadataOf(content);
  return Array.isArray(ownerReferences)
    ? ownerReferences.flatMap((owner: unknown) =>
        isRecord(owner) && typeof owner['uid'] === 'string' ? [owner['uid']] : [],
      )
    : [];
}

/** Returns the status of a condition `Ready` or `Available`, or the phase; empty without one. */
export function healthOf(content: unknown): string {
  const status = isRecord(content) && isRecord(content['status']) ? content['status'] : {};
  const { conditions, phase } = status;
  const all = Array.isArray(conditions) ? conditions.filter(isRecord) : [];
  const main = all.find(({ type }) => type === 'Ready' || type === 'Available');
  if (main !== undefined) return `${String(main['type'])}: ${String(main['status'])}`;
  return typeof phase === 'string' ? phase : '';
}
