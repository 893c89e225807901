import { error, type InputProblem, ProblemLog, warning } from '../../common/problems.ts';
import type { Checker } from '../../input/crd/checker.ts';

/** Returns the findings of a checker as problems of the document, limited as by a `ProblemLog`. */
export function placedFindings(check: Checker, file: string): readonly InputProblem[] {
  const log = new ProblemLog();
  log.add(
    check.findings.map(({ severity, what }) => (severity === 'error' ? error : warning)(what, { file })),
  );
  return log.problems;
}
