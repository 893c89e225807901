/** Output and clock of the commands of clusters. */

/** Effects of a command. */
export interface Session {
  readonly print: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** User and machine in messages to others: `ann@laptop`. */
  readonly user: string;
}
