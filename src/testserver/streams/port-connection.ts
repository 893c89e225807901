/** A connection to a port, as a stream for the handler of a test. */
import { Duplex } from 'node:stream';

/** The side of the client. */
export interface PortChannel {
  send(bytes: Buffer, sent: (error?: Error | null) => void): void;
  /** Called when the handler reads. */
  resume(): void;
  /** The handler has ended its side, or destroyed both, with an error or without. Called once. */
  end(error: Error | undefined): void;
}

/** Bytes of a message. */
const messageBytes = 64 * 1024;

/** A connection whose stream the handler reads and writes. */
export class PortConnection {
  readonly stream: Duplex;
  #isInputEnded = false;
  #isEnded = false;

  constructor(channel: PortChannel) {
    const end = (error: Error | undefined): void => {
      if (this.#isEnded) return;
      this.#isEnded = true;
      channel.end(error);
    };
    this.stream = new Duplex({
      read: () => channel.resume(),
      write: (chunk: Buffer, _encoding, sent) => sendAll(channel, chunk, sent),
      final: (done) => {
        end(undefined);
        done();
      },
      destroy: (error, done) => {
        end(error ?? undefined);
        // Whoever waits for the reader continues.
        channel.resume();
        done(error);
      },
    });
    // The client receives the error; the handler need not handle its own.
    this.stream.on('error', () => undefined);
  }

  /** Adds bytes of the client. Returns whether more may follow before `wanted` is called. */
  push(bytes: Buffer): boolean {
    if (this.#isInputEnded || this.stream.destroyed || bytes.length === 0) return true;
    return this.stream.push(bytes);
  }

  /** The client has ended its side. */
  endInput(): void {
    if (this.#isInputEnded) return;
    this.#isInputEnded = true;
    this.stream.push(null);
  }

  /** The client has ended both sides. */
  close(): void {
    this.#isEnded = true;
    this.endInput();
    this.stream.destroy();
  }
}

function sendAll(channel: PortChannel, bytes: Buffer, sent: (error?: Error | null) => void): void {
  if (bytes.length <= messageBytes) {
    channel.send(bytes, sent);
    return;
  }
  channel.send(bytes.subarray(0, messageBytes), (error) => {
    if (error) sent(error);
    else sendAll(channel, bytes.subarray(messageBytes), sent);
  });
}

/** Returns both ends of a connection within the process. */
export function connectionPair(): readonly [Duplex, Duplex] {
  const waiting: ((() => void) | undefined)[] = [];
  const endOf = (own: 0 | 1, other: () => PortConnection): PortConnection =>
    new PortConnection({
      send: (bytes, sent) => {
        if (other().push(bytes)) sent();
        else waiting[1 - own] = sent;
      },
      resume: () => {
        const sent = waiting[own];
        waiting[own] = undefined;
        sent?.();
      },
      end: (error) => {
        if (error === undefined) other().endInput();
        else other().stream.destroy(error);
      },
    });
  const near: PortConnection = endOf(0, () => far);
  const far: PortConnection = endOf(1, () => near);
  return [near.stream, far.stream];
}
