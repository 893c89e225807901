/** A run that is built from the lines of one or two recordings: of the operator, and of the API server. */
import type { ViewChange, ViewEvent, ViewReconcile, ViewRequest, ViewState, ViewTarget } from './format.ts';
import { metadataOf } from './secrets.ts';

/** Changes of an object that a cause or another recording may refer to. */
const mostRecent = 16;

/** Requests of a kind that the other recording may have. */
const mostUnmatched = 64;

/** Milliseconds between the times of one request at the client and at the server. */
const skewMs = 1_000;

/** Milliseconds between two states, and their number: of ten minutes. */
const stateMs = 1_000;
const mostStates = 600;

/** A change that a cause may refer to. */
export interface RecentChange {
  /** Index of the event. */
  readonly index: number;
  readonly at: number;
  readonly change: ViewChange['change'];
  readonly target: ViewTarget;
  readonly uid: unknown;
  readonly version: unknown;
}

/** The oldest part of a run. */
export interface Dropped {
  readonly events: readonly ViewEvent[];
  readonly reconciles: readonly ViewReconcile[];
}

/** Keeps what is built, in another form. */
export interface RunKeeper {
  /** Returns the form of a new event. */
  add(event: ViewEvent, index: number): ViewEvent;
  /** Returns the form of an event that replaces the one with the index. */
  replace(event: ViewEvent, index: number): ViewEvent;
  /** Called for a new reconcile, and for its end. */
  addReconcile(reconcile: ViewReconcile, event: (index: number | undefined) => ViewEvent | undefined): void;
}

const plain: RunKeeper = { add: (event) => event, replace: (event) => event, addReconcile: () => undefined };

/** Events, reconciles and states in the order of their lines. Indices count those that are dropped. */
export class RunBuilder {
  readonly events: ViewEvent[] = [];
  readonly reconciles: ViewReconcile[] = [];
  readonly states: ViewState[] = [];
  readonly #keeper: RunKeeper;
  #changes = 0;
  #firstEvent = 0;
  #firstReconcile = 0;
  /** The last changes of each object, by `namespace/name`. */
  readonly #recent = new Map<string, RecentChange[]>();
  readonly #requests = { operator: new Unmatched(), cluster: new Unmatched() };

  constructor(keeper: RunKeeper = plain) {
    this.#keeper = keeper;
  }

  /** Index of the first event. */
  get firstEvent(): number {
    return this.#firstEvent;
  }

  /** Number of additions: equal numbers mean that nothing but the time has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Adds a state. Of those within a second, the last one is kept. */
  addState(state: ViewState): void {
    const last = this.states.at(-1);
    if (last === undefined || printedState(last) !== printedState(state)) this.#changes += 1;
    const before = this.states.at(-2)?.at ?? Number.NEGATIVE_INFINITY;
    if (state.at - before < stateMs) this.states.pop();
    this.states.push(state);
    if (this.states.length > mostStates) this.states.shift();
  }

