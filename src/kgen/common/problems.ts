/** Problems of input and settings as values, with their limits and order of output. */
import { quote } from '@kgen/schema/rules/members';
import { byText } from './words.ts';

export { quote };

/** A position in a source. Lines and columns start at 1, and columns count UTF-16 units, as in editors. */
export interface SourcePlace {
  /** File name as passed by the user, a URL without credentials and query, or `<stdin>`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Errors fail the run (exit status 1); warnings do not. */
export type ProblemSeverity = 'error' | 'warning';

/** An error or a warning about the input, the settings or the output folder. */
export interface InputProblem {
  readonly severity: ProblemSeverity;
  readonly where?: SourcePlace;
  /** One sentence: the problem and how to solve it. */
  readonly what: string;
  /** True if the warning is inherent to this kind of input. `--quiet` hides such warnings. */
  readonly isNote?: true;
}

/** A value together with the problems that occurred while it was computed. */
export interface Checked<T> {
  readonly value: T;
  readonly problems: readonly InputProblem[];
}

/** Returns an error. */
export function error(what: string, where?: SourcePlace): InputProblem {
  return where === undefined ? { severity: 'error', what } : { severity: 'error', where, what };
}

/** Returns a warning. */
export function warning(what: string, where?: SourcePlace): InputProblem {
  return where === undefined ? { severity: 'warning', what } : { severity: 'warning', where, what };
}

/** Returns a warning that is inherent to the kind of input. */
export function note(what: string, where?: SourcePlace): InputProblem {
  return { ...warning(what, where), isNote: true };
}

/** Returns whether at least one problem fails the run. */
export function hasErrors(problems: readonly InputProblem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** Returns `file:line:column`, without the parts that are unknown. */
export function formatPlace(place: SourcePlace): string {
  const parts = [place.file, place.line, place.line === undefined ? undefined : place.column];
  return parts.filter((part) => part !== undefined).join(':');
}

/** Returns `file:line:column: error: sentence`, on one line and without control characters. */
export function formatProblem(problem: InputProblem): string {
  const where = problem.where === undefined ? '' : `${formatPlace(problem.where)}: `;
  return visible(`${where}${problem.severity}: ${problem.what}`);
}

/** Appends items to a list of any length. The arguments of a call are limited in number. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** Sorts by file, line and column, independent of the locale, and drops duplicates. */
export function sortProblems(problems: readonly InputProblem[]): readonly InputProblem[] {
  const sorted = [...problems].sort(compareProblems);
  return sorted.filter((problem, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}

/** Maximum number of reported problems per severity and source. Further ones appear in the next run. */
export const maxListed = 100;

/** Problems of one source. The first `maxListed` of each severity are kept and further ones are counted. */
export class ProblemLog {
  readonly #kept: InputProblem[] = [];
  readonly #seen = { error: 0, warning: 0 };
  readonly #next: Partial<Record<ProblemSeverity, InputProblem>> = {};

  add(problems: Iterable<InputProblem>): void {
    for (const problem of problems) {
      const { severity } = problem;
      this.#seen[severity] += 1;
      if (this.#seen[severity] <= maxListed) this.#kept.push(problem);
      else this.#next[severity] ??= problem;
    }
  }

  /**
   * The kept problems, and a problem with the number of omitted ones at the position of the first of them.
   */
  get problems(): readonly InputProblem[] {
    return [...this.#kept, ...this.#rest('error'), ...this.#rest('warning')];
  }

  #rest(severity: ProblemSeverity): readonly InputProblem[] {
    const next = this.#next[severity];
    if (next === undefined) return [];
    const count = this.#seen[severity] - maxListed;
    const more =
      count === 1 ? `more ${severity} from here on, which is` : `more ${severity}s from here on, which are`;
    const what = `${count} ${more} left out: correct the others first`;
    return [{ ...next, what }];
  }
}

/** Limits the problems of each file as a `ProblemLog` does. */
export function limitPerFile(problems: readonly InputProblem[]): readonly InputProblem[] {
  const logs = new Map<string | undefined, ProblemLog>();
  for (const problem of problems) {
    const file = problem.where?.file;
    const log = logs.get(file) ?? new ProblemLog();
    logs.set(file, log);
    log.add([problem]);
  }
  return [...logs.values()].flatMap((log) => log.problems);
}

/** Returns the first strings of a list, and the number of the others. */
export function listed(texts: readonly string[], most = 10): string {
  const more = texts.length > most ? ` and ${texts.length - most} more` : '';
  return `${texts.slice(0, most).join(', ')}${more}`;
}

/** Returns several quoted strings. If there are more than `most`, only their number is shown. */
export function quoteAll(texts: readonly string[], most = 5): string {
  const more = texts.length > most ? [`${texts.length - most} more`] : [];
  return [...texts.slice(0, most).map((text) => quote(text)), ...more].join(', ');
}

function compareProblems(a: InputProblem, b: InputProblem): number {
  return (
    Number(a.where === undefined) - Number(b.where === undefined) ||
    byText(a.where?.file ?? '', b.where?.file ?? '') ||
    (a.where?.line ?? 0) - (b.where?.line ?? 0) ||
    (a.where?.column ?? 0) - (b.where?.column ?? 0) ||
    byText(a.severity, b.severity) ||
    byText(a.what, b.what)
  );
}

/** Escapes C0, C1 and bidirectional control characters, so that input cannot control a terminal. */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
