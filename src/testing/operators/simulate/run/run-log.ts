/** The requests and changes of a run in their order, and what they show about the operator. */
import type { Json } from '@kgen/schema/values/json';
import { keyOf, storageOf } from '@kgen/testserver/internal/controllers/cluster';
import type { LoggedRequest } from '@kgen/testserver/internal/http/request-log';
import type { Change } from '@kgen/testserver/internal/store/store';
import type { SimulatedCluster } from '../cluster.ts';
import type { Interleaving, SimulatedWrite } from '../coverage.ts';
import type { Disturber } from '../faults/disturber.ts';
import { type Entry, entryTextWithSite, isBookkeeping, type RequestEntry, targetOf } from '../history.ts';
import { Interleavings } from '../process/interleavings.ts';
import type { Leases } from '../process/leases.ts';
import { contentOf, type SentRequest, type WriteContent } from '../process/sent-request.ts';
import { isServiceVerb } from '../process/services/served-services.ts';
import type { FaultClass } from '../schedule/actions.ts';
import type { UserChange } from '../schedule/causes.ts';
import type { Access } from '../schedule/schedule.ts';

/** A write that the operator has sent. */
export interface LoggedWrite {
  readonly write: SimulatedWrite;
  /** Faults that it has met. */
  readonly faults: FaultClass[];
  /** The last change by a user before it; `undefined` before the first one. */
  readonly change: UserChange | undefined;
  /** The controller that has sent it; `undefined` outside of reconciles. */
  readonly controller: string | undefined;
}

/** Parts of a run that its log needs. */
export interface RunLogParts {
  readonly cluster: SimulatedCluster;
  readonly leases: Leases;
  /** Milliseconds since the start of the run. */
  readonly now: () => number;
  readonly disturber: () => Disturber;
  /** Called for each request. */
  readonly onRequest: () => void;
  /** Called for each write, and for each change of an object. */
  readonly onActivity: () => void;
  /** Called after each change of an object. */
  readonly onChanged: () => void;
  /** Called for a write of another process than the leader, with its line. */
  readonly onForeignWrite: (replica: string, leader: string, line: string) => void;
}

/** The log of a run. Leases and events are not part of it. */
export class RunLog {
  readonly entries: Entry[] = [];
  /** Storage keys of the resources that the operator has written. */
  readonly written: Set<string> = new Set();
  readonly writes: LoggedWrite[] = [];
  /** Keys of the objects that were removed, without those that another client has touched. */
  readonly removed: Set<string> = new Set();
  /** Number of requests of the operator. */
  requests = 0;
  /** Number of all requests, those for leases and events included. */
  sentRequests = 0;
  /** The last change by a user. */
  change: UserChange | undefined;
  readonly #parts: RunLogParts;
  readonly #accesses = new Map<string, Access>();
  readonly #interleavings = new Interleavings();
  #lastWrites: Entry[] = [];
  /** The request that a process is sending in this moment. */
  #sending: SentBy | undefined;
  /** The entry of the request that the server is receiving in this moment. */
  #received: RequestEntry | undefined;
  #site = '';

