/** Requests and responses as values, and the one seam through which they leave the process. */
import type { Impersonation } from '../options.ts';
import type { LoadProtobuf } from '../protobuf/types.ts';

/** The methods of HTTP that the API uses. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** What a request is for, in the words of its user: the first half of every error message. */
export interface Operation {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`, … */
  readonly verb: string;
  /** The plural, with `/subresource` where there is one; the path for requests without a resource. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * Reads the JSON of one item of a list, from `start` to `end` of bytes that are used for others afterwards.
 * Throws `SyntaxError` for what is no JSON.
 */
export type ReadItem = (json: Uint8Array, start: number, end: number) => unknown;

/**
 * Reads one frame of a stream of protobuf: gives its event as JSON would say it, `{ type, object }`, or `undefined` where
 * only another answer, in JSON, says all that it holds. The bytes are the frame's for as long as the call lasts.
 * Throws for what is no event.
 */
export type ReadFrame = (frame: Uint8Array) => unknown;

/** What reads and writes the answers and bodies of a request as protobuf. */
export interface ProtobufCodecs {
  /** Of the objects that are asked for, or are listed or followed. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Loads the codecs of that apiVersion; called with the first answer that is protobuf. */
  readonly load: LoadProtobuf;
}

/** A request, before authentication and connection: plain data, compared in tests without IO. */
export interface Request {
  readonly method: Method;
  /**
   * Absolute, below the server's base URL, already escaped: `/api/v1/namespaces/shop/pods`. A path with a character that
   * no URL can hold is refused with a `TypeError`.
   */
  readonly path: string;
  /** In the order of their names; a name may be repeated. Not escaped. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Names in lower case for a `Transport`; a `RESTClient` takes them in any. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly operation: Operation;
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole request; of a stream until its answer begins. */
  readonly timeoutMs?: number;
  /** The body of the answer is followed for as long as it lasts: no time-out between its bytes. */
  readonly stream?: boolean;
  readonly impersonate?: Impersonation;
  /**
   * How often the request may be sent again. Reads are after 429 and any 5xx that says when (`Retry-After`), and after
   * a connection that broke; writes only after 429 and 503 that say when. What the server asks to wait is waited, and
   * up to a tenth or 100 ms more; where that is more than 300 s, or more than is left of `timeoutMs`, its answer is
   * given instead. Default 10.
   */
  readonly maxRetries?: number;
  /**
   * Reads the items of a list instead of `JSON.parse`, in an answer that is decoded. Those of a list that is written in an
   * unusual way, with `items` twice or with escapes in it, are read by `JSON.parse` all the same.
   */
  readonly readItem?: ReadItem;
  /**
   * The answer may be protobuf: an object of that kind, a list of it, or a `Status`. The headers ask for JSON all the same;
   * a `RESTClient` puts protobuf before it, and asks for JSON alone where that is all that the server has.
   */
  readonly protobuf?: ProtobufCodecs;
  /**
   * A body of the kind of `protobuf`, or `DeleteOptions`, instead of `body`: sent as protobuf where the server is known to
   * take it, else as JSON.
   */
  readonly object?: object;
  /**
   * Bytes that the response may have, after decompression: of a watch each event, otherwise the whole body. Streams other
   * than watches have no limit. Default: that of the client.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Leaves out `metadata.managedFields` of what is read from protobuf. */
  readonly omitManagedFields?: boolean;
  /** Items of a list in protobuf that cannot be read stand as `UnreadItem`s in its `items`, instead of failing all of it. */
  readonly itemErrors?: boolean;
}

/** What came back. The body is read once; `cancel` ends it early and frees the connection. */
export interface Response {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Bytes that an event of a watch may have. Default: 16 MiB, which is also the most. */
  readonly maxEventBytes?: number;
  /** Reads the frames of a stream of protobuf that was asked for. */
  readonly readFrame?: ReadFrame;
  /** Ends the body early; its reader sees its end. Nothing happens when it has ended already. */
  cancel(): void;
}

/**
 * Sends a request and gives what came back, whatever its status.
 * Rejects only when no answer came: with `TransportError`, `TimeoutError`, or the reason of `request.signal`.
 */
export type Transport = (request: Request) => Promise<Response>;
