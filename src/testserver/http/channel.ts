/** Shared encoding of events for watches that receive equal ones. */
import type { ServerEnvironment } from '../environment/environment.ts';
import type { Encoding } from '../request/encoding.ts';
import type { WatchEvent, WatchPlan } from '../request/request.ts';
import type { Change } from '../store/store.ts';
import type { OpenWatch } from './watches.ts';

/** An encoded event. */
export interface Entry {
  readonly revision: number;
  readonly bytes: Uint8Array;
}

/**
 * With many watches, events are collected for several event-loop turns, one more for each of so many
 * watches: a busy server then writes to each connection less often, and an idle one runs these turns at
 * once.
 */
const watchesPerTurn = 100;

/** Maximum number of further turns. */
const mostTurns = 16;

type Deliver = (watches: Iterable<OpenWatch>, entries: readonly Entry[]) => void;

/**
 * Watches that receive equal events. The events of one event-loop turn are encoded once and written together.
 */
export class Channel {
  readonly #watches = new Set<OpenWatch>();
  readonly #plan: WatchPlan;
  readonly #encoding: Encoding;
  readonly #environment: ServerEnvironment;
  readonly #deliver: Deliver;
  #entries: Entry[] = [];
  #isScheduled = false;
  /** Ends with the last event that waits for the conversion of its object. `undefined` if none waits. */
  #waiting: Promise<void> | undefined;

  constructor(plan: WatchPlan, encoding: Encoding, environment: ServerEnvironment, deliver: Deliver) {
    this.#plan = plan;
    this.#encoding = encoding;
    this.#environment = environment;
    this.#deliver = deliver;
  }

  get size(): number {
    return this.#watches.size;
  }

  /** Whether no event waits for a webhook, so that a watch can join. */
  get isReady(): boolean {
    return this.#waiting === undefined;
  }

  /** Adds a watch, which receives the later events. */
  join(watch: OpenWatch): void {
    this.flush();
    this.#watches.add(watch);
  }

  leave(watch: OpenWatch): void {
    this.#watches.delete(watch);
  }

  /** Adds the event of a change, if it is visible to the watches. */
  publish(change: Change): void {
    // A watch may begin at a version in the future.
    if (change.revision <= this.#plan.revision) return;
    const event = this.#plan.step(change);
    if (event === undefined) return;
    if (this.#waiting === undefined && !(event instanceof Promise)) this.#add(change.revision, event);
    else this.#append(change.revision, event);
  }

  #append(revision: number, event: WatchEvent | Promise<WatchEvent | undefined>): void {
    const next = Promise.all([event, this.#waiting])
      .then(([value]) => {
        if (value !== undefined) this.#add(revision, value);
      })
      .catch(() => {
        // The object cannot be converted: the clients have to list again.
        for (const { sink } of this.#watches) sink.destroy();
      })
      .finally(() => {
        if (this.#waiting === next) this.#waiting = undefined;
      });
    this.#waiting = next;
  }

  #add(revision: number, event: WatchEvent): void {
    this.#entries.push({ revision, bytes: encodeOnce(event, this.#encoding) });
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#flushAfter(1 + Math.min(Math.floor(this.#watches.size / watchesPerTurn), mostTurns));
  }

  #flushAfter(turns: number): void {
    this.#environment.timer(0, () => {
      if (turns > 1) this.#flushAfter(turns - 1);
      else this.flush();
    });
  }

  /** Writes the collected events. */
  flush(): void {
    this.#isScheduled = false;
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    this.#entries = [];
    this.#deliver(this.#watches, entries);
  }
}

/** Encoded events by object: channels with different selections share the event of a change. */
const encoded = new WeakMap<object, { readonly key: string; readonly bytes: Uint8Array }>();

function encodeOnce(event: WatchEvent, encoding: Encoding): Uint8Array {
  const key = `${event.type} ${encoding.watchContentType}`;
  const known = encoded.get(event.object);
  if (known?.key === key) return known.bytes;
  const found = encoding.event(event);
  const bytes = typeof found === 'string' ? Buffer.from(found) : found;
  encoded.set(event.object, { key, bytes });
  return bytes;
}

/** Returns the bytes of events in one piece. */
export function concat(entries: readonly Entry[]): Uint8Array {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return first.bytes;
  return Buffer.concat(entries.map(({ bytes }) => bytes));
}
