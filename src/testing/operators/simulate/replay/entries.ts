/** Entries of recordings, as replays use them. */
import type { Json, JsonObject } from '@kgen/schema/values/json';

/** An informer of the recorded manager. */
export interface RecordedInformer {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
}

/** Members of each entry. */
export interface Placed {
  /** Number of its line. */
  readonly line: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An entry whose content may be missing, because it was too large for the ring of the recorder. */
interface Omittable {
  readonly omittedBytes: number | undefined;
}

/** An object was added, changed or deleted. */
export interface ChangeEntry extends Placed, Omittable {
  readonly type: 'change';
  readonly informer: number;
  readonly isDeletion: boolean;
  readonly object: JsonObject;
}

/** A reconcile begins. */
export interface StartEntry extends Placed {
  readonly type: 'start';
  readonly run: number;
  readonly controller: string;
  readonly start: JsonObject;
}

/** Members of each entry of a request. */
export type SentPart = Pick<RequestEntry, 'run' | 'request' | keyof Placed>;

/** A reconcile sends a request. */
export interface RequestEntry extends Placed, Omittable {
  readonly type: 'request';
  readonly run: number;
  readonly request: number;
  readonly method: string;
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: Json | undefined;
}

/** A request ends. */
export interface ResponseEntry extends Placed, Omittable {
  readonly type: 'response';
  readonly run: number;
  readonly request: number;
  readonly result: 'response' | 'skipped' | 'error';
  readonly body: Json | undefined;
  readonly error: JsonObject;
}

/** A reconcile sends a request by `fetch`. Parts of the address may be `(redacted)`. */
export interface FetchEntry extends Placed, Omittable {
  readonly type: 'fetch';
  readonly run: number;
  readonly request: number;
  readonly method: string;
  readonly url: string;
  /** `undefined` if it is not recorded. */
  readonly body: string | undefined;
}

/** A request by `fetch` has a response, or fails. */
export interface FetchedEntry extends Placed {
  readonly type: 'fetched';
  readonly run: number;
  readonly request: number;
  /** `undefined` for an error. */
  readonly head:
    | {
        readonly status: number;
        readonly statusText: string;
        readonly headers: Headers;
        readonly hasBody: boolean;
        /** After redirects; `undefined` without one. */
        readonly url: string | undefined;
      }
    | undefined;
  readonly error: JsonObject;
}

/** The program has read the body of a response to `fetch`. */
export interface FetchedBodyEntry extends Placed, Omittable {
  readonly type: 'fetched body';
  readonly run: number;
  readonly request: number;
  readonly content: Uint8Array;
  /** Error that follows the content; `undefined` without one. */
  readonly error: JsonObject | undefined;
}

/** A reconcile ends. */
export interface EndEntry extends Placed {
  readonly type: 'end';
  readonly run: number;
  readonly outcome: JsonObject;
}

/** A webhook has responded to a review. */
export interface ReviewEntry extends Placed, Omittable {
  readonly type: 'review';
  /** Path of the webhook. */
  readonly path: string;
  readonly review: JsonObject;
  readonly status: number;
  /** Its patch is an array. */
  readonly response: Json | undefined;
}

/** An entry of a recording. */
export type Entry =
  | ChangeEntry
  | StartEntry
  | RequestEntry
  | ResponseEntry
  | FetchEntry
  | FetchedEntry
  | FetchedBodyEntry
  | EndEntry
  | ReviewEntry;
