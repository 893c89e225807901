/** Tables of lines that must compile or must not compile. */
import { type Complaint, complaints, programOf } from './checker.ts';
import type { Options } from './compilers.ts';
import type { Project } from './project.ts';

/** A line of TypeScript, and the expected result. */
export interface Line {
  /** Name in failures: feature and expression. */
  readonly name: string;
  readonly text: string;
  readonly compiles: boolean;
}

/** Codes of names and modules that do not exist: such a line does not test types. */
const missing: readonly number[] = [2304, 2305, 2307, 2552, 2724];

/** Returns true for errors of the checker, as opposed to syntax errors and missing names. */
function isVerdict({ code }: Complaint): boolean {
  const ofChecker = (code >= 2000 && code < 5000) || (code >= 18_000 && code < 19_000);
  return ofChecker && !missing.includes(code);
}

/**
 * Writes the lines below `prelude` into one file, checks it under the strictest flags, and returns unexpected
 * results, one sentence each.
 */
export function surprises(
  project: Project,
  prelude: string,
  lines: readonly Line[],
  options: Options = {},
): readonly string[] {
  const file = 'lines.ts';
  const first = prelude.split('\n').length;
  project.write({ [file]: [prelude, ...lines.map(({ text }) => oneLine(text)), ''].join('\n') });
  const byLine = new Map<number, Complaint[]>();
  const elsewhere: string[] = [];
  for (const complaint of complaints(programOf(project.folder, [file], options), project.folder)) {
    if (complaint.file !== file || complaint.line < first) elsewhere.push(describe(complaint));
    else byLine.set(complaint.line, [...(byLine.get(complaint.line) ?? []), complaint]);
  }
  return [...elsewhere, ...lines.flatMap((line, index) => judge(line, byLine.get(first + index) ?? []))];
}

function judge({ name, compiles }: Line, found: readonly Complaint[]): readonly string[] {
  if (compiles)
    return found.length === 0 ? [] : [`${name}: must compile, but: ${found.map(describe).join('; ')}`];
  if (found.length === 0) return [`${name}: compiles, but must not`];
  const odd = found.filter((complaint) => !isVerdict(complaint));
  return odd.length === 0 ? [] : [`${name}: fails for the wrong reason: ${odd.map(describe).join('; ')}`];
}

function describe({ file, line, code, text }: Complaint): string {
  return `${file}:${line + 1} TS${code} ${text}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