  constructor(parts: RunLogParts) {
    this.#parts = parts;
    parts.cluster.state.store.subscribe((change) => this.#changed(change));
  }

  get accesses(): readonly Access[] {
    return [...this.#accesses.values()];
  }

  get interleavings(): readonly Interleaving[] {
    return this.#interleavings.met;
  }

  /** Line of the operator that has sent the last request. */
  get site(): string {
    return this.#site;
  }

  /** The process whose request the server is receiving. */
  get sender(): string {
    return this.#received?.replica ?? '';
  }

  /** Returns the entry of a request that the server is receiving. */
  entryOf(request: LoggedRequest): RequestEntry | undefined {
    return this.#received?.request === request ? this.#received : undefined;
  }

  note(text: string): void {
    this.entries.push({ kind: 'note', atMs: this.#parts.now(), text });
  }

  step(text: string): void {
    this.entries.push({ kind: 'step', atMs: this.#parts.now(), text });
  }

  /** Notes a request that a process sends, or does not send because it crashes before. */
  sent(replica: string, { request, write, call, crash }: SentRequest): void {
    if (crash === 'before') {
      if (write === undefined || isBookkeeping(write.resource)) return;
      const faults: FaultClass[] = ['crash before', ...this.#parts.disturber().facing(replica)];
      this.writes.push({ write, faults, change: this.change, controller: call?.controller });
      return;
    }
    const isEmpty = write === undefined || request === undefined;
    const { holder, ...content } = isEmpty ? nothingWritten : contentOf(request);
    this.#sending = { replica, write, call, crash, ...content };
    this.#site = write?.site ?? '';
    this.#parts.leases.sent(replica, holder);
  }

  /** Notes a request that the server receives. */
  received(request: LoggedRequest): void {
    const { replica, name, write, call, crash, body, isApply } = this.#sending ?? unknownSender;
    this.#sending = undefined;
    const { verb, resource } = request;
    const faults: FaultClass[] = write === undefined ? [] : [...this.#parts.disturber().facing(replica)];
    if (crash !== undefined && write !== undefined) faults.push('crash after');
    const entry: RequestEntry = {
      kind: 'request',
      atMs: this.#parts.now(),
      replica,
      request,
      name: request.name || name,
      site: write?.site ?? '',
      faults,
    };
    this.#received = entry;
    this.sentRequests += 1;
    if (isBookkeeping(resource)) return;
    this.requests += 1;
    this.#parts.onRequest();
    this.#accesses.set(`${verb} ${targetOf(request)}`, { verb, resource: targetOf(request) });
    this.entries.push(entry);
    if (write === undefined) return;
    this.writes.push({ write, faults, change: this.change, controller: call?.controller });
    const { cluster } = this.#parts;
    const isOvertaken = call && this.#interleavings.received(write, call, cluster.time.now());
    if (isOvertaken === true) faults.push('overtaken');
    if (request.subresource === '' && !isServiceVerb(verb))
      this.#noteFields(request, entry.name, body, isApply);
    this.#parts.onActivity();
    this.#lastWrites.push(entry);
    const leader = this.#parts.leases.leader();
    if (leader !== undefined && leader !== replica)
      this.#parts.onForeignWrite(replica, leader, lineOf(entry));
  }

  #noteFields(request: LoggedRequest, name: string, body: Json | undefined, isApply: boolean): void {
    const { verb, namespace, group } = request;
    const resource = storageOf({ group, plural: request.resource });
    const before = this.#parts.cluster.state.store.get(resource, keyOf(namespace, name));
    const { sent, edits } = this.#parts.disturber();
    this.written.add(resource);
    sent.note({ resource, verb, namespace, name, body, before });
    if (isApply && body !== undefined) edits.applied(request, body);
  }

  /** Forgets the last writes. */
  startLastWrites(): void {
    this.#lastWrites = [];
  }

  /** Returns different lines of the last writes. */
  lastWrites(count: number): readonly string[] {
    return [...new Set(this.#lastWrites.slice(-count).map(lineOf))];
  }

  #changed(change: Change): void {
    const { disturber, leases, now, onActivity, onChanged } = this.#parts;
    disturber().changed(change);
    if (change.resource.startsWith('leases.')) leases.changed(change);
    if (isBookkeeping(change.resource)) return;
    onActivity();
    const { type, resource, key, object } = change;
    if (type === 'DELETED' && !disturber().edits.isTouched(object)) this.removed.add(`${resource} ${key}`);
    this.entries.push({ kind: 'change', atMs: now(), change });
    onChanged();
  }
}

/** Returns an entry as a line without its time. */
function lineOf(entry: Entry): string {
  return entryTextWithSite(entry).slice(13);
}

/** The sender of a request. */
type SentBy = Omit<SentRequest, 'request'> & Omit<WriteContent, 'holder'> & { readonly replica: string };

const nothingWritten: WriteContent = { name: '', holder: '', body: undefined, isApply: false };

const unknownSender: SentBy = {
  replica: '',
  name: '',
  write: undefined,
  call: undefined,
  crash: undefined,
  body: undefined,
  isApply: false,
};
