import type { Checker } from '../input/checker.ts';
import { error, type Problem, ProblemLog, warning } from '../problems.ts';

/** What a checker found, as problems of the document; limited as a `ProblemLog` does. */
export function placedFindings(check: Checker, file: string): readonly Problem[] {
  const log = new ProblemLog();
  log.add(
    check.findings.map(({ severity, what }) => (severity === 'error' ? error : warning)(what, { file })),
  );
  return log.problems;
}
