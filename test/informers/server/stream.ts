import { Body, type Connection } from './body.ts';
import type { Journal, Loss } from './journal.ts';
import { brokenForm, type Entry, group, kind, type WireObject } from './objects.ts';
import { expired, statusOf } from './responses.ts';
import { type ListRequest, seen } from './view.ts';

export const frameType = 'application/vnd.kubernetes.protobuf;stream=watch';

/** Returns a length of four bytes, and the data. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(bytes.length);
  return Buffer.concat([header, bytes]);
}

/** An open watch. */
export class Stream {
  readonly requested: ListRequest;
  readonly body: Body;
  readonly #journal: Journal;
  /** Version up to which events were sent, or lost in a stalled connection. */
  sent: number;
  /** The initial state is being sent: bookmarks and changes wait for its end. */
  bursting: boolean;
  /** The connection stalls without being closed. */
  hanging = false;
  readonly #frames: boolean;
  /** The client ignores the rest of the stream. */
  #spoilt = false;

  constructor(
    requested: ListRequest,
    since: number,
    connection: Connection,
    journal: Journal,
    frames = false,
  ) {
    this.requested = requested;
    this.sent = since;
    this.bursting = requested.verb === 'stream';
    this.body = new Body(connection);
    this.#journal = journal;
    this.#frames = frames;
  }

  get over(): boolean {
    return this.body.over;
  }

  /** Sends the changes up to a version. */
  follow(changes: Iterable<Entry>, until: number): void {
    if (this.bursting) return;
    for (const entry of changes) {
      if (entry.version > until || this.over) break;
      const event = seen(this.requested.view, entry);
      if (event !== undefined) this.event(event.type, event.object, entry.version, entry.broken);
    }
    this.sent = Math.max(this.sent, until);
  }

  event(type: string, object: WireObject, version: number, broken = false): void {
    if (broken) this.unreadable({ type, object: brokenForm(object) });
    else this.#line({ type, object }, () => this.#read(version));
  }

  bookmark(version: number): void {
    this.#line(bookmarkOf(version), () => this.#read(version));
  }

  /** Ends the initial state. */
  endBurst(version: number): void {
    this.bursting = false;
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    this.#line(bookmarkOf(version, annotations), () => {
      this.#journal.note(this.requested.source, { type: 'state', version });
    });
  }

  /** Sends a line that is not an event. */
  unreadable(line: unknown): void {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    this.#write(text, () => this.#lose('malformed'));
  }

  /** Ends the stream with an error event. */
  fail(status: number): void {
    const object = statusOf(status === 410 ? expired : { status });
    this.#line({ type: 'ERROR', object }, () => {
      if (status === 410) this.#lose('expired');
    });
    this.close('error in the stream');
  }

  /** Sends an event again, unchanged. */
  repeat({ type, object }: Pick<Entry, 'type' | 'object'>): void {
    this.#line({ type, object });
  }

  /** Ends the stream regularly. */
  close(how: string): void {
    this.#end(how);
    if (!this.hanging) this.body.end();
  }

  /** Interrupts the connection, possibly within a line; a proxy may turn this into a regular end. */
  cut(how: string, { partial = '', inOrder = false } = {}): void {
    this.#end(how);
    if (this.hanging) return;
    if (partial !== '')
      this.body.write(this.#frames ? frameOf(partial).subarray(0, -1) : Buffer.from(partial));
    if (inOrder) this.body.end();
    else this.body.fail(new Error('socket hang up'));
  }

  #end(how: string): void {
    this.#journal.note(this.requested.source, { type: 'end', how });
  }

  #read(version: number): void {
    if (!this.bursting) this.#journal.note(this.requested.source, { type: 'read', version });
  }

  #lose(loss: Loss): void {
    this.#journal.note(this.requested.source, { type: 'lost', loss });
    this.#spoilt = true;
  }

  #line(value: unknown, taken?: () => void): void {
    this.#write(JSON.stringify(value), taken);
  }

  #write(text: string, taken?: () => void): void {
    if (this.hanging) return;
    this.body.write(this.#frames ? frameOf(text) : Buffer.from(`${text}\n`), () => {
      if (!this.#spoilt) taken?.();
    });
  }
}

function bookmarkOf(version: number, annotations?: Readonly<Record<string, string>>): object {
  const metadata = {
    resourceVersion: String(version),
    creationTimestamp: null,
    ...(annotations && { annotations }),
  };
  return { type: 'BOOKMARK', object: { kind, apiVersion: `${group}/v1`, metadata } };
}
