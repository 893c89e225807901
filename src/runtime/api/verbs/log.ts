/** Subresources whose response is a string. */
import type { Time } from '../meta.ts';
import type { RequestOptions } from '../options.ts';

/** Selects a stream of lines, which is the default. */
export interface AsLines {
  readonly as?: 'lines' | undefined;
}

/** Selects a stream of bytes, without decoding and without a limit for lines. */
export interface AsBytes {
  readonly as: 'bytes';
}

/** Parameters of logs that OpenAPI documents do not list. */
export interface LogOptions {
  /**
   * Returns only lines that were written at this time or later: `2026-01-31T12:00:00Z`. Mutually exclusive
   * with `sinceSeconds`.
   */
  readonly sinceTime?: Time | undefined;
}

/**
 * Methods for the `log` subresource of a pod. `O` are its parameters. A call without `container` requests the
 * pod first, for its annotation `kubectl.kubernetes.io/default-container`.
 */
export interface ReadLog<O> {
  /**
   * Returns a log as one string. With `follow`, the promise resolves when the container has ended.
   * @throws {ApiError} `isBadRequest` if there are several containers and neither the call nor the pod's
   * annotation names one, or the container has not started yet
   */
  getLog(name: string, options?: O & LogOptions & RequestOptions): Promise<string>;
  /**
   * Streams a log as bytes. When `signal` aborts, the loop ends without an error with `follow`, and throws
   * `signal.reason` without it.
   */
  streamLog(name: string, options: O & LogOptions & RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  /**
   * Streams a log line by line, without line ends (`\n`; a preceding `\r` is kept), with `follow` for as long
   * as the container runs. Data is received only as fast as it is consumed, and the connection is released
   * when the loop ends. When `signal` aborts, the loop ends without an error with `follow`, and throws
   * `signal.reason` without it, so that an incomplete log does not look complete. The request is sent with
   * the first iteration, which throws its errors. An interrupted connection is not resumed, and its
   * incomplete line is dropped; a last line without line end is returned.
   * @throws {DecodeError} a line is longer than 16 MiB
   * @example
   * ```ts
   * const pods = clientset.coreV1.pods('shop');
   * for await (const line of pods.streamLog('web-0', { follow: true, tailLines: 100 })) console.log(line);
   * ```
   */
  streamLog(name: string, options?: O & LogOptions & RequestOptions & AsLines): AsyncIterable<string>;
}

/** A subresource whose response is a string, by the name of its object. `O` are its parameters. */
export interface SubresourceText<O> {
  /** Returns the response for the subresource of an object as one string. */
  getText(name: string, options?: O & RequestOptions): Promise<string>;
  /** Streams the response as bytes. */
  streamText(name: string, options: O & RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  /**
   * Streams the response line by line, without line ends. Data is received only as fast as it is consumed.
   * @throws {DecodeError} a line is longer than 16 MiB
   */
  streamText(name: string, options?: O & RequestOptions & AsLines): AsyncIterable<string>;
}
