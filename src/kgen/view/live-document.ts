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

/** State of the cluster of `kgen dev`: the value of the action `state`. */
export interface PlayState {
  /** Whether the operator runs. */
  readonly isRunning: boolean;
  /** Kinds whose objects can be created, those of the project first. */
  readonly kinds: readonly PlayKind[];
  /** Samples of the project. */
  readonly samples: readonly PlaySample[];
  /** Names of snapshots, oldest first. */
  readonly snapshots: readonly string[];
  /** Number of holds of watches. */
  readonly holds: number;
  /** Code of the actions since the last one that has cleared them. */
  readonly steps: readonly string[];
}

/** A kind that the server has. */
export interface PlayKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly group: string;
  readonly resource: string;
  readonly isCustom: boolean;
  /** Whether objects have a number of replicas. */
  readonly isScalable: boolean;
}

/** A file with objects. */
export interface PlaySample {
  readonly name: string;
  readonly yaml: string;
}
