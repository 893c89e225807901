/** Interface between state machines and a server. */
import type { DecodeError } from '../api/errors.ts';
import type { ListMeta } from '../api/meta.ts';
import type { RequestOperation } from '../api/operation.ts';
import type { APIResponse, DecodeObserver } from '../api/transport.ts';
import type { Stored } from '../api/types.ts';

/** Query parameters of one LIST. Selectors belong to the source. */
export interface ListParams {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Query parameters of one WATCH. Selectors belong to the source. */
export interface WatchParams {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** Time after which the server ends the stream, in seconds. */
  readonly timeoutSeconds?: number;
}

/** An item of a list that could not be decoded, with the members that are readable. */
export interface UnreadableItem {
  readonly error: DecodeError;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** One page of a list, or all objects of a list request without a limit. */
export interface ObjectList<T> {
  readonly items: readonly Stored<T>[];
  readonly metadata: ListMeta;
  /**
   * Items that are missing in `items` because they could not be decoded. Only a source for caches skips such
   * items; any other rejects with `DecodeError`.
   */
  readonly unreadable?: readonly UnreadableItem[] | undefined;
}

/**
 * Source of objects for watches, reflectors and informers: one resource, in one namespace or all, with one
 * pair of selectors. Each call sends one request, without retries. `list` sets apiVersion and kind of each
 * item. Both methods reject with `ApiError` for every status other than 2xx.
 */
export interface ListWatch<T> {
  /**
   * Fetches one page, or all objects without a `limit`. Calls `decoded` once the items are decoded, if the
   * source measures that.
   */
  list(params: ListParams, signal: AbortSignal, decoded?: DecodeObserver): Promise<ObjectList<T>>;
  /**
   * Opens a stream, until it ends, is interrupted or is cancelled. If the `content-type` is
   * `application/vnd.kubernetes.protobuf;stream=watch`, its body consists of frames, each preceded by its
   * length as a 32-bit big-endian integer, which `readFrame` of the response decodes. Otherwise the body is
   * newline-delimited JSON.
   */
  watch(params: WatchParams, signal: AbortSignal): Promise<APIResponse>;
  /**
   * Decodes one line of a stream to the event `{ type, object }` that JSON.parse would return. The bytes are
   * valid during the call only. Default: `JSON.parse`. Throws `SyntaxError` for invalid JSON.
   */
  readonly parseLine?: ((line: Uint8Array) => unknown) | undefined;
  /**
   * Aborts when the client is closed: the pause before the next request then ends at once, and the watch
   * fails with a `TransportError` with the code `CLIENT_CLOSED`. Default: the pause ends after its delay, and
   * the next request fails.
   */
  readonly closed?: AbortSignal | undefined;
  /** Resource and namespace, for error messages. */
  readonly target: Omit<RequestOperation, 'verb'>;
}
