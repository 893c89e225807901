/** One options interface per verb. Each is the last, optional parameter of its method. */
import type { LabelSelector } from './meta.ts';

declare global {
  /** Empty here: its members come with the types of Node or of a browser, and this package compiles without either. */
  interface AbortSignal {}
}

/** Acts as somebody else, where the server allows it: headers `Impersonate-*`. */
export interface Impersonation {
  /** The name of a user, or of a service account: `system:serviceaccount:<namespace>:<name>`. */
  readonly user: string;
  readonly uid?: string | undefined;
  /** All groups: the server adds only `system:authenticated`. Default: those that a service account of that name has. */
  readonly groups?: readonly string[] | undefined;
  /** More about the user. Names are in lower case for the server. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What every method takes. */
export interface RequestOptions {
  /** Ends the call; it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call, retries included; then it rejects with `TimeoutError`, which names the failure
   * that it was retrying after. Default: none; but a server that is silent for 300 s, before its answer or within it, is
   * given up with `TransportError`.
   *
   * Up to 10 times a call is sent again, silently: after 429 and 503 with a `Retry-After` (which is waited, if it is at
   * most 300 s); and only where it reads, after any other 5xx with one and after a connection that broke. Without
   * `timeoutMs` that may take as long as the server asks for, ten times over. With it, a wait that would be longer than
   * what is left is not begun: the call rejects with the answer that asks for it, an `ApiError`, at once.
   */
  timeoutMs?: number | undefined;
  /**
   * Sent besides the client's own headers; a value here wins. With `authorization` no credential of the configuration is
   * sent, and the call goes over a connection without its client certificate; with `impersonate-user` no impersonation is
   * sent. Names are the same in upper and lower case; a value that is `undefined` counts as absent. `host` changes the header
   * alone, not the server that is connected to and checked.
   * @throws {TypeError} a name or value that no header can hold, or a header of the connection, such as `upgrade`
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Bytes that the response may have, after decompression; then the call rejects with `DecodeError` and its connection is
   * closed. A write that is answered with more is done all the same. Of a list this is each page; of a watch, each event
   * (16 MiB at most). Logs, and other responses that are handed out as they arrive, have no limit. Default: that of the
   * client, which has none.
   * @throws {RangeError} below 1
   */
  maxResponseBytes?: number | undefined;
  /** Whom this call is made as, in place of whom the configuration says. */
  impersonate?: Impersonation | undefined;
}

/** Options of `get` and `find`. */
export interface GetOptions extends RequestOptions {
  /** `'0'` accepts any version that the server has in its cache; default: the newest. */
  resourceVersion?: string | undefined;
}

/** A label selector as text (`app=web,tier!=db`), as labels that must be equal, or as an API object. */
export type LabelSelectorInput = string | LabelSelector | Readonly<Record<string, string>>;

/** What a field must not be: none of these values. */
export interface NotEqual {
  readonly not: string | readonly string[];
}

/**
 * A field selector as text (`metadata.name=web`), or as fields that must be equal:
 * `{ 'spec.nodeName': 'n1', 'status.phase': { not: ['Succeeded', 'Failed'] } }`.
 */
export type FieldSelectorInput<Field extends string = string> =
  | string
  | { readonly [F in Field | 'metadata.name' | 'metadata.namespace']?: string | NotEqual };

/** Which objects are meant. */
export interface SelectorOptions<Field extends string = string> {
  /** Only objects with such labels: text, labels that must be equal, or an API object. Default: all. */
  labelSelector?: LabelSelectorInput | undefined;
  /**
   * Only objects with such fields: fields that must be equal, of which those are offered that are known to be
   * selectable; or text, which takes any field and is left to the server. Default: all.
   * @throws {ApiError} `isBadRequest` for a field that the server does not select by
   */
  fieldSelector?: FieldSelectorInput<Field> | undefined;
}

/** Options of `list`. */
export interface ListOptions<Field extends string = string> extends RequestOptions, SelectorOptions<Field> {
  /**
   * At most this many objects. `metadata.continue` of the answer is the token for the rest, and
   * `metadata.remainingItemCount` says how many those are, where the server knows. Default: all of them.
   */
  limit?: number | undefined;
  /** Token of the page before; goes with the same selectors, and without a `resourceVersion`. */
  continue?: string | undefined;
  /** What the answer may be based on; `'0'` is what the server has in its cache. Default: the newest state. */
  resourceVersion?: string | undefined;
  /** The state of `resourceVersion` itself, or any that is not older. Default: not older, without a `limit`. */
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** Seconds after which the server gives up. Default: the server's own, mostly 60. */
  timeoutSeconds?: number | undefined;
}

/**
 * Options of `iterate`: those of a list, which is fetched page by page. After 100 empty pages in a row, each with a token
 * for another, the iteration throws `DecodeError`.
 */
export interface IterateOptions<Field extends string = string>
  extends RequestOptions,
    SelectorOptions<Field> {
  /** Milliseconds for each page, retries included; then the iteration throws `TimeoutError`. Default: none. */
  timeoutMs?: number | undefined;
  /** Objects per request; 0 asks for all of them at once. Default 500. */
  pageSize?: number | undefined;
  /** What the first page may be based on; the others are of the same state. Default: the newest state. */
  resourceVersion?: string | undefined;
  /** The state of `resourceVersion` itself, or any that is not older. */
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** Seconds after which the server gives a page up. Default: the server's own, mostly 60. */
  timeoutSeconds?: number | undefined;
}

/** Options of `watch`. */
export interface WatchOptions<Field extends string = string> extends RequestOptions, SelectorOptions<Field> {
  /** Only changes after this version. Default: first every existing object as `ADDED`, then changes. */
  resourceVersion?: string | undefined;
  /**
   * Receives each failure that the watch retries after, before the wait. `attempt` counts failures in a row, from 1. An
   * exception of the function becomes a warning of the process, and the watch continues. To end the watch, abort `signal`.
   * Default: the 1st failure in a row, the 10th, the 100th and so on is a warning of the process (`WatchWarning`).
   */
  onRetry?: OnRetry | undefined;
}

/** Receives a failure after which a watch or a wait tries again; `attempt` counts failures in a row, from 1. */
export type OnRetry = (error: unknown, info: { readonly attempt: number }) => void;

/**
 * Also hands out `BOOKMARK` events, which say up to which version nothing else happened. Without a `resourceVersion` the
 * first one follows what exists, and has the annotation `k8s.io/initial-events-end` with the value `"true"`: its version is
 * the first to go on from later, as those of the objects before it are in no order.
 */
export interface Bookmarks {
  bookmarks: true;
}

/** Options of what waits. */
export interface WaitOptions extends RequestOptions {
  /** Milliseconds until the wait rejects with `TimeoutError`. Default: no limit besides `signal`. */
  timeoutMs?: number | undefined;
  /**
   * Receives each failure that the wait retries after. Default: the 1st failure in a row, the 10th, the 100th and so on is
   * a warning of the process (`WatchWarning`).
   */
  onRetry?: OnRetry | undefined;
}

/** Options of what sends an object, which may be a dry run. */
export interface SubmitOptions extends RequestOptions {
  /** Under which name the fields are recorded in `managedFields`. Default: from the User-Agent. */
  fieldManager?: string | undefined;
  /** What to do with unknown and duplicate fields. Default: that of the client; the server's own is `Warn`. */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /** `'All'` asks the server to do everything but what is asked for: nothing is stored. */
  dryRun?: 'All' | undefined;
}

/** Options of what stores an object. */
export interface WriteOptions extends SubmitOptions {
  /** `'All'` makes it a dry run. Then nothing is stored, so that what comes back is not `Stored`. */
  dryRun?: undefined;
}

/** Options of server-side apply, which may be a dry run. */
export interface SubmitApplyOptions extends RequestOptions {
  /** Who owns the fields of the intent from now on. */
  fieldManager: string;
  /** Takes fields over from other managers instead of failing with a conflict. Default false. */
  force?: boolean | undefined;
  /** `'All'` asks the server to do everything but store the result. */
  dryRun?: 'All' | undefined;
}

/** Options of server-side apply. */
export interface ApplyOptions extends SubmitApplyOptions {
  /** `'All'` makes it a dry run. Then nothing is stored, so that what comes back is not `Stored`. */
  dryRun?: undefined;
}

/** What must hold for a deletion to happen; otherwise it fails with a conflict. */
export interface Preconditions {
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

/** Sent as the body of the request. */
export interface DeleteOptions extends RequestOptions {
  /** Seconds that the object is given to end in peace; 0 ends it at once. Default: the kind's own. */
  gracePeriodSeconds?: number | undefined;
  preconditions?: Preconditions | undefined;
  /** What happens to objects that this one owns. Default: the kind's own, mostly `Background`. */
  propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  dryRun?: 'All' | undefined;
}

/** Options of `deleteCollection`: which objects, and how they are deleted. */
export interface DeleteCollectionOptions<Field extends string = string>
  extends DeleteOptions,
    SelectorOptions<Field> {}

/** `Type` decides the type of a patch's body. */
export interface PatchTyped<Type> extends WriteOptions {
  /** How the body is read. Default: `strategic` for built-in kinds, `merge` for custom resources. */
  type?: Type;
}

/** The same of a patch that may be a dry run. */
export interface SubmitPatchTyped<Type> extends SubmitOptions {
  /** How the body is read. Default: `strategic` for built-in kinds, `merge` for custom resources. */
  type?: Type;
}

/** Options of a patch of a built-in kind. The second member lets editors offer every type. */
export type PatchOptions<Type> = PatchTyped<Type> | PatchTyped<'strategic' | 'merge' | 'json'>;

/** Options of a patch of a built-in kind, which may be a dry run. */
export type SubmitPatchOptions<Type> =
  | SubmitPatchTyped<Type>
  | SubmitPatchTyped<'strategic' | 'merge' | 'json'>;

/** Options of a patch of a custom resource. */
export type CustomPatchOptions<Type> = PatchTyped<Type> | PatchTyped<'merge' | 'json'>;

/** Options of a patch of a custom resource, which may be a dry run. */
export type SubmitCustomPatchOptions<Type> = SubmitPatchTyped<Type> | SubmitPatchTyped<'merge' | 'json'>;
