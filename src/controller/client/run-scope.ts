/**
 * The run to which a call belongs: it follows the asynchronous calls of a reconcile function, so that a
 * client attributes its writes without a parameter.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { RESTRequest } from '@kgen/runtime/rest';
import type { WriteRequest } from '../apply/noop-writes.ts';
import type { EventToRecord } from '../events/event.ts';
import type { LogEntry } from '../log.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { WriteFence } from './managed-client.ts';
import type { RequestTarget } from './request-target.ts';

/** A write of a run, after its response. */
export interface RunWrite {
  readonly verb: string;
  readonly target: RequestTarget;
  /** Owner of the written fields. */
  readonly fieldManager: string | undefined;
  /** Cached object before the request; `undefined` if no cache had it. */
  readonly before: object | undefined;
  /** Whether the request created the object: a `POST`. */
  readonly isCreation: boolean;
  /** Whether the request deletes the object. */
  readonly isDeletion: boolean;
  /** Object of the response; `undefined` if the response was lost or contains none. */
  readonly object: object | undefined;
  /** `object` as its cache has it; see `RunResponse`. */
  readonly after?: object | undefined;
  /** Whether the server chose the name, so that only lists find the object. */
  readonly isNameGenerated: boolean;
  /** Whether the object was visible in every cache of its resource when the call returned. */
  readonly isVisible: boolean;
}

/** A write that was not sent. */
export type SkippedWrite = Pick<WriteRequest, 'group' | 'resource' | 'verb'>;

/** A request of a run that begins. */
export interface RunRequest {
  readonly request: RESTRequest;
  readonly verb: string;
  /** Absent for paths of no resource, such as `/version`. */
  readonly target: RequestTarget | undefined;
  /** Whether the request may change something: it is neither a read nor a dry run. */
  readonly isWrite: boolean;
  /** Cached object before a write; `undefined` if no cache had it. */
  readonly before: object | undefined;
}

/** The end of a request: its response, its error, or the cached object with which it was skipped. */
export type RunResponse =
  | {
      readonly type: 'response';
      readonly response: unknown;
      /**
       * After a write, the object of the response as the cache has it, which may keep selected or transformed
       * fields only: it is comparable with `before` of the request. `undefined` if no cache has this version.
       */
      readonly after?: object | undefined;
    }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'skipped'; readonly response: object };

/** A read of a cache by a run. */
export interface RunRead {
  readonly resource: Pick<RequestTarget, 'group' | 'resource'>;
  /** `undefined` for all namespaces. */
  readonly namespace: string | undefined;
  /** `undefined` for a list. */
  readonly name: string | undefined;
  readonly objects: readonly object[];
}

/** A request of a run by `fetch` that begins. */
export interface RunFetch {
  readonly method: string;
  /** The address, with everything that it contains. */
  readonly url: URL;
  readonly headers: Headers;
  /** Absent without one; `(binary)` for anything but text. */
  readonly body: string | undefined;
}

/**
 * Events of a request by `fetch`, in their order: the response or an error, then parts of the body as the
 * program reads them, and the end of reading. A body that the program does not read has no events.
 */
export type FetchEvent =
  | { readonly type: 'response'; readonly response: Response }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly error?: unknown };

/** Observes the requests of a run. */
export interface RunObserver {
  /**
   * Called before each request by `fetch`. Returns the function that receives its events, if they are
   * observed. Neither throws.
   */
  fetched?(call: RunFetch): ((event: FetchEvent) => void) | undefined;
  /** Called for each Event that the run reports, before it is written. */
  reported?(event: EventToRecord): void;
  /** Called for each line that the run logs. */
  logged?(entry: LogEntry): void;
  /** Called for each read of a cache, before its result is used. */
  read?(read: RunRead): void;
  /** Called before each request. Returns the function that is called at its end. Neither throws. */
  requested(request: RunRequest): (end: RunResponse) => void;
}

/** A run, as seen by clients. */
export interface RunScope extends Omit<RunObserver, 'fetched'> {
  readonly controller: string;
  readonly key: ReconcileKey;
  /** Ends the requests of the run. */
  readonly signal: AbortSignal;
  /**
   * Called before each attempt of a mutating request, with the fence of the client.
   * @throws if the run must not write now, or any more
   */
  checkWrite(fence?: WriteFence): void;
  /** Called for each Event that the run reports. Never throws. */
  reported(event: EventToRecord): void;
  /** Called for each line that the run logs. Never throws. */
  logged(entry: LogEntry): void;
  /** Called after each read of a cache. Never throws. */
  read(read: RunRead): void;
  /**
   * Called before each request by `fetch`. Returns the function that receives its events; `undefined` if they
   * are not observed. Neither throws.
   */
  fetching(callOf: () => RunFetch): ((event: FetchEvent) => void) | undefined;
  /** Called after each write. Never throws. */
  wrote(write: RunWrite): void;
  /** Called for each write that was skipped because it would change nothing. Never throws. */
  skipped(write: SkippedWrite): void;
}

const scopes = new AsyncLocalStorage<RunScope>();

/** Calls `work`. Reads and writes that it causes, also asynchronously, are attributed to the run. */
export function inRun<R>(scope: RunScope, work: () => R): R {
  return scopes.run(scope, work);
}

/** Returns the run of the present call, or `undefined`. */
export function currentRun(): RunScope | undefined {
  return scopes.getStore();
}
