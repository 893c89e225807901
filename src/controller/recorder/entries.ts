/**
 * Format of recordings: JSON lines. The first line is the header, then follow the informers, the objects of
 * their caches at the beginning of the recording, the entries in the order of their events, the state of the
 * manager, and the end. `docs/replay.md` documents it for readers.
 */

import type { EventReference, EventType } from '../events/event.ts';
import { member } from '../members.ts';
import type { ReconcileKey } from '../runs/key.ts';

/** Version of the format. It changes if readers of the version before could misunderstand a file. */
export const recordingVersion = 1;

/** The first line. */
export interface RecordingHeader {
  readonly type: 'kgen recording';
  readonly version: typeof recordingVersion;
  /** Random, another one for each recorder. */
  readonly instance: string;
  /** Number of informers and entries so far, with the dropped ones. */
  readonly position: number;
  /** Name of the manager. */
  readonly program: string;
  /** Reason of the file: `request`, `signal`, or an error. */
  readonly reason: string;
  /** Times in ISO 8601: of the first entry, and of the file. */
  readonly from: string;
  readonly to: string;
  /** Whether values of Secrets and tokens are included. */
  readonly secrets: boolean;
  /** Number of older entries that the ring has dropped. */
  readonly dropped: number;
  /** Number of cached objects that are left out because of `maxBytes`. */
  readonly omittedObjects: number;
}

/**
 * The first line of an increment: new informers, the entries after a position, and the state follow. It
 * continues a recording, or another increment, of the same instance with this position.
 */
export interface RecordingIncrement {
  readonly type: 'kgen recording increment';
  readonly version: typeof recordingVersion;
  readonly instance: string;
  readonly after: number;
  readonly position: number;
  readonly at: number;
}

/** An informer. Its number is the `informer` of objects and changes. */
export interface RecordedInformer {
  readonly type: 'informer';
  readonly informer: number;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaces?: readonly string[] | undefined;
}

/** Entries that exceed half of the ring are recorded without their content, so that the others remain. */
interface Omittable {
  /** Size of the entry if its body is left out, or the object of a change except for its identity. */
  readonly omittedBytes?: number | undefined;
}

/** Members of each entry: milliseconds since the epoch, and the number of its reconcile. */
interface InRun {
  readonly at: number;
  readonly run: number;
}

/** An object was added, changed or deleted. */
export interface RecordedChange extends Omittable {
  readonly type: 'change';
  readonly at: number;
  readonly informer: number;
  readonly change: 'add' | 'update' | 'delete';
  readonly object: unknown;
}

/** A reconcile begins. */
export interface RecordedStart extends InRun {
  readonly type: 'start';
  readonly controller: string;
  /** Number of the worker that runs it, from 1. */
  readonly worker: number;
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  readonly cause: readonly object[];
}

/** A reconcile sends a request, or skips it. */
export interface RecordedRequest extends InRun, Omittable {
  readonly type: 'request';
  /** Number of the request, unique in the file. */
  readonly request: number;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  /** User that the client impersonates. */
  readonly user?: string | undefined;
  readonly body?: unknown;
  /** Line of the program, `/path/operator.ts:10`, if `kgen dev` or `kgen run` has started it. */
  readonly site?: string | undefined;
}

/** Error of a request: of the server, with its Status, or of the client. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  readonly status?: object | undefined;
}

/** The end of a request. */
export interface RecordedResponse extends InRun, Omittable {
  readonly type: 'response';
  readonly request: number;
  /** `skipped`: the request would have changed nothing and was not sent; `body` is the cached object. */
  readonly result: 'response' | 'skipped' | 'error';
  readonly body?: unknown;
  readonly error?: RecordedError | undefined;
}

/** A reconcile sends a request by `fetch`. Credentials in `url` are replaced by `(redacted)`. */
export interface RecordedFetch extends InRun, Omittable {
  readonly type: 'fetch';
  /** Number of the request, unique in the file, also among those of `request`. */
  readonly request: number;
  readonly method: string;
  readonly url: string;
  /** Only with `includeRequestBodies`. */
  readonly body?: string | undefined;
  /** Line of the program, as in `request`. */
  readonly site?: string | undefined;
}

/** The response to a request by `fetch` has arrived, or the request has failed. */
export interface RecordedFetched extends InRun {
  readonly type: 'fetched';
  readonly request: number;
  readonly result: 'response' | 'error';
  readonly status?: number | undefined;
  readonly statusText?: string | undefined;
  /** Headers without credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Address of the response after redirects. */
  readonly url?: string | undefined;
  /** Whether there is a body: if the program has read it, an entry `fetched body` has its content. */
  readonly hasBody?: boolean | undefined;
  readonly error?: RecordedFetchError | undefined;
}

/** The program has read the body of a response to its end, or has stopped. */
export interface RecordedFetchedBody extends InRun, Omittable {
  readonly type: 'fetched body';
  readonly request: number;
  /** A body that is not UTF-8 is in base64. */
  readonly encoding?: 'utf8' | 'base64' | undefined;
  readonly body?: string | undefined;
  readonly error?: RecordedFetchError | undefined;
}

