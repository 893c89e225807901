import type { Change } from '../store/store.ts';
import type { JsonObject } from '../values/json.ts';
import type { Problem } from './status.ts';

/** A request as a value, read from the socket by the HTTP listener. */
export interface ApiRequest {
  readonly method: string;
  /** Decoded path segments, without empty ones. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  readonly body: string;
}

/** An accepted watch: its initial events, and the conversion of changes to events. */
export interface WatchPlan {
  readonly initial: readonly WatchEvent[];
  /** Returns the event of a change, or `undefined` if the change is invisible to this watch. */
  readonly step: (change: Change) => WatchEvent | undefined;
  /** Returns the bookmark of a revision. `undefined` if the watch did not request bookmarks. */
  readonly bookmark: ((revision: number) => WatchEvent) | undefined;
  /** Seconds after which the server ends the watch. `undefined` for the server's default. */
  readonly timeoutSeconds: number | undefined;
  /** Whether the watch ends after its initial events, which report a failure. */
  readonly ended: boolean;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** Response that the HTTP listener sends. */
export type Answer =
  | {
      readonly kind: 'json';
      readonly code: number;
      readonly body: JsonObject;
      readonly warnings: readonly string[];
      readonly contentType?: string;
    }
  | { readonly kind: 'failure'; readonly problem: Problem; readonly warnings: readonly string[] }
  | { readonly kind: 'text'; readonly code: number; readonly text: string }
  | { readonly kind: 'watch'; readonly plan: WatchPlan; readonly warnings: readonly string[] };

/** Returns a JSON response. */
export function json(code: number, body: JsonObject, warnings: readonly string[] = []): Answer {
  return { kind: 'json', code, body, warnings };
}
