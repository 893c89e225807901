/**
 * Flight recorder: the last events, requests and reconciles of a manager in bounded memory, which are written
 * to a file on request, for a signal, or after an error. `replay` of `@kgen/testing` runs such a file.
 */

import { randomUUID } from 'node:crypto';
import type { Informer, KubernetesObject } from '@kgen/runtime';
import type { RunObserver, RunRead, RunRequest, RunResponse } from '../client/run-scope.ts';
import type { EventToRecord } from '../events/event.ts';
import type { LogEntry } from '../log.ts';
import { member, metadataString } from '../members.ts';
import type { EndedReview } from '../records/review-record.ts';
import type { RunNotes } from '../records/run-notes.ts';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import type { Outcome } from '../runs/outcome.ts';
import type {
  RecordedChange,
  RecordedEntry,
  RecordedInformer,
  RecordedInformerState,
  RecordedLease,
  RecordedQueue,
} from './entries.ts';
import { FetchEntries, type FetchEntriesOptions } from './fetch-entries.ts';
import { LineFormat } from './line-format.ts';
import { reviewEntry } from './recorded-review.ts';
import { textOf, writeLines } from './recording-file.ts';
import { incrementLines, type RecordingMoment, recordingLines } from './recording-lines.ts';
import { Ring, type RingEntry } from './ring.ts';
import {
  endEntry,
  eventEntry,
  logEntry,
  requestEntry,
  responseEntry,
  type StartedRun,
  startEntry,
} from './run-entries.ts';

/** Parts of a recorder. */
export interface FlightRecorderParts extends FetchEntriesOptions {
  /** Name of the manager. */
  readonly program: string;
  /** User that the client impersonates. Default: none. */
  readonly user?: string | undefined;
  /** Returns the states of the queues. Default: there are none. */
  readonly queues?: (() => readonly RecordedQueue[]) | undefined;
  /** Records only while a page requests the recording, and for a minute after it. Default: always. */
  readonly isOnDemand?: boolean | undefined;
}

/** Time for which a recorder on demand records after a request, in milliseconds. */
const demandMs = 60_000;

/** A run that begins while nothing is recorded. */
const unrecorded: RunRecorder = { requested: () => () => undefined, ended: () => undefined };

/** A change of an informer can be undone: the state before the entry is derived from the present one. */
interface ChangeEntry extends RingEntry {
  readonly undo?: Undo;
  readonly lease?: RecordedLease;
}

/** `before` is `omitted` if it is too large for the ring. */
interface Undo {
  readonly informer: number;
  readonly id: string;
  readonly before: object | undefined | 'omitted';
}

/** A recording, or its last lines, as text. */
export interface ServedRecording {
  /** Identifies the end of the text. */
  readonly tag: string;
  readonly text: string;
}

interface Followed {
  readonly info: RecordedInformer;
  /** Position of the recording after it. */
  readonly position: number;
  readonly informer: Informer<KubernetesObject>;
  /** The state that was recorded. */
  readonly objects: Map<string, KubernetesObject>;
  /** Objects of `objects`, now or before: faster to find than by their names. */
  readonly recorded: WeakSet<object>;
  /** Objects whose state was recorded before the informer has called the handlers for it. */
  readonly ahead: Set<string>;
}

/** Records one run. Its methods never throw. */
export interface RunRecorder extends RunObserver {
  ended(outcome: Outcome, notes: RunNotes): void;
}

