import type { Change } from '../store/store.ts';
import type { JsonObject } from '../values/json.ts';
import type { Problem } from './status.ts';

/** A request as a value: what the HTTP rim reads from the socket. */
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

/** A watch that was accepted: what to send first, and how each change becomes an event. */
export interface WatchPlan {
  readonly initial: readonly WatchEvent[];
  /** The event for a change, or undefined when this watch does not see it. */
  readonly step: (change: Change) => WatchEvent | undefined;
  /** The bookmark for a revision; undefined when the watch did not ask for bookmarks. */
  readonly bookmark: ((revision: number) => WatchEvent) | undefined;
  /** Seconds after which the server ends the watch; undefined for its own default. */
  readonly timeoutSeconds: number | undefined;
  /** The watch ends right after its initial events: they say that it failed. */
  readonly ended: boolean;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** What the HTTP rim is to send. */
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

/** A JSON answer. */
export function json(code: number, body: JsonObject, warnings: readonly string[] = []): Answer {
  return { kind: 'json', code, body, warnings };
}
