/** Requests and responses as values, so that verbs need no sockets. */
import type { JsonObject } from '@kgen/schema/values/json';
import type { Problem } from '../errors/status.ts';
import type { User } from '../identity/user.ts';
import type { Change } from '../store/store.ts';
import type { Encoding } from './encoding.ts';
import type { MessageSocket } from './socket.ts';

/** A request as a value, read from the socket by the HTTP listener. */
export interface ApiRequest {
  readonly method: string;
  /** Decoded path. */
  readonly pathname: string;
  /** Segments of the decoded path, without a slash at its end. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly userAgent: string;
  /** Address by which the client reaches the server: the header `Host`. None within the process. */
  readonly host?: string;
  readonly user: User;
  readonly body: string;
  /** The body in protobuf, instead of `body`. */
  readonly bytes?: Uint8Array | undefined;
  /** The decoded body, if it is not in `body`. */
  readonly object?: JsonObject | undefined;
}

/** An accepted watch: its initial events, and the conversion of changes to events. */
export interface WatchPlan {
  /** Storage key of the kind: only its changes concern the watch. */
  readonly resource: string;
  /**
   * Watches with equal channels receive equal events of a change, which are computed and encoded once. Empty
   * if the events depend on earlier ones of the watch.
   */
  readonly channel: string;
  /** The last revision that the initial events contain. */
  readonly revision: number;
  readonly initial: readonly WatchEvent[];
  /** Whether the initial events are the objects at present, rather than the changes after a version. */
  readonly startsWithState: boolean;
  /**
   * Returns the event of a change, or `undefined` if the change is invisible to this watch. A promise if a
   * webhook converts the object.
   */
  readonly step: (change: Change) => WatchEvent | undefined | Promise<WatchEvent | undefined>;
  /** Returns the bookmark of a revision. `undefined` if the watch did not request bookmarks. */
  readonly bookmark: ((revision: number) => WatchEvent) | undefined;
  /** Seconds after which the server ends the watch. `undefined` for the server's default. */
  readonly timeoutSeconds: number | undefined;
  /** Whether the watch ends after its initial events, which report a failure. */
  readonly ended: boolean;
  /** How events are written. Default: JSON. */
  readonly encoding?: Encoding;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: JsonObject;
}

/** Response that the HTTP listener sends. */
export type ApiResponse =
  | {
      readonly kind: 'json';
      readonly code: number;
      readonly body: JsonObject;
      readonly warnings: readonly string[];
      readonly contentType?: string;
      /** Headers besides those of the content, which they may replace. */
      readonly headers?: Readonly<Record<string, string>>;
      /** Default: JSON. */
      readonly encoding?: Encoding;
    }
  | {
      readonly kind: 'failure';
      readonly problem: Problem;
      readonly warnings: readonly string[];
      readonly encoding?: Encoding;
    }
  | {
      readonly kind: 'text';
      readonly code: number;
      readonly text: string;
      /** Default: plain text. Empty for a response without a body. */
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream';
      /** Default: 200. */
      readonly code?: number;
      readonly contentType: string;
      /** Headers besides those of the content. */
      readonly headers?: Readonly<Record<string, string>>;
      readonly chunks: AsyncIterable<Uint8Array>;
      /** Subprotocols of WebSockets that receive the chunks as messages. Default: none. */
      readonly protocols?: readonly string[];
      /** Ends the stream. */
      readonly cancel: () => void;
    }
  | {
      readonly kind: 'upgrade';
      /** Subprotocols of WebSockets that the server supports. */
      readonly protocols: readonly string[];
      /** Called with the WebSocket and the selected subprotocol. */
      readonly connected: (socket: MessageSocket, protocol: string) => void;
    }
  | {
      readonly kind: 'watch';
      readonly plan: WatchPlan;
      readonly warnings: readonly string[];
    };

/** Returns a JSON response. */
export function json(code: number, body: JsonObject, warnings: readonly string[] = []): ApiResponse {
  return { kind: 'json', code, body, warnings };
}

/** Forbids browsers to guess the type of a content. */
export const noSniff = { 'X-Content-Type-Options': 'nosniff' } as const;

/** Response to a path that is not served: a page, as Go writes it. */
export const pageNotFound: ApiResponse = {
  kind: 'text',
  code: 404,
  text: '404 page not found\n',
  headers: noSniff,
};
