import { cancel, messageOf } from '../callbacks.ts';
import { isTimeoutError, isTransportError, TimeoutError, TransportError } from '../errors.ts';
import type { Operation, Response } from '../rest/types.ts';
import type { Stored } from '../types.ts';
import type { Environment } from './clock.ts';
import { decoderFor, type EventDecoder } from './decoder.ts';
import type { Input, StreamEvent, WatchAction } from './machine.ts';
import { Scope } from './scope.ts';
import { Silence } from './silence.ts';
import type { ListWatch } from './source.ts';

/** For how long the server is asked to keep a stream open: by chance, so that streams do not end all at once. */
const SHORTEST_STREAM_SECONDS = 300;
const LONGEST_STREAM_SECONDS = 600;
/** A stream that is still open so long after its time is dead. */
const GRACE_MS = 30_000;
/** Servers that send bookmarks do so once a minute: after two and a half minutes without a byte the stream is dead. */
const BOOKMARK_SILENCE_MS = 150_000;

/** One request for a stream, from its opening to its end. */
export class EventStream<T> {
  readonly #scope: Scope;
  readonly #silence: Silence;
  readonly #operation: Operation;
  readonly #silenceMs: number | undefined;
  readonly #endsAt: number;
  #response: Response | undefined;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #decoder: EventDecoder<Stored<T>> | undefined;
  #sendsBookmarks = false;

  constructor(operation: Operation, action: WatchAction, environment: Environment, signal: AbortSignal) {
    const { clock, random } = environment;
    this.#operation = operation;
    this.#silenceMs = action.silenceMs;
    this.#scope = new Scope(signal, clock);
    this.#silence = new Silence(clock, () => {
      this.#scope.abort(new TimeoutError('the stream has gone silent', operation));
    });
    this.timeoutSeconds = drawSeconds(random());
    this.#endsAt = clock.now() + this.timeoutSeconds * 1000 + GRACE_MS;
  }

  /** What the server is to be asked for. */
  readonly timeoutSeconds: number;

  /**
   * @throws what the request failed with; `TimeoutError` when no answer comes, `DecodeError` for an answer in a form that
   *   the source does not read
   */
  async open(source: ListWatch<T>, params: WatchAction['params']): Promise<void> {
    const { signal } = this.#scope;
    const opening = source.watch({ ...params, timeoutSeconds: this.timeoutSeconds }, signal);
    // An answer that comes after the end of the wait is ended as well; a failure that late concerns nobody.
    opening.then(
      (response) => signal.aborted && cancel(response),
      () => undefined,
    );
    this.#listen();
    this.#response = await this.#scope.wait(opening).finally(() => this.#silence.over());
    this.#decoder = decoderFor(this.#response, source, this.#operation);
    this.#chunks = this.#response.body[Symbol.asyncIterator]();
  }

  /** The next events, or why there are no more of them. Chunks that complete no event are waited out. */
  async read(): Promise<Input<Stored<T>>> {
    const [chunks, decoder] = [this.#chunks, this.#decoder];
    while (chunks !== undefined && decoder !== undefined) {
      if (decoder.unfit) return { type: 'unfit' };
      const next = await this.#next(chunks);
      if (next.done === true) return this.#ended(decoder);
      const events = decoder.push(next.value);
      if (events.length > 0) return this.#received(events);
    }
    return { type: 'ended' };
  }

  /** Ends the request. Nothing of it is open afterwards. */
  close(): void {
    this.#silence.stop();
    if (this.#response !== undefined) cancel(this.#response);
    this.#scope.abort(new DOMException('the stream was closed', 'AbortError'));
  }

  /** From now on silence counts. */
  #listen(): void {
    const ms = this.#sendsBookmarks ? BOOKMARK_SILENCE_MS : this.#silenceMs;
    this.#silence.begin(ms === undefined ? { endsAt: this.#endsAt } : { ms });
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    this.#listen();
    try {
      return await this.#scope.wait(chunks.next());
    } catch (cause) {
      if (isTransportError(cause) || isTimeoutError(cause)) throw cause;
      throw new TransportError(`the stream broke: ${messageOf(cause)}`, this.#operation, { cause });
    } finally {
      this.#silence.over();
    }
  }

  #received(events: readonly StreamEvent<Stored<T>>[]): Input<Stored<T>> {
    this.#sendsBookmarks ||= events.some(({ type }) => type === 'BOOKMARK');
    return { type: 'events', events };
  }

  #ended(decoder: EventDecoder<unknown>): Input<Stored<T>> {
    const cut = decoder.end();
    if (cut === undefined) return { type: 'ended', operation: this.#operation };
    const message = `the stream broke off in the middle of ${cut}`;
    return { type: 'failed', error: new TransportError(message, this.#operation) };
  }
}

function drawSeconds(random: number): number {
  return Math.floor(
    SHORTEST_STREAM_SECONDS + random * (LONGEST_STREAM_SECONDS - SHORTEST_STREAM_SECONDS + 1),
  );
}
