import type { APIResponse } from '../../../src/runtime/api/transport.ts';

type Piece = Uint8Array | { readonly error: unknown } | 'end';

/** Response body with chunks from the test. */
export class ByteStream {
  readonly #pieces: Piece[] = [];
  #wake: (() => void) | undefined;
  #over = false;
  /** Whether the client has cancelled it. */
  cancelled = false;
  /** Number of reads by the client. */
  reads = 0;

  get closed(): boolean {
    return this.#over || this.cancelled;
  }

  push(text: string | Uint8Array): void {
    this.#put(typeof text === 'string' ? Buffer.from(text) : text);
  }

  /** Adds one line of JSON. */
  line(value: unknown): void {
    this.push(`${JSON.stringify(value)}\n`);
  }

  end(): void {
    this.#put('end');
    this.#over = true;
  }

  fail(error: unknown): void {
    this.#put({ error });
    this.#over = true;
  }

  get response(): APIResponse {
    return { status: 200, headers: {}, body: this.#body(), cancel: () => this.#cancel() };
  }

  #cancel(): void {
    this.cancelled = true;
    this.#wake?.();
  }

  #put(piece: Piece): void {
    if (this.closed) return;
    this.#pieces.push(piece);
    this.#wake?.();
  }

  async *#body(): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.reads += 1;
      while (this.#pieces.length === 0 && !this.cancelled) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const piece = this.cancelled ? 'end' : this.#pieces.shift();
      if (piece === undefined || piece === 'end') return;
      if ('error' in piece) throw piece.error;
      yield piece;
    }
  }
}
