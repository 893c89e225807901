import type { Chance } from '../chance.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  cancel(): void;
}

interface Piece {
  readonly bytes: Uint8Array;
  /** Called when the client reads the chunk. */
  readonly taken: (() => void) | undefined;
}

/** Connection of a body. */
export interface Connection {
  readonly chance: Chance;
  /** Closes the connection from the client's side. */
  readonly signal: AbortSignal | undefined;
  onActivity(): void;
}

/** The body of a response, written over time and read at the client's pace. */
export class Body {
  readonly #chance: Chance;
  readonly #onActivity: () => void;
  #pieces: Piece[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;
  /** Whether the client has cancelled the body. */
  cancelled = false;

  constructor({ chance, signal, onActivity }: Connection) {
    this.#chance = chance;
    this.#onActivity = onActivity;
    if (signal?.aborted === true) this.#cancel();
    signal?.addEventListener('abort', () => this.#cancel(), { once: true });
  }

  get over(): boolean {
    return this.cancelled || this.#end !== undefined;
  }

  /** Sends bytes in chunks of any size. `taken` is called when the client has read the last of them. */
  write(bytes: Uint8Array, taken?: () => void): void {
    if (this.over) return;
    const cut = this.#chance.odds(0.4) ? this.#chance.below(bytes.length) : 0;
    if (cut > 0) this.#pieces.push({ bytes: bytes.subarray(0, cut), taken: undefined });
    this.#pieces.push({ bytes: bytes.subarray(cut), taken });
    this.#wake?.();
  }

  /** Ends the body normally. */
  end(): void {
    if (this.over) return;
    this.#end = { error: undefined };
    this.#wake?.();
  }

  /** The connection is closed; data that was written before still arrives. */
  fail(error: Error): void {
    if (this.over) return;
    this.#end = { error };
    this.#wake?.();
  }

  response(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: this.#read(),
      cancel: () => this.#cancel(),
    };
  }

  #cancel(): void {
    this.cancelled = true;
    this.#wake?.();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        this.#onActivity();
        while (this.#pieces.length === 0 && !this.over) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        if (this.cancelled) return;
        const pieces = this.#take();
        if (pieces.length === 0) {
          if (this.#end?.error !== undefined) throw this.#end.error;
          return;
        }
        this.#onActivity();
        for (const { taken } of pieces) taken?.();
        const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
        yield bytes;
      }
    } finally {
      this.cancelled = true;
    }
  }

  /** Returns one chunk or all of them, as networks do. */
  #take(): readonly Piece[] {
    const count = this.#chance.odds(0.3) ? this.#pieces.length : 1;
    return this.#pieces.splice(0, count);
  }
}
