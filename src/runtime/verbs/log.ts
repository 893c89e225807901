/** Subresources that are text. */
import type { Time } from '../meta.ts';
import type { RequestOptions } from '../options.ts';

/** How a stream of text is handed out: whole lines by default, or the bytes as they arrive. */
export interface AsLines {
  as?: 'lines' | undefined;
}

/** Bytes as they arrive: nothing is decoded, and a line may be of any length. */
export interface AsBytes {
  as: 'bytes';
}

/** What servers read of a log besides the parameters that their OpenAPI documents name. */
export interface LogOptions {
  /** Only what was written at this time or later: `2026-01-31T12:00:00Z`. Excludes `sinceSeconds`. */
  sinceTime?: Time | undefined;
}

/** The `log` subresource of a pod. `O` are its parameters. */
export interface ReadLog<O> {
  /**
   * Fetches a log as one text. With `follow` it comes when the container has ended.
   * @throws {ApiError} `isBadRequest` where the container is not named and there are several, or has not started yet
   */
  getLog(name: string, options?: O & LogOptions & RequestOptions): Promise<string>;
  /** The same as bytes. */
  streamLog(name: string, options: O & LogOptions & RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  /**
   * Goes through a log line by line, without the line ends (`\n`; a `\r` before it stays); with `follow` for as long as the container runs. It is read
   * from the server no faster than it is gone through, and the connection is free again when the loop is left. Asked for
   * with the first line: failures come then. A connection that breaks is not resumed, and the line that it broke in is not
   * handed out; a last line without an end is.
   * @throws {DecodeError} a line is longer than 16 MiB
   */
  streamLog(name: string, options?: O & LogOptions & RequestOptions & AsLines): AsyncIterable<string>;
}

/** A subresource that is text, by the name of its object. `O` are its parameters. */
export interface SubresourceText<O> {
  /** Fetches the text. */
  getText(name: string, options?: O & RequestOptions): Promise<string>;
  /** The same as bytes, as they arrive. */
  streamText(name: string, options: O & RequestOptions & AsBytes): AsyncIterable<Uint8Array>;
  /**
   * Goes through the text line by line, without the line ends, no faster than it is read.
   * @throws {DecodeError} a line is longer than 16 MiB
   */
  streamText(name: string, options?: O & RequestOptions & AsLines): AsyncIterable<string>;
}
