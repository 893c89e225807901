/** Messages between a live page and its server. */

/** Response to the request `/document`. */
export interface LiveDocument {
  readonly sources: readonly ({ readonly name: string } & LivePart)[];
  /** Whether the server performs actions. */
  readonly hasActions: boolean;
}

/** State of a source, or the reason why there is none. */
export type LivePart = LiveText | { readonly problem: string };

/** Lines since the state that the page has. */
export interface LiveText {
  /** Identifies the state after the lines. */
  readonly tag: string;
  /** A recording or an increment of one, as `docs/replay.md` describes them; empty if nothing has changed. */
  readonly text: string;
}

/** Result of an action. */
export interface ActionResult {
  readonly isDone: boolean;
  /** Line for the user. */
  readonly message: string;
  /** Problems in the text of the action. */
  readonly errors?: readonly TextError[];
  /** Lines of a test that do the same; empty for an action that has failed. */
  readonly code?: string;
  /** Values that the action requests, such as a schema. */
  readonly value?: unknown;
}

/** A problem of a text. */
export interface TextError {
  /** From 1. */
  readonly line: number;
  /** From 1; absent for the whole line. */
  readonly column?: number;
  readonly message: string;
}
