import type { DecodeError } from '../errors.ts';
import type { ListMeta } from '../meta.ts';
import type { Operation, Response } from '../rest/types.ts';
import type { Stored } from '../types.ts';

/** Query parameters of one LIST, as they go on the wire; selectors are the source's own. */
export interface ListParams {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

/** Query parameters of one WATCH, as they go on the wire; selectors are the source's own. */
export interface WatchParams {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'NotOlderThan';
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  /** Seconds after which the server ends the stream. */
  readonly timeoutSeconds?: number;
}

/** An item of a list that could not be read, as far as it is known. */
export interface UnreadableItem {
  readonly error: DecodeError;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** One page of a list, or all of it. */
export interface ObjectList<T> {
  readonly items: readonly Stored<T>[];
  readonly metadata: ListMeta;
  /** Items that are not in `items`. Only a source for caches passes over them; any other rejects with `DecodeError`. */
  readonly unreadable?: readonly UnreadableItem[] | undefined;
}

/**
 * Where a watch, a reflector or an informer gets its objects: one resource, in one namespace or all, under one pair of
 * selectors. Each call is one request; nothing is repeated here. `list` fills in apiVersion and kind of each item.
 * Both reject with `ApiError` for any answer but 2xx.
 */
export interface ListWatch<T> {
  /** Fetches one page, or with no `limit` everything. */
  list(params: ListParams, signal: AbortSignal): Promise<ObjectList<T>>;
  /**
   * Opens the stream, until it ends, is cut or is cancelled. Its body is frames where its `content-type` is
   * `application/vnd.kubernetes.protobuf;stream=watch`: four bytes of length, the highest first, and so many bytes, which
   * `readFrame` of the answer reads; else it is newline-delimited JSON.
   */
  watch(params: WatchParams, signal: AbortSignal): Promise<Response>;
  /**
   * Reads one line of a stream: gives what JSON.parse would give, an event `{ type, object }`. The bytes are the line's
   * for as long as the call lasts. Default: `JSON.parse`. Throws `SyntaxError` for what is no JSON.
   */
  readonly parseLine?: ((line: Uint8Array) => unknown) | undefined;
  /**
   * Aborts when the client is closed: the pause before the next request then ends at once, and the watch fails with a
   * `TransportError` whose code is `CLIENT_CLOSED`. Default: the pause ends in time, and the next request fails.
   */
  readonly closed?: AbortSignal | undefined;
  /** For messages: the resource and the namespace that are followed. */
  readonly target: Omit<Operation, 'verb'>;
}
