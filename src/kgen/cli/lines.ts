/** Lines of problems on a terminal, which all commands print alike. */
import { formatProblem, type InputProblem } from '../common/problems.ts';
import type { Paint } from './colors.ts';

/** Returns a problem as one line, with its severity in color. */
export function problemLine(problem: InputProblem, paint: Paint): string {
  const { severity, what } = problem;
  const line = formatProblem(problem);
  const start = line.length - formatProblem({ severity, what }).length;
  const rest = line.slice(start + severity.length);
  return `${line.slice(0, start)}${paint(severity, severity)}${rest}\n`;
}

/** Returns several problems, one per line. */
export function problemLines(problems: readonly InputProblem[], paint: Paint): string {
  return problems.map((problem) => problemLine(problem, paint)).join('');
}
