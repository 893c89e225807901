/** A run that is built from the lines of one or two recordings: of the operator, and of the API server. */
import type { ViewChange, ViewEvent, ViewReconcile, ViewRequest, ViewState, ViewTarget } from './format.ts';
import { metadataOf } from './secrets.ts';

/** Changes of an object that a cause or another recording may refer to. */
const mostRecent = 16;

/** Requests of a kind that the other recording may have. */
const mostUnmatched = 64;

/** Milliseconds between the times of one request at the client and at the server. */
const skewMs = 1_000;

/** Milliseconds between two states. */
const stateMs = 1_000;

/** A change with its index in the events. */
export type PlacedChange = readonly [change: ViewChange, index: number];

/** Events, reconciles and states in the order of their lines. */
export class RunBuilder {
  readonly events: ViewEvent[] = [];
  readonly reconciles: ViewReconcile[] = [];
  readonly states: ViewState[] = [];
  /** The last changes of each object, by `namespace/name`. */
  readonly #recent = new Map<string, PlacedChange[]>();
  readonly #requests = { operator: new Unmatched(), cluster: new Unmatched() };

  /** Adds a state. Of those within a second, the last one is kept. */
  addState(state: ViewState): void {
    const before = this.states.at(-2)?.at ?? Number.NEGATIVE_INFINITY;
    if (state.at - before < stateMs) this.states.pop();
    this.states.push(state);
  }

  /** Adds an event and returns its index. */
  add(event: ViewEvent): number {
    return this.events.push(event) - 1;
  }

  /** Adds a change, unless another recording or informer has the same. */
  addChange(change: ViewChange): void {
    const key = keyOf(change.target);
    const recent = this.#recent.get(key) ?? [];
    if (recent.some(([other]) => isSame(other, change))) return;
    recent.push([change, this.add(change)]);
    if (recent.length > mostRecent) recent.shift();
    this.#recent.set(key, recent);
  }

  /** Returns the last changes of the objects with a key, of all resources. */
  recent(key: string): readonly PlacedChange[] {
    return this.#recent.get(key) ?? [];
  }

  /**
   * Adds a request, or the facts of the server to the request of the operator. Returns its index.
   * @param from recording that has the request
   */
  addRequest(request: ViewRequest, from: 'operator' | 'cluster'): number {
    const other = from === 'operator' ? 'cluster' : 'operator';
    const index = this.#requests[other].take(request, this.events);
    const present = index === undefined ? undefined : this.events[index];
    if (index === undefined || present?.kind !== 'request') {
      const added = this.add(request);
      this.#requests[from].add(request, added);
      return added;
    }
    this.events[index] = from === 'operator' ? combined(request, present) : combined(present, request);
    return index;
  }

  /** Replaces a request when its response has arrived. */
  endRequest(index: number, request: ViewRequest): void {
    const before = this.events[index];
    this.events[index] = before?.kind === 'request' ? combined(request, before) : request;
  }
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

  take(request: ViewRequest, events: readonly ViewEvent[]): number | undefined {
    const indices = this.#indices.get(signatureOf(request)) ?? [];
    const place = indices.findIndex((index) => Math.abs((events[index]?.at ?? 0) - request.at) < skewMs);
    return indices.splice(place, place < 0 ? 0 : 1)[0];
  }
}

/** The recording of the API server has no applies, and no names of creations. */
function signatureOf({ verb, target, subresource }: ViewRequest): string {
  const { group, resource, namespace, name } = target;
  const [method, object] = [verb === 'apply' ? 'patch' : verb, verb === 'create' ? '' : name];
  return JSON.stringify([method, group, resource, namespace, object, subresource]);
}

/** The server knows the user and the status, the operator the reconcile and the bodies. */
function combined(own: ViewRequest, server: ViewRequest): ViewRequest {
  const status = own.status ?? server.status;
  return {
    ...own,
    user: own.user || server.user,
    process: own.process || server.process,
    ...(status !== undefined && { status }),
  };
}

function keyOf({ namespace, name }: ViewTarget): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function isSame(one: ViewChange, other: ViewChange): boolean {
  const { group, resource } = one.target;
  if (group !== other.target.group || resource !== other.target.resource) return false;
  if ((one.change === 'delete') !== (other.change === 'delete')) return false;
  const { uid, resourceVersion } = metadataOf(one.content);
  const metadata = metadataOf(other.content);
  if (one.change === 'delete') return uid !== undefined && uid === metadata['uid'];
  return resourceVersion !== undefined && resourceVersion === metadata['resourceVersion'];
}
