import type { Asked } from './view.ts';

/** Why a client may read the whole state again. */
export type Loss = 'expired' | 'ahead' | 'garbled' | 'absent';

/** Something that happened between a server and its clients, as a value. */
export type Note =
  /** The clients begin, or begin again. */
  | { readonly type: 'start' }
  /** The clients have ended. */
  | { readonly type: 'stop' }
  | {
      readonly type: 'request';
      readonly verb: Asked['verb'];
      readonly version: string | undefined;
      /** A page after the first. */
      readonly page: boolean;
    }
  | {
      readonly type: 'answer';
      readonly status: number | 'refused' | 'hung';
      readonly retryAfterSeconds?: number | undefined;
    }
  /** The client has read the whole state at a version. */
  | { readonly type: 'state'; readonly version: number }
  /** The client was told that there is no such resource, which was true at a version. */
  | { readonly type: 'gone'; readonly version: number }
  /** The client has read an event or a bookmark of this version. */
  | { readonly type: 'read'; readonly version: number }
  /** The client has read something after which it may read the state again. */
  | { readonly type: 'lost'; readonly loss: Loss }
  /** A stream came to its end. */
  | { readonly type: 'end'; readonly how: string };

export type Noted = Note & { readonly at: number; readonly source: string };

/** Everything that was noted, in order. */
export class Journal {
  readonly #now: () => number;
  readonly notes: Noted[] = [];
  /** Also told of each note. */
  onNote: ((note: Noted) => void) | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes something of one source; `*` stands for all, where clients start and stop. */
  note(source: string, note: Note): void {
    const noted = { ...note, at: this.#now(), source };
    this.notes.push(noted);
    this.onNote?.(noted);
  }
}
