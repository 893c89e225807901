import type { Problem } from '../problems.ts';

/** A problem in JSON; its keys are part of kgen's interface. */
export interface JsonProblem {
  readonly severity: Problem['severity'];
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A problem as `--json` prints it. */
export function jsonProblem({ severity, where, what }: Problem): JsonProblem {
  return { severity, ...where, message: what };
}

/** One JSON object, as with `--json` when kgen does not start: the command line or the settings are wrong. */
export function jsonRefusal(problems: readonly Problem[]): string {
  return `${JSON.stringify({ ok: false, problems: problems.map(jsonProblem) })}\n`;
}