/** Records a manager. Methods without a promise never throw. */
export class FlightRecorder {
  readonly #parts: FlightRecorderParts;
  readonly #format: LineFormat;
  readonly #fetches: FetchEntries;
  readonly #ring: Ring<ChangeEntry>;
  readonly #informers: Followed[] = [];
  readonly #known = new Set<Informer<KubernetesObject>>();
  readonly #releases: (() => void)[] = [];
  /** Cached objects that are too large for the ring. */
  readonly #large = new WeakSet<object>();
  readonly #instance = randomUUID();
  /** Present states of leases, and those before the first entry. */
  readonly #leases = new Map<string, string>();
  readonly #leasesBefore = new Map<string, RecordedLease>();
  /** Time until which entries are recorded, in milliseconds since 1970. */
  #until: number;
  #runs = 0;
  #requests = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(parts: FlightRecorderParts) {
    this.#parts = parts;
    this.#until = parts.isOnDemand === true ? 0 : Number.POSITIVE_INFINITY;
    this.#format = new LineFormat(parts);
    this.#fetches = new FetchEntries(parts, this.#format, (entry) => this.#push(entry));
    this.#ring = new Ring(parts.maxBytes, ({ lease }) => {
      if (lease !== undefined) this.#leasesBefore.set(lease.lease, lease);
    });
  }

  /** Records the changes of an informer from now on. */
  follow(informer: Informer<KubernetesObject>): void {
    if (this.#known.has(informer)) return;
    this.#known.add(informer);
    const { group, version, resource, kind = '' } = informer.resource;
    const number = this.#informers.length;
    const { namespaces } = informer;
    const info = { type: 'informer', informer: number, group, version, resource, kind, namespaces } as const;
    const followed: Followed = {
      info,
      position: this.#position + 1,
      informer,
      objects: new Map(),
      recorded: new WeakSet(),
      ahead: new Set(),
    };
    this.#informers.push(followed);
    const registration = informer.handle({
      add: (object) => this.#handled(followed, 'add', object),
      update: (object, old) => {
        if (object !== old) this.#handled(followed, 'update', object);
      },
      delete: (object) => this.#handled(followed, 'delete', object),
    });
    this.#releases.push(() => registration.remove());
  }

  /** Records the start of a run. */
  started(started: StartedRun): RunRecorder {
    if (!this.#isRecording()) return unrecorded;
    this.#runs += 1;
    const run = this.#runs;
    for (const followed of this.#informers) this.#catchUp(followed, started.key);
    this.#push(startEntry(run, started));
    let isOver = false;
    return {
      read: (read) => this.#wasRead(read),
      requested: (request) => this.#requested(run, request),
      reported: (event) => this.reported(event, run),
      logged: (entry) => this.logged(entry, run),
      // A replay cannot repeat requests of a reconcile that has ended.
      fetched: (call) =>
        isOver ? undefined : this.#fetches.begun({ run, request: this.#nextRequest(), call }),
      ended: (outcome, notes) => {
        isOver = true;
        this.#push(endEntry(run, outcome, { notes, format: this.#format }));
      },
    };
  }

  /** Records an Event that the program reports. */
  reported(event: EventToRecord, run?: number): void {
    if (!this.#isRecording()) return;
    const entry = eventEntry(event, { run, format: this.#format });
    if (entry !== undefined) this.#push(entry);
  }

  /** Records a line of the log. */
  logged(entry: LogEntry, run?: number): void {
    if (this.#isRecording()) this.#push(logEntry(entry, { run, format: this.#format }));
  }

  /** Records the present state of a lease, if it has changed. */
  leased(state: Omit<RecordedLease, 'type' | 'at'>): void {
    const text = JSON.stringify(state);
    if (this.#leases.get(state.lease) === text) return;
    this.#leases.set(state.lease, text);
    const lease: RecordedLease = { type: 'lease', at: Date.now(), ...state };
    if (this.#isRecording()) this.#ring.push({ line: this.#format.lineOf(lease), more: 0, lease });
    else this.#leasesBefore.set(lease.lease, lease);
  }

  /** Records a review of a webhook. */
  reviewed(review: EndedReview): void {
    if (!this.#isRecording()) return;
    const entry = reviewEntry(review, this.#format, this.#parts.includeSecrets);
    if (entry !== undefined) this.#push(entry);
  }

  /**
   * Writes the recording to a file that only its owner can read, and that is complete or absent. Files are
   * written one after the other.
   * @throws {Error} if the file cannot be written
   */
  write(file: string, reason = 'request'): Promise<void> {
    // The state of this call, whenever its turn is.
    const lines = this.#lines(reason);
    const written = this.#writing.then(() => writeLines(file, lines));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Whether recordings contain values of Secrets. */
  get hasSecrets(): boolean {
    return this.#parts.includeSecrets;
  }

  /**
   * Returns the lines since the text with the tag `after`; for another tag, and if some of them have been
   * dropped, the whole recording. The event loop continues meanwhile.
   */
  async since(after: string): Promise<ServedRecording> {
    if (!this.#isRecording()) this.#ring.skip();
    this.#until = Math.max(this.#until, Date.now() + demandMs);
    const [, instance, position] = /^"(.+)-(\d{1,15})"$/.exec(after) ?? [];
    const tag = `"${this.#instance}-${this.#position}"`;
    const increment = instance === this.#instance ? this.#increment(Number(position)) : undefined;
    return { tag, text: await textOf(increment ?? this.#lines('live')) };
  }

  /** Number of informers and entries so far. */
  get #position(): number {
    return this.#informers.length + this.#ring.pushed;
  }

  /** Returns the message of an error, without values of Secrets. */
  messageOf(thrown: unknown): string {
    return this.#format.messageOf(thrown);
  }

  /** Stops to record. Resolves when pending files are written. */
  async close(): Promise<void> {
    for (const release of this.#releases.splice(0)) release();
    await this.#writing;
  }

  /** Records a change, unless a run has used the state after it before: caches change before handlers run. */
  #handled(followed: Followed, change: 'add' | 'update' | 'delete', object: KubernetesObject): void {
    const key = keyOf(object);
    const id = idOf(key);
    const { objects, ahead } = followed;
    if (isSameState(objects.get(id), change === 'delete' ? undefined : object)) ahead.delete(id);
    else if (ahead.has(id)) this.#catchUp(followed, key);
    else this.#changed(followed, change, object);
  }

  /** Records the present state of an object, so that it precedes what a run does with it. */
  #catchUp(followed: Followed, key: ReconcileKey): void {
    const { informer, objects, ahead } = followed;
    const id = idOf(key);
    const [recorded, present] = [objects.get(id), informer.find(key)];
    if (isSameState(recorded, present)) return;
    ahead.add(id);
    if (present !== undefined) this.#changed(followed, recorded === undefined ? 'add' : 'update', present);
    else if (recorded !== undefined) this.#changed(followed, 'delete', recorded);
  }

  #wasRead({ resource, namespace, name, objects }: RunRead): void {
    for (const followed of this.#of(resource)) {
      if (name !== undefined) {
        this.#catchUp(followed, { namespace: namespace ?? '', name });
        continue;
      }
      const { recorded } = followed;
      const isRecorded = objects.every((object) => recorded.has(object));
      // Usually nothing is missing, and lists may be long. A recorded object that the list does not have may
      // be deleted.
      if (isRecorded && objects.length === followed.objects.size) continue;
      for (const object of [...objects, ...followed.objects.values()]) this.#catchUp(followed, keyOf(object));
    }
  }

  #of({ group, resource }: RunRead['resource']): readonly Followed[] {
    return this.#informers.filter(({ info }) => info.group === group && info.resource === resource);
  }

  #changed(followed: Followed, change: 'add' | 'update' | 'delete', object: KubernetesObject): void {
    const { info, objects, recorded } = followed;
    const id = idOf(keyOf(object));
    const before = objects.get(id);
    const isRecording = this.#isRecording();
    if (change === 'delete') objects.delete(id);
    else objects.set(id, object);
    recorded.add(object);
    if (!isRecording) return;
    const { informer, group, resource } = info;
    const shown = this.#format.shown(object, { group, resource });
    const entry: RecordedChange = { type: 'change', at: Date.now(), informer, change, object: shown };
    const { line, isWhole } = this.#format.fitting(entry);
    const kept = before !== undefined && this.#large.has(before) ? 'omitted' : before;
    if (!isWhole) this.#large.add(object);
    // The state before has about the size of the state after.
    const more = typeof kept === 'object' ? line.length * 2 : 0;
    this.#ring.push({ line, more, undo: { informer, id, before: kept } });
  }

  #requested(run: number, call: RunRequest): (end: RunResponse) => void {
    const { target } = call;
    const { name, namespace = '' } = target ?? {};
    if (target !== undefined && name !== undefined)
      for (const followed of this.#of(target)) this.#catchUp(followed, { namespace, name });
    const place = { run, request: this.#nextRequest() };
    const format = this.#format;
    this.#push(requestEntry(place, call, { format, user: this.#parts.user }));
    return (end) => this.#push(responseEntry(place, call, { end, format }));
  }

  #nextRequest(): number {
    this.#requests += 1;
    return this.#requests;
  }

  /** Entries before a pause are dropped: what has followed them is not recorded. */
  #isRecording(): boolean {
    if (Date.now() < this.#until) return true;
    this.#ring.clear();
    return false;
  }

  #push(entry: RecordedEntry): void {
    if (this.#isRecording()) this.#ring.push({ line: this.#format.fitting(entry).line, more: 0 });
  }

  /** Returns the lines of the file. References to the present state are taken at once, the text is lazy. */
  #lines(reason: string): Iterable<string> {
    const entries = this.#ring.entries();
    const states = this.#informers.map(({ objects }) => new Map<string, object | 'omitted'>(objects));
    for (const { undo } of [...entries].reverse()) {
      if (undo === undefined) continue;
      if (undo.before === undefined) states[undo.informer]?.delete(undo.id);
      else states[undo.informer]?.set(undo.id, undo.before);
    }
    const { program, maxBytes } = this.#parts;
    return recordingLines({
      ...{ program, maxBytes, reason, states, entries, ...this.#present() },
      informers: this.#informers.map(({ info }) => info),
      leases: [...this.#leasesBefore.values()],
      dropped: this.#ring.dropped,
      isOmitted: (object) => this.#large.has(object),
    });
  }

  /** Returns the lines after a position: only these are copied. `undefined` if one has been dropped. */
  #increment(after: number): Iterable<string> | undefined {
    const known = this.#informers.filter(({ position }) => position <= after).length;
    const entries = this.#ring.after(after - known);
    if (entries === undefined) return undefined;
    const informers = this.#informers.slice(known).map(({ info }) => info);
    return incrementLines({ ...this.#present(), after, informers, entries });
  }

  #present(): RecordingMoment {
    const [format, instance, position, at] = [this.#format, this.#instance, this.#position, Date.now()];
    const queues = this.#parts.queues?.() ?? [];
    const informers = this.#informers.map(({ informer }, number) => informerState(number, informer, at));
    return { format, instance, position, state: { type: 'state', at, queues, informers } };
  }
}

function keyOf(object: object): ReconcileKey {
  const metadata = member(object, 'metadata');
  const [namespace, name] = [member(metadata, 'namespace'), member(metadata, 'name')];
  return { namespace: String(namespace ?? ''), name: String(name ?? '') };
}

/** Returns whether two states of an object are the same one. */
function isSameState(a: object | undefined, b: object | undefined): boolean {
  if (a === b) return true;
  const version = metadataString(a, 'resourceVersion');
  return version !== undefined && version === metadataString(b, 'resourceVersion');
}

function informerState(
  number: number,
  informer: Informer<KubernetesObject>,
  at: number,
): RecordedInformerState {
  const { objects, synced, queued, lagMs, quietMs } = informer.stats();
  const lastEventAt = quietMs === undefined ? {} : { lastEventAt: Math.round(at - quietMs) };
  return { informer: number, objects, isSynced: synced, ...lastEventAt, queued, lagMs: Math.round(lagMs) };
}