  /** Adds an event and returns its index. */
  add(event: ViewEvent): number {
    const index = this.#firstEvent + this.events.length;
    this.#changes += 1;
    this.events.push(this.#keeper.add(event, index));
    return index;
  }

  /** Returns an event; `undefined` if it is dropped. */
  eventAt(index: number | undefined): ViewEvent | undefined {
    return this.events[(index ?? -1) - this.#firstEvent];
  }

  /** Replaces an event when more of it has arrived. */
  replace(index: number, event: ViewEvent): void {
    if (this.eventAt(index) === undefined) return;
    this.#changes += 1;
    this.events[index - this.#firstEvent] = this.#keeper.replace(event, index);
  }

  /** Adds a change, unless another recording or informer has the same. */
  addChange(change: ViewChange): void {
    const key = keyOf(change.target);
    const { uid, resourceVersion: version } = metadataOf(change.content);
    const { at, target } = change;
    const recent = this.#recent.get(key) ?? [];
    const added = { at, change: change.change, target, uid, version };
    if (recent.some((other) => isSame(other, added))) return;
    recent.push({ ...added, index: this.add(change) });
    if (recent.length > mostRecent) recent.shift();
    this.#recent.set(key, recent);
  }

  /** Returns the last changes of the objects with a key, of all resources. */
  recent(key: string): readonly RecentChange[] {
    return this.#recent.get(key) ?? [];
  }

  /**
   * Adds a request, or the facts of the server to the request of the operator. Returns its index.
   * @param from recording that has the request
   */
  addRequest(request: ViewRequest, from: 'operator' | 'cluster'): number {
    const other = from === 'operator' ? 'cluster' : 'operator';
    const index = this.#requests[other].take(request, (each) => this.eventAt(each)?.at);
    const present = this.eventAt(index);
    if (index === undefined || present?.kind !== 'request') {
      const added = this.add(request);
      this.#requests[from].add(request, added);
      return added;
    }
    this.endRequest(index, request, from);
    return index;
  }

  /** Replaces a request when it has ended; that of the operator receives the facts of the server. */
  endRequest(index: number, request: ViewRequest, from: 'operator' | 'cluster'): void {
    const before = this.eventAt(index);
    if (before?.kind !== 'request') return;
    // The keeper may have an event that cannot be copied.
    if (from === 'cluster' && before.reconcile !== undefined) Object.assign(before, factsOf(before, request));
    else this.replace(index, { ...request, ...factsOf(request, before) });
  }

  /** Adds a reconcile and returns its index. */
  addReconcile(reconcile: ViewReconcile): number {
    this.#changes += 1;
    this.reconciles.push(reconcile);
    this.#keeper.addReconcile(reconcile, (index) => this.eventAt(index));
    return this.#firstReconcile + this.reconciles.length - 1;
  }

  /** Replaces a reconcile when it has ended. Its causes remain. */
  endReconcile(index: number, reconcile: ViewReconcile): void {
    const place = index - this.#firstReconcile;
    const before = this.reconciles[place];
    if (before === undefined) return;
    this.#changes += 1;
    const ended = { ...reconcile, causes: before.causes };
    this.reconciles[place] = ended;
    this.#keeper.addReconcile(ended, () => undefined);
  }

  /** Drops a number of events, and the reconciles that have ended before the others. */
  drop(count: number): Dropped {
    const events = this.events.splice(0, count);
    this.#firstEvent += events.length;
    for (const event of events) if (event.kind === 'change') this.#forget(keyOf(event.target));
    const before = this.events[0]?.at ?? Number.POSITIVE_INFINITY;
    const kept = this.reconciles.findIndex(({ until = Number.POSITIVE_INFINITY }) => until >= before);
    const reconciles = this.reconciles.splice(0, kept < 0 ? this.reconciles.length : kept);
    this.#firstReconcile += reconciles.length;
    return { events, reconciles };
  }

  /** Forgets the changes of a key whose events are dropped: names of objects may be without end. */
  #forget(key: string): void {
    const kept = this.recent(key).filter(({ index }) => index >= this.#firstEvent);
    if (kept.length > 0) this.#recent.set(key, kept);
    else this.#recent.delete(key);
  }
}

function keyOf({ namespace, name }: ViewTarget): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/** Requests of one recording that the other one does not have yet, by their verb and target. */
class Unmatched {
  readonly #indices = new Map<string, number[]>();

  add(request: ViewRequest, index: number): void {
    const key = signatureOf(request);
    const indices = this.#indices.get(key) ?? [];
    indices.push(index);
    if (indices.length > mostUnmatched) indices.shift();
    this.#indices.set(key, indices);
  }

  take(request: ViewRequest, timeOf: (index: number) => number | undefined): number | undefined {
    const indices = this.#indices.get(signatureOf(request)) ?? [];
    const place = indices.findIndex((index) => Math.abs((timeOf(index) ?? 0) - request.at) < skewMs);
    return indices.splice(place, place < 0 ? 0 : 1)[0];
  }
}

/** The recording of the API server has no applies, and no names of creations. */
function signatureOf({ verb, target, subresource }: ViewRequest): string {
  const { group, resource, namespace, name } = target;
  const [method, object] = [verb === 'apply' ? 'patch' : verb, verb === 'create' ? '' : name];
  return JSON.stringify([method, group, resource, namespace, object, subresource]);
}

function printedState({ queues, informers }: ViewState): string {
  return JSON.stringify([queues, informers]);
}

/** The server knows the user and the status, the operator the reconcile and the bodies. */
function factsOf(own: ViewRequest, server: ViewRequest): Partial<ViewRequest> {
  const status = own.status ?? server.status;
  return {
    user: own.user || server.user,
    process: own.process || server.process,
    ...(status !== undefined && { status }),
  };
}

function isSame(one: Omit<RecentChange, 'index'>, other: Omit<RecentChange, 'index'>): boolean {
  const { group, resource } = one.target;
  if (group !== other.target.group || resource !== other.target.resource) return false;
  if ((one.change === 'delete') !== (other.change === 'delete')) return false;
  if (one.change === 'delete') return one.uid !== undefined && one.uid === other.uid;
  return one.version !== undefined && one.version === other.version;
}
