import type { GenerateResult, Mode } from '../generate.ts';
import { hasErrors } from '../problems.ts';
import { countLines } from '../write/lines.ts';
import { type Change, isUpToDate } from '../write/plan.ts';
import { jsonProblem } from './refusal.ts';

/** What a report needs besides the result. */
export interface ReportOptions {
  readonly mode: Mode;
  /** Time of the whole run. */
  readonly durationMs: number;
}

/** One JSON object, for machines. Its keys are part of kgen's interface. */
export function jsonReport(result: GenerateResult, options: ReportOptions): string {
  const { create, update, remove, unchanged } = result.changes;
  const paths = (changes: readonly Change[]): readonly string[] => changes.map(({ path }) => path);
  const report = {
    ok: result.ok,
    mode: options.mode,
    out: result.out,
    files: {
      created: paths(create),
      updated: paths(update),
      removed: paths(remove),
      unchanged: unchanged.length,
    },
    groups: result.groupVersions.map(({ group, version, kinds }) => ({ group, version, kinds })),
    kinds: countKinds(result),
    sources: result.sources,
    skipped: result.skipped,
    problems: result.problems.map(jsonProblem),
    durationMs: Math.round(options.durationMs),
  };
  return `${JSON.stringify(report)}\n`;
}

/** Plain lines: what was read, what became of the files, each with its path unless it was written as asked. */
export function plainReport(result: GenerateResult, options: ReportOptions): string {
  const lines = [
    `${count(result.sources, 'source')} read: ${count(countKinds(result), 'kind')} in ${count(result.groupVersions.length, 'group version')}, ${count(result.skipped, 'other object')} skipped`,
    ...(options.mode === 'dry-run' ? changeLines(result) : []),
    verdict(result, options.mode),
  ];
  return `${lines.join('\n')}\n`;
}

/** A table of group versions with totals below, for people at a terminal. */
export function tableReport(result: GenerateResult, options: ReportOptions): string {
  const rows = result.groupVersions.map(
    ({ group, version, kinds }) => [group, version, kinds.join(' ')] as const,
  );
  const widths = [0, 1].map((column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 7),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const warnings = result.problems.filter(({ severity }) => severity === 'warning').length;
  const totals = [
    count(new Set(result.groupVersions.map(({ group }) => group)).size, 'group'),
    count(countKinds(result), 'kind'),
    count(countFiles(result), 'file'),
    count(warnings, 'warning'),
    `${(options.durationMs / 1000).toFixed(2)} s`,
  ];
  const table = rows.length === 0 ? [] : [line(['group', 'version', 'kinds']), ...rows.map(line), ''];
  const changes = options.mode === 'dry-run' ? changeLines(result) : [];
  return `${[...table, ...changes, totals.join(', '), verdict(result, options.mode)].join('\n')}\n`;
}

function verdict(result: GenerateResult, mode: Mode): string {
  const { create, update, remove, unchanged } = result.changes;
  const parts = `${create.length} new, ${update.length} changed, ${remove.length} removed, ${unchanged.length} unchanged`;
  if (mode === 'dry-run') return `${result.out} would have: ${parts}`;
  if (mode === 'write')
    return hasErrors(result.problems) ? failure(result, parts) : `${result.out}: ${parts}`;
  if (!isUpToDate(result.changes)) return `${result.out} is not up to date: run kgen without --check`;
  return result.ok ? `${result.out} is up to date` : `${result.out} cannot be checked, because of the errors`;
}

/** With errors some of the output may be written all the same, or none of it. */
function failure(result: GenerateResult, parts: string): string {
  return countFiles(result) === 0 || result.changes.clashes.length > 0
    ? `${result.out}: nothing was written, because of the errors`
    : `${result.out}: ${parts}; left out: what has errors`;
}

function changeLines(result: GenerateResult): readonly string[] {
  const { create, update, remove } = result.changes;
  const line = (mark: string, change: Change): string => {
    const { added, removed } = countLines(change);
    return `${mark} ${result.out}/${change.path} (+${added} -${removed} lines)`;
  };
  return [
    ...create.map((change) => line('new    ', change)),
    ...update.map((change) => line('changed', change)),
    ...remove.map((change) => line('removed', change)),
  ];
}

function countFiles(result: GenerateResult): number {
  const { create, update, unchanged } = result.changes;
  return create.length + update.length + unchanged.length;
}

function countKinds(result: GenerateResult): number {
  return result.groupVersions.reduce((sum, { kinds }) => sum + kinds.length, 0);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
