import type { KubernetesList } from '../meta.ts';
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

/**
 * Where a watch, a reflector or an informer gets its objects: one resource, in one namespace or all, under one pair of
 * selectors. Each call is one request; nothing is repeated here. `list` fills in apiVersion and kind of each item.
 * Both reject with `ApiError` for any answer but 2xx.
 */
export interface ListWatch<T> {
  /** Fetches one page, or with no `limit` everything. */
  list(params: ListParams, signal: AbortSignal): Promise<KubernetesList<Stored<T>>>;
  /** Opens the stream: its body is newline-delimited JSON until it ends, is cut or is cancelled. */
  watch(params: WatchParams, signal: AbortSignal): Promise<Response>;
  /** For messages: the resource and the namespace that are followed. */
  readonly target: Omit<Operation, 'verb'>;
}
