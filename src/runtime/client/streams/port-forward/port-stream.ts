/** A connection to a port as a stream of Node.js. */
import { Duplex } from 'node:stream';
import { TransportError } from '../../../api/errors.ts';
import type { RequestOperation } from '../../../api/operation.ts';
import { ByteQueue } from '../byte-queue.ts';
import { type Sent, writeMessages } from '../write-messages.ts';

/** The connection to the port. */
export interface PortSink {
  readonly send: (bytes: Uint8Array, sent: Sent) => void;
  /** Ends the data of the client, if the protocol can. */
  readonly end: (sent: Sent) => void;
  /** Closes the connection in both directions. */
  close(): void;
  /** Stops or continues receiving. */
  setFull(full: boolean): void;
  /** The connection has failed. The stream emits the error when it is read. */
  failed?(error: Error): void;
}

/** Bytes of a message. */
const messageBytes = 64 * 1024;
/** Maximum characters of an error message of the server. */
const errorCharacters = 64 * 1024;
/** Milliseconds to wait for an error message after the end of the data. */
const errorMs = 2_000;
/** Milliseconds to wait for the rest of an error message after a reset, which may overtake it. */
const restMs = 100;

/** A stream, and the side of the connection. */
export class PortStream {
  readonly stream: Duplex;
  readonly #queue: ByteQueue;
  readonly #operation: RequestOperation;
  readonly #sink: PortSink;
  #message = '';
  #end: { readonly error?: Error | undefined } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #errorsEnded = false;

  constructor(sink: PortSink, operation: RequestOperation) {
    this.#sink = sink;
    this.#operation = operation;
    this.#queue = new ByteQueue(
      () => this.stream,
      () => sink.setFull(false),
    );
    this.stream = new Duplex({
      readableHighWaterMark: 1,
      read: () => this.#queue.read(),
      write: (chunk: Uint8Array, _encoding, sent) =>
        writeMessages([{ chunk }], messageBytes, sink.send, sent),
      writev: (chunks, sent) => writeMessages(chunks, messageBytes, sink.send, sent),
      final: (sent) => sink.end(sent),
      destroy: (error, done) => {
        clearTimeout(this.#timer);
        this.#queue.discard();
        sink.close();
        done(error);
      },
    });
    // An error ends the program only if a reader does not handle it, and not without a reader.
    this.stream.on('error', () => undefined);
  }

  /** Adds data of the server. */
  data(bytes: Uint8Array): void {
    this.#queue.push(bytes);
    if (this.#queue.full) this.#sink.setFull(true);
  }

  /**
   * Ends the stream after the data. The end waits for that of the error messages, as one may follow that
   * explains it.
   */
  end(error?: Error): void {
    this.#end ??= { error };
    if (this.#errorsEnded) this.#finish();
    else this.#finishAfter(this.#message === '' ? errorMs : restMs);
  }

  /** Adds a part of an error message of the server. */
  error(bytes: Uint8Array): void {
    if (this.#message.length < errorCharacters) this.#message += Buffer.from(bytes).toString();
    if (this.#end?.error !== undefined) this.#finishAfter(restMs);
  }

  /** The error messages have ended. */
  endErrors(): void {
    this.#errorsEnded = true;
    if (this.#message !== '' || this.#end !== undefined) this.#finish();
  }

  #finishAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#finish(), ms);
  }

  #finish(): void {
    clearTimeout(this.#timer);
    const message = this.#message.trim();
    const error =
      message === ''
        ? this.#end?.error
        : new TransportError(message, this.#operation, { code: 'PORT_FORWARD' });
    this.#queue.end(error);
    if (error !== undefined) this.#sink.failed?.(error);
  }
}
