import { isTimeoutError, isTransportError, TimeoutError, TransportError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse, DecodeObserver } from '../../api/transport.ts';
import type { Stored } from '../../api/types.ts';
import { cancel, messageOf } from '../../common/callbacks.ts';
import type { RuntimeEnvironment } from '../../common/clock.ts';
import { type Timing, timingOf } from '../../common/timing.ts';
import type { Input, StreamEvent, WatchAction } from '../machine/machine-types.ts';
import { Scope } from '../scope.ts';
import type { ListWatch } from '../source.ts';
import { decoderFor, type EventDecoder } from './event-decoder.ts';
import { IdleTimer } from './idle-timer.ts';

/** Stream of one WATCH request, from its opening to its end. */
export class EventStream<T> {
  readonly #scope: Scope;
  readonly #idleTimer: IdleTimer;
  readonly #operation: RequestOperation;
  readonly #idleMs: number | undefined;
  readonly #timing: Timing;
  readonly #endsAt: number;
  readonly #onDecoded: DecodeObserver | undefined;
  #response: APIResponse | undefined;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #decoder: EventDecoder<Stored<T>> | undefined;
  #sendsBookmarks = false;

  constructor(
    operation: RequestOperation,
    action: WatchAction,
    environment: RuntimeEnvironment,
    signal: AbortSignal,
    onDecoded?: DecodeObserver,
  ) {
    const { clock, random } = environment;
    this.#timing = timingOf(environment);
    this.#operation = operation;
    this.#onDecoded = onDecoded;
    this.#idleMs = action.idleMs;
    this.#scope = new Scope(signal, clock);
    const onIdle = (): void =>
      this.#scope.abort(new TimeoutError('the stream timed out without data', operation));
    this.#idleTimer = new IdleTimer(clock, onIdle, this.#timing);
    this.timeoutSeconds = drawSeconds(random(), this.#timing);
    this.#endsAt = clock.now() + this.timeoutSeconds * 1000 + this.#timing.streamGraceMs;
  }

  /** Lifetime of the stream that is requested from the server. */
  readonly timeoutSeconds: number;

  /**
   * @throws the error of the request; `TimeoutError` if no response arrives; `DecodeError` if the source
   * cannot decode the format of the response
   */
  async open(source: ListWatch<T>, params: WatchAction['params']): Promise<void> {
    const { signal } = this.#scope;
    const opening = source.watch({ ...params, timeoutSeconds: this.timeoutSeconds }, signal);
    // A response that arrives after the wait has ended is cancelled as well; a late failure is ignored.
    opening.then(
      (response) => signal.aborted && cancel(response),
      () => undefined,
    );
    this.#listen();
    this.#response = await this.#scope.wait(opening).finally(() => this.#idleTimer.stop());
    this.#decoder = decoderFor(this.#response, source, this.#operation);
    this.#chunks = this.#response.body[Symbol.asyncIterator]();
  }

  /** Returns the next events, or the reason why no more follow. Skips chunks that complete no event. */
  async read(): Promise<Input<Stored<T>>> {
    const [chunks, decoder] = [this.#chunks, this.#decoder];
    while (chunks !== undefined && decoder !== undefined) {
      if (decoder.unsupportedFormat) return { type: 'unsupportedFormat' };
      const next = await this.#next(chunks);
      if (next.done === true) return this.#ended(decoder);
      const events = this.#decode(decoder, next.value);
      if (events.length > 0) return this.#received(events);
    }
    return { type: 'ended' };
  }

  #decode(decoder: EventDecoder<Stored<T>>, chunk: Uint8Array): StreamEvent<Stored<T>>[] {
    if (this.#onDecoded === undefined) return decoder.push(chunk);
    const startedAt = performance.now();
    const events = decoder.push(chunk);
    this.#onDecoded(decoder.encoding, performance.now() - startedAt);
    return events;
  }

  /** Ends the request and releases all its resources. */
  close(): void {
    this.#idleTimer.close();
    if (this.#response !== undefined) cancel(this.#response);
    this.#scope.abort(new DOMException('the stream was closed', 'AbortError'));
  }

  /** Starts the idle timer. */
  #listen(): void {
    const ms = this.#sendsBookmarks ? this.#timing.bookmarkIdleMs : this.#idleMs;
    this.#idleTimer.begin(ms === undefined ? { endsAt: this.#endsAt } : { ms });
  }

  async #next(chunks: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    this.#listen();
    try {
      return await this.#scope.wait(chunks.next());
    } catch (cause) {
      if (isTransportError(cause) || isTimeoutError(cause)) throw cause;
      throw new TransportError(`the stream was interrupted: ${messageOf(cause)}`, this.#operation, { cause });
    } finally {
      this.#idleTimer.stop();
    }
  }

  #received(events: readonly StreamEvent<Stored<T>>[]): Input<Stored<T>> {
    this.#sendsBookmarks ||= events.some(({ type }) => type === 'BOOKMARK');
    return { type: 'events', events };
  }

  #ended(decoder: EventDecoder<unknown>): Input<Stored<T>> {
    const cut = decoder.end();
    if (cut === undefined) return { type: 'ended', operation: this.#operation };
    const message = `the stream ended in the middle of ${cut}`;
    return { type: 'failed', error: new TransportError(message, this.#operation) };
  }
}

/** Draws the requested lifetime of a stream at random, so that streams do not all end at the same time. */
function drawSeconds(random: number, { minStreamMs, maxStreamMs }: Timing): number {
  return Math.floor(minStreamMs / 1000 + random * ((maxStreamMs - minStreamMs) / 1000 + 1));
}
