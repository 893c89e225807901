import type { APIRequest, Transport } from '../api/transport.ts';
import type { RateLimit } from './layers/limit.ts';
import type { WarningHandler } from './layers/warnings.ts';

/** Options of a `RESTClient`. */
export interface RESTClientOptions {
  /**
   * Sends the requests in place of the connections of this package, for unit tests and for other ways to
   * reach a server. Authentication, retries and decoding still apply; impersonation is passed in
   * `request.impersonate`.
   */
  readonly transport?: Transport | undefined;
  /**
   * Called with warnings of the server, once per distinct warning: every response of a deprecated version
   * contains it. Warnings about unknown and duplicate fields, whose values the server drops, are passed on
   * once per verb and resource. Default: printed once per process by `process.emitWarning`, those about
   * fields with the request: `update deployments shop/web: unknown field "spec.replica"`.
   */
  readonly onWarning?: WarningHandler | undefined;
  /** Value of the `User-Agent` header. Default: the name of the program. */
  readonly userAgent?: string | undefined;
  /**
   * Limits requests to `qps` per second, and to `burst` at once after a pause. All objects created from one
   * client share the limit. Each retry counts, watches do not. The signal ends the wait; if the wait would
   * exceed `timeoutMs`, the call rejects with `TimeoutError` at once. Default: none, as servers have their
   * own fair queuing.
   * @throws {RangeError} if `qps` is not above 0, or `burst` is not an integer >= 1
   */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * Encoding of objects. `'protobuf'`: protobuf if the program has codecs for the kind, as it has for the
   * kinds of the Kubernetes API, and the server supports it; otherwise JSON. The first protobuf response of
   * the server decides, and the protobuf code is loaded only then. `'json'`: always JSON. Default:
   * `'protobuf'`.
   *
   * Both encodings return equal objects. In protobuf, servers drop unknown fields without a warning, so
   * requests with `fieldValidation: 'Strict'` or `'Warn'` are sent as JSON. If the server has fields of a
   * kind that the program does not know, the kind is requested as JSON from then on, so that no field is
   * lost; `onWarning` is called once, and `stats()` lists the kind. The returned object lacks such a field
   * only if it first occurs in the response to a write and the object cannot be fetched afterwards.
   * @throws {TypeError} for another value
   */
  readonly encoding?: 'protobuf' | 'json' | undefined;
  /**
   * Maximum bytes of a response after decompression, for programs that talk to untrusted servers. A call
   * whose response exceeds it rejects with `DecodeError`, and its connection is closed. `RequestOptions` can
   * set another limit per call. Default: none, as in client-go.
   * @throws {RangeError} if it is below 1; the calls reject with it
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Treatment of unknown and duplicate fields in the bodies of POST, PUT and PATCH requests, except those to
   * proxies: `'Strict'` rejects the request, `'Warn'` drops the fields with a warning, `'Ignore'` drops them
   * silently. A call can set another value. Default: that of the server, which is `'Warn'` for JSON; in
   * protobuf, servers drop them silently.
   */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
  /**
   * Name under which POST, PUT and PATCH requests own the fields that they set, unless a call sets another
   * one. Default: none; the server then uses the name of the program in `User-Agent`.
   */
  readonly fieldManager?: string | undefined;
  /**
   * Called with each request before each attempt to send it, retries included. It may return a function,
   * which is called directly before the request is written to its connection: an attempt may wait for one. If
   * either throws, nothing is sent, and the call rejects with that error. A `transport` of the caller
   * receives the function as `beforeWrite`.
   */
  readonly beforeSend?: ((request: APIRequest) => (() => void) | undefined) | undefined;
}
