/** Types of requests, responses and transports. */

import type { RequestOperation } from './operation.ts';
import type { Impersonation } from './options.ts';
import type { LoadProtobuf } from './resource.ts';
import type { AnySelection } from './selected.ts';

/** HTTP methods of the Kubernetes API. */
export type HTTPMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/**
 * Parses the JSON of one item of a list, from `start` to `end` of bytes that are reused afterwards. Throws
 * `SyntaxError` for invalid JSON.
 */
export type ReadItem = (json: Uint8Array, start: number, end: number) => unknown;

/**
 * Called with the time in which a part of a response was decoded, in milliseconds, and its encoding. Must not
 * throw.
 */
export type DecodeObserver = (encoding: 'json' | 'protobuf', ms: number) => void;

/**
 * Decodes one frame of a protobuf stream: returns its event in the form of JSON, `{ type, object }`, or
 * `undefined` if the frame has content that only a JSON response can represent. The bytes are valid only
 * during the call. Throws for an invalid event.
 */
export type ReadFrame = (frame: Uint8Array) => unknown;

/** Codecs of the requests and responses of one kind. */
export interface ProtobufCodecs {
  /** API version of the requested, listed or watched objects. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Loads the codecs of that API version; called with the first protobuf response. */
  readonly load: LoadProtobuf;
}

/** Request to change the protocol of the connection, as for `exec` by WebSocket. */
export interface ConnectionUpgrade {
  /** Value of the `Upgrade` header, such as `websocket`. */
  readonly protocol: string;
  /**
   * Called with the connection, a `Duplex` of `node:stream`, before the response 101 is returned. It then
   * belongs to the caller, and is destroyed when the signal of the request aborts and when the client is
   * closed. Not called for other responses.
   */
  readonly opened: (connection: object) => void;
}

/** A request before authentication: plain data, comparable in tests. */
export interface APIRequest {
  readonly method: HTTPMethod;
  /**
   * Absolute path below the server's base URL, already escaped: `/api/v1/namespaces/shop/pods`. A path with
   * characters that URLs cannot contain is rejected with a `TypeError`.
   */
  readonly path: string;
  /** Query parameters in the order of their names; names may be repeated. Not escaped. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Headers. Names are lower-case for a `Transport`; a `RESTClient` accepts any case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly operation: RequestOperation;
  readonly signal?: AbortSignal | undefined;
  /** Time-out of the whole request, in milliseconds; of a stream until its response begins. */
  readonly timeoutMs?: number | undefined;
  /** Whether the response is a stream without a time limit between its bytes. */
  readonly stream?: boolean;
  readonly impersonate?: Impersonation | undefined;
  /** Maximum number of retries; `docs/errors-and-retries.md` lists the retried failures. Default: 10. */
  readonly maxRetries?: number;
  /**
   * Parses the items of a list in place of `JSON.parse`, in a response that is decoded. The items of a list
   * in an unusual form, with `items` twice or with escapes in the name, are parsed by `JSON.parse`
   * nevertheless.
   */
  readonly readItem?: ReadItem;
  /**
   * Codecs for a response that may be protobuf: an object of that kind, a list of it, or a `Status`. The
   * headers still request JSON; a `RESTClient` adds protobuf before it, or not if the server supports only
   * JSON.
   */
  readonly protobuf?: ProtobufCodecs | undefined;
  /**
   * Body of the kind of `protobuf`, or `DeleteOptions`, in place of `body`: sent as protobuf if the server is
   * known to accept it, otherwise as JSON.
   */
  readonly object?: object;
  /**
   * Maximum bytes of the response after decompression: of each event of a watch, otherwise of the whole body.
   * Streams other than watches have no limit. Default: that of the client.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Omits `metadata.managedFields` of objects that are decoded from protobuf. */
  readonly omitManagedFields?: boolean;
  /**
   * Fields to which the items of a protobuf list, and the objects of protobuf events, are reduced. Other
   * fields are not decoded. Default: all fields.
   */
  readonly select?: AnySelection | undefined;
  /**
   * Called directly before the request is written to its connection, for which it may have waited. If it
   * throws, the request is not written, and the transport rejects with that error.
   */
  readonly beforeWrite?: (() => void) | undefined;
  /**
   * Requests another protocol on the connection, which is always HTTP/1.1 and not shared. If the connection
   * breaks before the response, the request is not retried: the server may have acted on it.
   */
  readonly upgrade?: ConnectionUpgrade | undefined;
  /**
   * Whether the caller needs no object of a success, as after a deletion or an eviction: a response without a
   * body, or with another text than a JSON or protobuf object, is a `Status` of success. Pages of proxies are
   * rejected nevertheless. Default: true for DELETE in `RESTClient.request`, otherwise false.
   */
  readonly acknowledged?: boolean;
  /**
   * Represents items of a protobuf list that cannot be decoded as `UnreadItem`s in its `items`, instead of
   * failing the whole list.
   */
  readonly itemErrors?: boolean;
  /** Called after the items of a list were decoded. Default: the time is not reported. */
  readonly decoded?: DecodeObserver | undefined;
}

/** A request of a `RESTClient`, in which everything but the path has a default. */
export interface RESTRequest extends Omit<APIRequest, 'method' | 'query' | 'headers' | 'operation'> {
  /** HTTP method. Default: `GET`. */
  readonly method?: HTTPMethod | undefined;
  /** Query parameters; names may be repeated. Not escaped. Default: none. */
  readonly query?: APIRequest['query'] | undefined;
  /** Headers, with names in any case. Default: none. */
  readonly headers?: APIRequest['headers'] | undefined;
  /** Operation in messages of errors. Default: method and path. */
  readonly operation?: RequestOperation | undefined;
  /** Value from which `body` was written, for interceptors. It is not sent. Default: none. */
  readonly source?: unknown;
}

/** A response. The body can be read once; `cancel` ends it early and frees the connection. */
export interface APIResponse {
  readonly status: number;
  /** Headers with lower-case names; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Maximum bytes of an event of a watch. Default and maximum: 16 MiB. */
  readonly maxEventBytes?: number;
  /** Decoder of the frames, if the response is the requested protobuf stream. */
  readonly readFrame?: ReadFrame;
  /** Cancels the body: its reader sees the end. Has no effect after its end. */
  cancel(): void;
}

/**
 * Sends a request and returns the response, whatever its status. Rejects only without a response: with
 * `TransportError`, `TimeoutError`, or the reason of `request.signal`.
 */
export type Transport = (request: APIRequest) => Promise<APIResponse>;
