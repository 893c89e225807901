/** JSON form of problems before a run begins. */
import type { InputProblem } from '../common/problems.ts';

/** A problem in JSON. Its keys are part of kgen's interface. */
export interface JsonProblem {
  readonly severity: InputProblem['severity'];
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Returns a problem as printed by `--json`. */
export function jsonProblem({ severity, where, what }: InputProblem): JsonProblem {
  return { severity, ...where, message: what };
}

/** Returns one JSON object, as with `--json`, for a command line or settings that are invalid. */
export function jsonRefusal(problems: readonly InputProblem[]): string {
  return `${JSON.stringify({ ok: false, problems: problems.map(jsonProblem) })}\n`;
}