/** Error of a request by `fetch`. */
export interface RecordedFetchError {
  readonly name: string;
  readonly message: string;
  readonly cause?: { readonly message: string; readonly code?: string | undefined } | undefined;
}

/** The program has reported an Event, which is written later, or not at all if there are too many. */
export interface RecordedEvent {
  readonly type: 'event';
  readonly at: number;
  /** Absent outside of reconciles. */
  readonly run?: number | undefined;
  readonly regarding: EventReference;
  readonly eventType: EventType;
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** The program has logged a line. */
export interface RecordedLog {
  readonly type: 'log';
  readonly at: number;
  /** Absent outside of reconciles. */
  readonly run?: number | undefined;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  /** Members of the line in JSON, at most 2,000 characters; empty without one. */
  readonly fields: string;
}

/** Another process leads, or other shards belong to this process. */
export interface RecordedLease {
  readonly type: 'lease';
  readonly at: number;
  /** `leader`, or `shard` and the name of the ring. */
  readonly lease: string;
  /** Whether this process leads, or owns shards. */
  readonly isHeld: boolean;
  /** Identity of the leader, `''` for none; of a ring, that of this process. */
  readonly holder: string;
  /** Number of owned shards, of 256. */
  readonly shards?: number | undefined;
  /** Number of members of the ring. */
  readonly members?: number | undefined;
}

/** A reconcile ends. */
export interface RecordedEnd extends InRun {
  readonly type: 'end';
  readonly outcome: { readonly type: string; readonly afterMs?: number | undefined };
  readonly error?: string | undefined;
  readonly reads: readonly object[];
}

/** A webhook has responded to a review. `at` is its begin, and the position in the file is its end. */
export interface RecordedReview extends Omittable {
  readonly type: 'review';
  readonly at: number;
  /** Path of the webhook. */
  readonly path: string;
  /** The review with its request. */
  readonly review?: unknown;
  /** Status of HTTP. */
  readonly status: number;
  /** The review with its response, whose `patch` is an array; the text of a body that is not JSON. */
  readonly response?: unknown;
}

/** An entry of the ring. */
export type RecordedEntry =
  | RecordedChange
  | RecordedStart
  | RecordedRequest
  | RecordedResponse
  | RecordedFetch
  | RecordedFetched
  | RecordedFetchedBody
  | RecordedEnd
  | RecordedReview
  | RecordedEvent
  | RecordedLog
  | RecordedLease;

/** The state of the manager when a recording is written or served. Times are milliseconds since 1970. */
export interface RecordedState {
  readonly type: 'state';
  readonly at: number;
  readonly queues: readonly RecordedQueue[];
  readonly informers: readonly RecordedInformerState[];
}

/** Keys of a controller. */
export interface RecordedQueue {
  readonly controller: string;
  /** Number of workers; 0 if they do not run, as without leadership. */
  readonly workers: number;
  /** Keys that are reconciled, with the time of their start. */
  readonly running: readonly (ReconcileKey & { readonly since: number })[];
  /** The first keys that wait. */
  readonly waiting: readonly RecordedWaitingKey[];
  /** Number of other keys that wait. */
  readonly more: number;
}

/** A key that waits for a reconcile. */
export interface RecordedWaitingKey extends ReconcileKey {
  /** Time of its addition. */
  readonly since: number;
  /** End of its delay; absent if the next free worker takes it. */
  readonly due?: number | undefined;
  /** Type of its cause, as in `start`, but `change` and `requeueAfter`. */
  readonly reason: string;
}

/** State of an informer, with the number of its line. */
export interface RecordedInformerState {
  readonly informer: number;
  /** Number of cached objects. */
  readonly objects: number;
  /** Whether the cache has become complete. */
  readonly isSynced: boolean;
  /** Time of the last data of the server; for several namespaces, of the oldest one of them. */
  readonly lastEventAt?: number | undefined;
  /** Number of queued calls of handlers. */
  readonly queued: number;
  /** Time for which the oldest of them has waited, in milliseconds. */
  readonly lagMs: number;
}

/** Returns an entry of this size without its content. The identity of a changed object remains. */
export function withoutContent(entry: RecordedEntry, omittedBytes: number): RecordedEntry {
  if (entry.type === 'change') return { ...entry, object: identityOf(entry.object), omittedBytes };
  if (entry.type === 'request' || entry.type === 'fetch') return { ...entry, body: undefined, omittedBytes };
  if (entry.type === 'fetched body') return { ...entry, encoding: undefined, body: undefined, omittedBytes };
  if (entry.type === 'review') return { ...entry, review: undefined, response: undefined, omittedBytes };
  if (entry.type !== 'response') return entry;
  const { error } = entry;
  const shortened = error && { name: error.name, message: error.message.slice(0, longestMessage) };
  return { ...entry, body: undefined, error: shortened, omittedBytes };
}

/** Characters of an error that is too large for the ring. */
const longestMessage = 500;

function identityOf(object: unknown): object {
  const metadata = member(object, 'metadata');
  const names = ['name', 'namespace', 'uid', 'resourceVersion'];
  const kept = names.flatMap((name) => {
    const value = member(metadata, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { metadata: Object.fromEntries(kept) };
}
