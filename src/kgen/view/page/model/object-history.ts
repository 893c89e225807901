/** The history of an object, which grows while the page is live. */
import type { ViewChange, ViewEvent, ViewRequest, ViewTarget } from '../../format.ts';
import { parsed } from '../../recording-lines.ts';
import type { Contents } from './contents.ts';

/** A state of an object. */
export interface ObjectState {
  readonly at: number;
  readonly change: ViewChange['change'] | 'write';
  readonly content: unknown;
  readonly version: unknown;
  /** Number of the reconcile that has written it, if it is known. */
  readonly by?: number | undefined;
}

/** An object with its states, oldest first. */
export interface ObjectHistory {
  readonly id: string;
  readonly target: ViewTarget;
  readonly states: readonly ObjectState[];
  readonly isDeleted: boolean;
  /** Identities of its owners that are objects of the run. */
  readonly owners: readonly string[];
  /** Numbers of the reconciles that have it as the cause, or as the target of a write. */
  readonly reconciles: readonly number[];
}

/** A state without its content. */
export type NewState = Omit<ObjectState, 'content'>;

/** Estimated memory of a state in bytes, without its content. */
const stateBytes = 100;

/** The last states that an informer may repeat. */
const mostRepeated = 16;

/** A history that grows, and whose oldest states are dropped. */
export class ObjectEntry implements ObjectHistory {
  readonly id: string;
  readonly target: ViewTarget;
  readonly states: StoredState[] = [];
  readonly reconciles: number[] = [];
  readonly #contents: Contents;
  /** Empty if no content has one. */
  uid = '';
  #owners: readonly string[] = [];
  #ownerUids: readonly string[] = [];
  /** Number of dropped states. */
  #dropped = 0;

  constructor(id: string, target: ViewTarget, contents: Contents) {
    this.id = id;
    this.target = target;
    this.#contents = contents;
  }

  get isDeleted(): boolean {
    return this.states.at(-1)?.change === 'delete';
  }

  get owners(): readonly string[] {
    return this.#owners;
  }

  get ownerUids(): readonly string[] {
    return this.#ownerUids;
  }

  /** Place of the last state, which does not change when others are dropped. */
  get last(): number {
    return this.#dropped + this.states.length - 1;
  }

  /** Returns the content of a state; `undefined` if it is dropped. */
  contentAt(place: number): unknown {
    return place < this.#dropped ? undefined : this.#contents.at(place - this.#dropped);
  }

  /** Returns the place of the same state. */
  placeOf({ version, change }: NewState): number | undefined {
    if (version === undefined || change === 'delete') return undefined;
    const least = Math.max(0, this.states.length - mostRepeated);
    for (let index = this.states.length - 1; index >= least; index -= 1)
      if (this.states[index]?.version === version) return this.#dropped + index;
    return undefined;
  }

  /** The change of an informer replaces the state of a response, but not its reconcile and time. */
  confirm(place: number, state: NewState): void {
    const known = this.states[place - this.#dropped];
    if (known?.change === 'write') known.change = state.change;
  }

  add(state: NewState, content: unknown): number {
    this.states.push(new StoredState(this, this.last + 1, state));
    return this.#contents.add(content) + stateBytes;
  }

  drop(): number {
    this.states.shift();
    this.#dropped += 1;
    return this.#contents.drop() + stateBytes;
  }

  touch(reconcile: number): void {
    if (!this.reconciles.slice(-mostRepeated).includes(reconcile)) this.reconciles.push(reconcile);
  }

  /** Removes reconciles before a number. */
  forget(first: number): void {
    if ((this.reconciles[0] ?? first) >= first) return;
    this.reconciles.splice(0, this.reconciles.filter((number) => number < first).length);
  }

  isOwnedBy(uids: readonly string[]): boolean {
    return (
      uids.length === this.#ownerUids.length && uids.every((uid, index) => uid === this.#ownerUids[index])
    );
  }

  own(uids: readonly string[], owners: readonly string[]): void {
    this.#ownerUids = uids;
    this.#owners = owners;
  }
}

/** A state whose content its object has. */
class StoredState implements ObjectState {
  readonly at: number;
  change: ObjectState['change'];
  readonly version: unknown;
  readonly by: number | undefined;
  readonly #entry: ObjectEntry;
  readonly #place: number;

  constructor(entry: ObjectEntry, place: number, { at, change, version, by }: NewState) {
    this.#entry = entry;
    this.#place = place;
    this.at = at;
    this.change = change;
    this.version = version;
    this.by = by;
  }

  get content(): unknown {
    return this.#entry.contentAt(this.#place);
  }
}

/**
 * Returns an event in little memory: its object has the content, and its body is text.
 * @param entry object with the content at `place`; absent if the event has none
 */
export function compactEvent(
  event: ViewChange | ViewRequest,
  entry: ObjectEntry | undefined,
  place: number,
): ViewEvent {
  if (event.kind === 'change') {
    const { content: _content, ...rest } = event;
    return withMembers(new CompactEvent({ entry, place }), { ...rest, target: entry?.target ?? rest.target });
  }
  const { content, body, ...rest } = event;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const own = entry === undefined && content !== undefined ? JSON.stringify(content) : undefined;
  return withMembers(new CompactEvent({ entry, place, body: text, content: own }), rest);
}

function withMembers(compact: CompactEvent, members: object): ViewEvent {
  // seam: both have the members of the event together.
  return Object.assign(compact, members) as unknown as ViewEvent;
}

interface CompactParts {
  /** Object with the content at `place`. */
  readonly entry: ObjectEntry | undefined;
  readonly place: number;
  /** Members in JSON. */
  readonly body?: string | undefined;
  readonly content?: string | undefined;
}

/** Members of an event that need much memory. */
class CompactEvent {
  readonly #parts: CompactParts;

  constructor(parts: CompactParts) {
    this.#parts = parts;
  }

  get content(): unknown {
    const { entry, place, content } = this.#parts;
    return content === undefined ? entry?.contentAt(place) : parsed(content);
  }

  get body(): unknown {
    const { body } = this.#parts;
    return body === undefined ? undefined : parsed(body);
  }
}
