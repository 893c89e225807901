/** A socket without a network: a test reads what was written to it, and decides what it receives. */
import { Socket } from 'node:net';

/** Written bytes are kept in `written`; `reply` is called after each write, and `receive` delivers bytes. */
export class ScriptedSocket extends Socket {
  readonly written: Buffer[] = [];
  readonly #reply: (written: Buffer, socket: ScriptedSocket) => void;

  constructor(reply: (written: Buffer, socket: ScriptedSocket) => void = () => undefined) {
    super();
    this.#reply = reply;
  }

  receive(bytes: Uint8Array | string): void {
    this.push(Buffer.from(bytes));
  }

  /** Ends the received bytes. */
  finish(): void {
    this.push(null);
  }

  override _read(): void {
    // Bytes come when the test delivers them.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(Buffer.from(chunk));
    done();
    this.#reply(this.written.at(-1) ?? chunk, this);
  }
}
