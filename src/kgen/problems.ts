import { byText } from './words.ts';

/** A point in a source. Lines and columns count from 1, columns in UTF-16 units, as editors do. */
export interface Place {
  /** File name as the user gave it, a URL without credentials or query, or `<stdin>`. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Errors make the run fail (exit status 1); warnings do not. */
export type Severity = 'error' | 'warning';

/** One thing that is wrong with the input, the settings or the output folder. */
export interface Problem {
  readonly severity: Severity;
  readonly where?: Place;
  /** One sentence: what is wrong and what to do about it. */
  readonly what: string;
  /** Set where it is known to last as long as the input is of this kind: `--quiet` leaves it out. */
  readonly isNote?: true;
}

/** A value together with the problems met on the way to it. */
export interface Checked<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

/** Shorthand for an error. */
export function error(what: string, where?: Place): Problem {
  return where === undefined ? { severity: 'error', what } : { severity: 'error', where, what };
}

/** Shorthand for a warning. */
export function warning(what: string, where?: Place): Problem {
  return where === undefined ? { severity: 'warning', what } : { severity: 'warning', where, what };
}

/** Shorthand for a warning of what lasts as long as the input is of its kind. */
export function note(what: string, where?: Place): Problem {
  return { ...warning(what, where), isNote: true };
}

/** True when at least one problem makes the run fail. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** `file:line:column`, as far as it is known. */
export function formatPlace(place: Place): string {
  const parts = [place.file, place.line, place.line === undefined ? undefined : place.column];
  return parts.filter((part) => part !== undefined).join(':');
}

/** `file:line:column: error: sentence`, on one line and without control characters. */
export function formatProblem(problem: Problem): string {
  const where = problem.where === undefined ? '' : `${formatPlace(problem.where)}: `;
  return visible(`${where}${problem.severity}: ${problem.what}`);
}

/** Adds items at the end of a list. The arguments of a call are limited in number; the items of a list are not. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}

/** In the order of files, lines and columns; exact repetitions are dropped. Independent of locale. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const sorted = [...problems].sort(compareProblems);
  return sorted.filter((problem, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareProblems(before, problem) !== 0;
  });
}

/** How many problems of one severity are told for one source: whoever mends them sees the others in the next run. */
export const maxTold = 100;

/** Problems of one source. Of each severity the first `maxTold` are kept and the others counted. */
export class ProblemLog {
  readonly #kept: Problem[] = [];
  readonly #seen = { error: 0, warning: 0 };
  readonly #next: { error?: Problem; warning?: Problem } = {};

  add(problems: Iterable<Problem>): void {
    for (const problem of problems) {
      const { severity } = problem;
      this.#seen[severity] += 1;
      if (this.#seen[severity] <= maxTold) this.#kept.push(problem);
      else this.#next[severity] ??= problem;
    }
  }

  /** What was kept, and where more was left out, a problem that says how many there are from its place on. */
  get problems(): readonly Problem[] {
    return [...this.#kept, ...this.#rest('error'), ...this.#rest('warning')];
  }

  #rest(severity: Severity): readonly Problem[] {
    const next = this.#next[severity];
    if (next === undefined) return [];
    const count = this.#seen[severity] - maxTold;
    const more =
      count === 1 ? `more ${severity} from here on, which is` : `more ${severity}s from here on, which are`;
    const what = `${count} ${more} left out: mend the others first`;
    return [{ ...next, what }];
  }
}

/** Each file's problems, limited as by a `ProblemLog`. */
export function limitPerFile(problems: readonly Problem[]): readonly Problem[] {
  const logs = new Map<string | undefined, ProblemLog>();
  for (const problem of problems) {
    const file = problem.where?.file;
    const log = logs.get(file) ?? new ProblemLog();
    logs.set(file, log);
    log.add([problem]);
  }
  return [...logs.values()].flatMap((log) => log.problems);
}

/** Text from the input, fit to be shown: quoted, one line, at most `limit` characters. */
export function quote(text: string, limit = 60): string {
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}

/** Several such texts; of more than `most` only the number is told. */
export function quoteAll(texts: readonly string[], most = 5): string {
  const more = texts.length > most ? [`${texts.length - most} more`] : [];
  return [...texts.slice(0, most).map((text) => quote(text)), ...more].join(', ');
}

function compareProblems(a: Problem, b: Problem): number {
  return (
    Number(a.where === undefined) - Number(b.where === undefined) ||
    byText(a.where?.file ?? '', b.where?.file ?? '') ||
    (a.where?.line ?? 0) - (b.where?.line ?? 0) ||
    (a.where?.column ?? 0) - (b.where?.column ?? 0) ||
    byText(a.severity, b.severity) ||
    byText(a.what, b.what)
  );
}

/** Escapes C0, C1 and bidirectional controls, so that input text cannot drive a terminal. */
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
