/** Messages between the page and the thread that generates. */

/** A text to generate from. */
export interface PlaygroundRequest {
  /** Counted by the page, which shows the response to its last request only. */
  readonly id: number;
  readonly text: string;
}

/** An error or a warning in the text. */
export interface PlaygroundProblem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Counted from 1. Absent if the problem is that of the whole text. */
  readonly line?: number;
  readonly column?: number;
}

/** A generated file, or the program of a kind. */
export interface PlaygroundFile {
  /** Path in the output folder, or name of the kind. */
  readonly name: string;
  readonly text: string;
}

/** Output for a text. */
export interface PlaygroundResponse {
  readonly id: number;
  readonly files: readonly PlaygroundFile[];
  readonly snippets: readonly PlaygroundFile[];
  readonly problems: readonly PlaygroundProblem[];
}
