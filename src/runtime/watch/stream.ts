import { DecodeError, isTimeoutError, isTransportError, TimeoutError, TransportError } from '../errors.ts';
import type { Operation, Response } from '../rest/types.ts';
import type { StoredObject } from '../types.ts';
import type { Environment } from './clock.ts';
import { decodeEvent } from './decode.ts';
import { LineSplitter } from './lines.ts';
import type { Input, StreamEvent, WatchAction } from './machine.ts';
import { Scope } from './scope.ts';
import type { ListWatch } from './source.ts';

/** For how long the server is asked to keep a stream open: by chance, so that streams do not end all at once. */
const SHORTEST_STREAM_SECONDS = 300;
const LONGEST_STREAM_SECONDS = 600;
/** A stream that is still open so long after its time is dead. */
const GRACE_MS = 30_000;
/** Servers that send bookmarks do so once a minute: after two and a half minutes without a byte the stream is dead. */
const BOOKMARK_SILENCE_MS = 150_000;

/** One request for a stream, from its opening to its end. */
export class EventStream<O extends StoredObject> {
  readonly #scope: Scope;
  readonly #environment: Environment;
  readonly #operation: Operation;
  readonly #lines = new LineSplitter();
  readonly #silenceMs: number | undefined;
  readonly #endMs: number;
  #response: Response | undefined;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #sendsBookmarks = false;
  /** Came after good events of the same chunk. */
  #failure: DecodeError | undefined;

  constructor(operation: Operation, action: WatchAction, environment: Environment, signal: AbortSignal) {
    this.#operation = operation;
    this.#environment = environment;
    this.#silenceMs = action.silenceMs;
    this.#scope = new Scope(signal, environment.clock);
    const seconds = drawSeconds(environment.random());
    this.timeoutSeconds = seconds;
    this.#endMs = environment.clock.now() + seconds * 1000 + GRACE_MS;
  }

  /** What the server is to be asked for. */
  readonly timeoutSeconds: number;

  /** @throws what the request failed with, or `TimeoutError` when no answer comes */
  async open<T>(source: ListWatch<T>, params: WatchAction['params']): Promise<void> {
    this.#arm();
    const { signal } = this.#scope;
    const opening = source.watch({ ...params, timeoutSeconds: this.timeoutSeconds }, signal);
    // An answer that comes after the end of the wait is ended as well; a failure that late concerns nobody.
    opening.then(
      (response) => signal.aborted && response.cancel(),
      () => undefined,
    );
    this.#response = await this.#scope.wait(opening);
    this.#chunks = this.#response.body[Symbol.asyncIterator]();
  }

  /** The next events, or how the stream ended. Chunks that complete no line are waited out. */
  async read(): Promise<Input<O>> {
    for (;;) {
      if (this.#failure !== undefined) return { type: 'failed', error: this.#failure };
      this.#arm();
      const chunk = await this.#scope.wait(this.#next());
      if (chunk === undefined) return { type: 'ended' };
      const events = this.#decode(chunk);
      if (events.length > 0) return { type: 'events', events };
    }
  }

  /** Ends the request. Nothing of it is open afterwards. */
  close(): void {
    this.#response?.cancel();
    this.#scope.abort(new DOMException('the stream was closed', 'AbortError'));
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const chunk = await this.#chunks?.next();
      return chunk === undefined || chunk.done === true ? undefined : chunk.value;
    } catch (cause) {
      if (isTransportError(cause) || isTimeoutError(cause)) throw cause;
      throw new TransportError(`the stream broke: ${messageOf(cause)}`, this.#operation, { cause });
    }
  }

  #arm(): void {
    const now = this.#environment.clock.now();
    const silence = this.#sendsBookmarks ? BOOKMARK_SILENCE_MS : this.#silenceMs;
    const ms = silence ?? Math.max(0, this.#endMs - now);
    this.#scope.deadline(ms, () => new TimeoutError('the stream has gone silent', this.#operation));
  }

  #decode(chunk: Uint8Array): StreamEvent<O>[] {
    const events: StreamEvent<O>[] = [];
    try {
      for (const line of this.#lines.push(chunk)) {
        if (line.trim() !== '') events.push(decodeEvent<O>(line, this.#operation));
      }
    } catch (cause) {
      this.#failure =
        cause instanceof DecodeError ? cause : new DecodeError(messageOf(cause), this.#operation, { cause });
    }
    this.#sendsBookmarks ||= events.some((event) => event.type === 'BOOKMARK');
    return events;
  }
}

function drawSeconds(random: number): number {
  return Math.floor(
    SHORTEST_STREAM_SECONDS + random * (LONGEST_STREAM_SECONDS - SHORTEST_STREAM_SECONDS + 1),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
