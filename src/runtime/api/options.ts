/** Options of all verbs: one interface per verb, which is the last, optional parameter of its method. */
import type { DeletionSelectorOptions, SelectorOptions } from '../selectors/selection.ts';

declare global {
  /**
   * Empty here: its members are declared by the types of Node or of a browser, and this package compiles
   * without either.
   */
  interface AbortSignal {}
}

/**
 * User to impersonate, if the server permits it: headers `Impersonate-*`.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation
 */
export interface Impersonation {
  /** The name of a user, or of a service account: `system:serviceaccount:<namespace>:<name>`. */
  readonly user: string;
  readonly uid?: string | undefined;
  /**
   * All groups; the server adds only `system:authenticated`. Default: the groups of a service account if it
   * is one.
   */
  readonly groups?: readonly string[] | undefined;
  /** Further attributes of the user. The server reads their names in lower case. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Options of every method. */
export interface RequestOptions {
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit of the whole call including retries, in milliseconds, after which it rejects with a `TimeoutError`
   * that names the failure that was being retried. Default: none, but a server that sends nothing for 300 s,
   * before or within its response, is abandoned with `TransportError`. A retry that cannot begin within the
   * limit is not waited for: see `docs/errors-and-retries.md`.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Headers in addition to those of the client; a header here takes precedence. With `authorization`, no
   * credential of the configuration is sent, and the request uses a connection without its client
   * certificate. With `impersonate-user`, the impersonation of the configuration is not sent. Names are not
   * case-sensitive, and a value that is `undefined` counts as absent. `host` changes the header only, not the
   * server that is connected to and verified.
   * @throws {TypeError} an invalid name or value, or a header of the connection, such as `upgrade`
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Maximum size of the response after decompression, in bytes. A larger response rejects with `DecodeError`
   * and closes its connection, although a write may have been executed. Applies to each page of a list, and
   * to each event of a watch (which is at most 16 MiB). Streams, such as logs, have no limit. Default: that
   * of the client, which has none.
   * @throws {RangeError} below 1
   */
  readonly maxResponseBytes?: number | undefined;
  /** User to impersonate in this call, in place of that of the configuration. */
  readonly impersonate?: Impersonation | undefined;
}

/** Options of `get` and `find`. */
export interface GetOptions extends RequestOptions {
  /** `'0'` accepts any version in the server's cache. Default: the most recent version. */
  readonly resourceVersion?: string | undefined;
}

/** Options of `list`. */
export interface ListOptions<Field extends string = string> extends RequestOptions, SelectorOptions<Field> {
  /**
   * Maximum number of objects. `metadata.continue` of the response is the token for the remaining objects,
   * and `metadata.remainingItemCount` their number, if the server returns it. Default: all objects.
   */
  readonly limit?: number | undefined;
  /** Token of the previous page. Requires the same selectors, and no `resourceVersion`. */
  readonly continue?: string | undefined;
  /**
   * Minimum or exact version of the response, see `resourceVersionMatch`; `'0'` is any version in the
   * server's cache. Default: the most recent state.
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Returns the state of exactly `resourceVersion`, or one that is not older. Default: not older, if there is
   * no `limit`.
   */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /**
   * Time in seconds after which the server ends the request, which then fails. Default: that of the server,
   * usually 60.
   */
  readonly timeoutSeconds?: number | undefined;
}

/**
 * Options of `iterate`: those of a list, which is fetched page by page. After 100 consecutive empty pages
 * with a token for another page, the iteration throws `DecodeError`.
 */
export interface IterateOptions<Field extends string = string>
  extends RequestOptions,
    SelectorOptions<Field> {
  /**
   * Limit of each page including retries, in milliseconds, after which the iteration throws `TimeoutError`.
   * Default: none.
   */
  readonly timeoutMs?: number | undefined;
  /** Number of objects per request; 0 requests all objects at once. Default: 500. */
  readonly pageSize?: number | undefined;
  /**
   * Minimum or exact version of the first page; later pages have the same state. Default: the most recent
   * state.
   */
  readonly resourceVersion?: string | undefined;
  /** Returns the state of exactly `resourceVersion`, or one that is not older. */
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /**
   * Time in seconds after which the server ends the request for a page, which then fails. Default: that of
   * the server, usually 60.
   */
  readonly timeoutSeconds?: number | undefined;
}

/** Options of `watch`. */
export interface WatchOptions<Field extends string = string> extends RequestOptions, SelectorOptions<Field> {
  /**
   * Version, from a list or an event, after which changes are returned. If the server no longer has it, the
   * watch fails with an `ApiError` for which `isExpired` returns true. Default: first every existing object
   * as `ADDED`, then changes.
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Ends the loop without an error when it aborts, for any reason, also `AbortSignal.timeout(ms)`. The state
   * of the signal distinguishes this end. `timeoutMs` ends the loop with `TimeoutError`. Default: none.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each failure that the watch retries after, before the delay. `attempt` counts consecutive
   * failures, starting at 1. An exception of the function becomes a process warning, and the watch continues.
   * To end the watch, abort `signal`. Default: the 1st consecutive failure, the 10th, the 100th and so on is
   * a process warning (`WatchWarning`).
   */
  readonly onRetry?: OnRetry | undefined;
}

/**
 * Callback for a failure that a watch or a wait retries after. `attempt` counts consecutive failures,
 * starting at 1.
 */
export type OnRetry = (error: unknown, info: { readonly attempt: number }) => void;

/**
 * Also returns `BOOKMARK` events, which contain the version up to which there are no other changes. Without a
 * `resourceVersion`, the first one follows the existing objects and has the annotation
 * `k8s.io/initial-events-end` with the value `"true"`. Resume a watch from its version or a later one,
 * because the versions of the objects before it are unordered.
 */
export interface BookmarkOptions {
  readonly bookmarks: true;
}

/** Options of waits. */
export interface WaitOptions extends RequestOptions {
  /** Limit in milliseconds, after which the wait rejects with `TimeoutError`. Default: none. */
  readonly timeoutMs?: number | undefined;
  /**
   * Called with each failure that the wait retries after. Default: the 1st consecutive failure, the 10th, the
   * 100th and so on is a process warning (`WatchWarning`).
   */
  readonly onRetry?: OnRetry | undefined;
}

/**
 * Options of requests with an object. `DryRun` is the type of `dryRun`, on which the result depends: with
 * `'All'`, it is not `Stored`.
 */
export interface WriteOptions<DryRun extends 'All' | undefined = undefined> extends RequestOptions {
  /**
   * Name of the manager under which fields are recorded in `managedFields`. Default: derived from the
   * User-Agent.
   */
  readonly fieldManager?: string | undefined;
  /**
   * Handling of unknown and duplicate fields. Default: that of the client; the server's default is `Warn`.
   */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** `'All'` requests a dry run: the server processes everything without storing the result. */
  readonly dryRun?: DryRun | undefined;
}

/** Options of server-side apply. `DryRun` is the type of `dryRun`, on which the result depends. */
export interface ApplyOptions<DryRun extends 'All' | undefined = undefined> extends RequestOptions {
  /**
   * Manager that owns the fields of the intent. Default: `fieldManager` of the client. Without either, the
   * call rejects with a `TypeError` before a request.
   */
  readonly fieldManager?: string | undefined;
  /** Takes fields over from other managers instead of failing with a conflict. Default: false. */
  readonly force?: boolean | undefined;
  /** `'All'` requests a dry run: the server processes everything without storing the result. */
  readonly dryRun?: DryRun | undefined;
}

/** Conditions of a deletion, which otherwise fails with a conflict. */
export interface Preconditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Options of `delete`, sent as the body of the request. */
export interface DeleteOptions extends RequestOptions {
  /** Seconds for graceful termination; 0 terminates at once. Default: that of the kind. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly preconditions?: Preconditions | undefined;
  /** Propagation to dependents of the object. Default: that of the kind, usually `Background`. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly dryRun?: 'All' | undefined;
}

/** Options of `deleteCollection`: selectors and deletion options. */
export interface DeleteCollectionOptions<Field extends string = string>
  extends DeleteOptions,
    DeletionSelectorOptions<Field> {}

/** Options of a patch; `Type` determines the type of its body, `DryRun` that of the result. */
export interface PatchTyped<Type, DryRun extends 'All' | undefined = undefined> extends WriteOptions<DryRun> {
  /** Type of the body. Default: `strategic` for built-in kinds, `merge` for custom resources. */
  readonly type?: Type;
}

/** Options of a patch of a built-in kind. The second member adds completion for every type in editors. */
export type PatchOptions<Type, DryRun extends 'All' | undefined = undefined> =
  | PatchTyped<Type, DryRun>
  | PatchTyped<'strategic' | 'merge' | 'json', DryRun>;

/** Options of a patch of a custom resource. */
export type CustomPatchOptions<Type, DryRun extends 'All' | undefined = undefined> =
  | PatchTyped<Type, DryRun>
  | PatchTyped<'merge' | 'json', DryRun>;
