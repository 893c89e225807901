import type { ListRequest } from './view.ts';

/** Reason for which a client may relist. */
export type Loss = 'expired' | 'ahead' | 'malformed' | 'absent';

/** An event between a server and its clients. */
export type Note =
  /** The clients start, or start again. */
  | { readonly type: 'start' }
  /** The clients have stopped. */
  | { readonly type: 'stop' }
  | {
      readonly type: 'request';
      readonly verb: ListRequest['verb'];
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
  /** The client has received a response that the resource does not exist, which was correct at a version. */
  | { readonly type: 'gone'; readonly version: number }
  /** The client has read an event or a bookmark of this version. */
  | { readonly type: 'read'; readonly version: number }
  /** The client has read data after which it may relist. */
  | { readonly type: 'lost'; readonly loss: Loss }
  /** A stream has ended. */
  | { readonly type: 'end'; readonly how: string };

export type Noted = Note & { readonly at: number; readonly source: string };

/** All notes, in order. */
export class Journal {
  readonly #now: () => number;
  readonly notes: Noted[] = [];
  /** Called for each note. */
  onNote: ((note: Noted) => void) | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a note of one source; `*` means all sources, when clients start and stop. */
  note(source: string, note: Note): void {
    const noted = { ...note, at: this.#now(), source };
    this.notes.push(noted);
    this.onNote?.(noted);
  }
}
