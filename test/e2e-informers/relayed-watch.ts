import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FalseEvent } from './steps.ts';
import { formOf, type WatchForm } from './watch-forms.ts';

/** Number of events that a watch stores to repeat them. */
const remembered = 50;

/** Response of a watch, forwarded to the client event by event. */
export class RelayedWatch {
  readonly #response: ServerResponse;
  readonly #form: WatchForm;
  readonly #sent: Buffer[] = [];
  readonly #falseEvents: FalseEvent[] = [];
  #cutInEvent = false;
  #over = false;

  constructor(response: IncomingMessage, reply: ServerResponse) {
    this.#response = reply;
    this.#form = formOf(response.headers['content-type']);
    let rest: Buffer = Buffer.alloc(0);
    response.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end = this.#form.length(rest); end !== undefined; end = this.#form.length(rest)) {
        this.#pass(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
    response.on('end', () => reply.end());
    // The connection to the server or to the client was lost.
    response.on('error', () => reply.destroy());
  }

  /** Ends the response regularly. */
  end(): void {
    this.#response.end();
  }

  /** Breaks the connection in the middle of the next event. */
  cutInEvent(): void {
    this.#cutInEvent = true;
  }

  /** Inserts a false event after the next event. */
  insert(what: FalseEvent): void {
    this.#falseEvents.push(what);
  }

  endIn(ms: number): void {
    const timer = setTimeout(() => this.end(), ms);
    this.#response.on('close', () => clearTimeout(timer));
  }

  #pass(event: Buffer): void {
    if (this.#over || this.#response.writableEnded || this.#response.destroyed) return;
    if (this.#cutInEvent) this.#passHalf(event);
    else this.#passWhole(event);
  }

  #passWhole(event: Buffer): void {
    this.#response.write(event);
    if (this.#form.isBookmark(event)) return;
    for (const falseEvent of this.#falseEvents.splice(0))
      this.#response.write(this.#encode(falseEvent, event));
    this.#sent.push(event);
    if (this.#sent.length > remembered) this.#sent.shift();
  }

  #passHalf(event: Buffer): void {
    this.#response.write(event.subarray(0, Math.ceil(event.length / 2)), () => this.#response.destroy());
    this.#over = true;
  }

  #encode(falseEvent: FalseEvent, event: Buffer): Buffer {
    if (falseEvent === 'repeated') return event;
    if (falseEvent === 'stale') return this.#sent[0] ?? event;
    return this.#form.falseEvent(falseEvent, event);
  }
}
