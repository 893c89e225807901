/** Node.js streams of a session. */
import { Readable, Writable } from 'node:stream';
import { ByteQueue } from '../byte-queue.ts';
import { type Sent, writeMessages } from '../write-messages.ts';

/** Bytes of input that may wait for the connection. */
const waitingBytes = 64 * 1024;
/** Bytes of a message, as client-go sends them. */
const messageBytes = 32 * 1024;

const ignore = (): void => undefined;

/** Output of a process: a stream for its reader, fed by the connection. */
export class Output {
  readonly stream: Readable;
  readonly queue: ByteQueue;

  /** @param drained called when the reader has caught up */
  constructor(drained: () => void) {
    this.queue = new ByteQueue(() => this.stream, drained);
    this.stream = new Readable({ highWaterMark: 1, read: () => this.queue.read() });
    // An error ends the program only if a reader does not handle it, and not without a reader.
    this.stream.on('error', ignore);
    // Output that is not read any more must not stop the session.
    this.stream.on('close', () => this.queue.discard());
  }
}

/** Destination of standard input. */
export interface InputSink {
  readonly write: (bytes: Uint8Array, sent: Sent) => void;
  /** Closes the input of the process. */
  end(sent: Sent): void;
}

/** Creates the input of a process. */
export function inputOf(sink: InputSink): Writable {
  const stream = new Writable({
    highWaterMark: waitingBytes,
    decodeStrings: true,
    write: (chunk: Uint8Array, _encoding, sent) => writeMessages([{ chunk }], messageBytes, sink.write, sent),
    writev: (chunks, sent) => writeMessages(chunks, messageBytes, sink.write, sent),
    final: (sent) => sink.end(sent),
  });
  return stream.on('error', ignore);
}
