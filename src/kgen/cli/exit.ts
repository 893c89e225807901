/** Output for the two streams and the exit status of a command line that needs no run. */
export interface Exit {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit statuses. They are listed in `--help`. */
export const exitCodes = {
  ok: 0,
  /** Errors in the input or the output folder; with `--check`, differences. */
  problems: 1,
  /** The command line or the configuration file is invalid. */
  usage: 2,
  /** A bug in kgen. */
  internal: 3,
  /** With `--check --from-cluster`, the clients in the folder do not fit the cluster. */
  breaking: 4,
} as const;
