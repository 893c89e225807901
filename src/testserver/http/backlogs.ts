/** Limits of the bytes that are buffered for clients that do not read. */

/** A response that buffers what its client has not read. */
export interface BufferedSink {
  /** Number of bytes that the client has not read. */
  readonly backlog: number;
  /** Closes the connection, which releases the bytes. */
  destroy(): void;
}

/** Maximum number of bytes for one client, before its connection is destroyed. */
const limit = 64 * 1024 * 1024;

/** Maximum number of bytes for all clients, before the connection with most of them is destroyed. */
const totalLimit = 256 * 1024 * 1024;

/** Clients below this number of bytes do not count. */
const countedFrom = 1024 * 1024;

/** The clients that do not read as fast as a server writes. */
export class Backlogs {
  readonly #slow = new Set<BufferedSink>();
  readonly #totalLimit: number;

  constructor(total: number = totalLimit) {
    this.#totalLimit = total;
  }

  /** Called after a write. Destroys connections until the limits are observed. */
  check(sink: BufferedSink): void {
    if (sink.backlog > limit) {
      sink.destroy();
      this.#slow.delete(sink);
    } else if (sink.backlog >= countedFrom) this.#count(sink);
  }

  #count(sink: BufferedSink): void {
    this.#slow.add(sink);
    let total = 0;
    let largest = sink;
    for (const each of this.#slow) {
      if (each.backlog < countedFrom) this.#slow.delete(each);
      else total += each.backlog;
      if (each.backlog > largest.backlog) largest = each;
    }
    if (total <= this.#totalLimit) return;
    largest.destroy();
    this.#slow.delete(largest);
  }
}
