/** Texts for the two streams and the exit status, when there is nothing to run. */
export interface Exit {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit statuses; also in `--help`. */
export const exitCodes = {
  ok: 0,
  /** Errors in the input or the output folder; with `--check`, differences. */
  problems: 1,
  /** The command line or the configuration file is wrong. */
  usage: 2,
  /** A bug in kgen. */
  internal: 3,
} as const;
