/** Reports of finished runs: lines, a table, or JSON. */
import { hasErrors, maxListed, visible } from '../common/problems.ts';
import type { Drift } from '../contract/types.ts';
import type { GenerateMode, GenerateResult } from '../generate/generate.ts';
import { formatChanges, type TypeChange } from '../typecheck/compare/change.ts';
import { countLines } from '../write/lines.ts';
import { type FileChange, isUpToDate } from '../write/plan.ts';
import type { Paint } from './colors.ts';
import { jsonProblem } from './refusal.ts';

/** A finished run. */
export interface Report {
  /** Result of the run, with `typeChanges` for `--check`. */
  readonly result: GenerateResult;
  readonly mode: GenerateMode;
  /** Whether the input was CRDs, which may be mixed with other objects. */
  readonly fromCrds: boolean;
  /** Duration of the whole run, in milliseconds. */
  readonly durationMs: number;
}

/** Returns plain lines: the input, and the changed files, each with its path unless it was simply written. */
export function plainReport(report: Report, paint: Paint): string {
  const lines = [...readLines(report), ...changeLines(report, paint), verdict(report)];
  return `${lines.join('\n')}\n`;
}

/** Returns the lines about the input, if any was read. */
function readLines({ result, fromCrds }: Report): readonly string[] {
  if (result.sources === 0) return [];
  const kinds = `${count(countKinds(result), 'kind')} in ${count(result.groupVersions.length, 'group version')}`;
  const others = fromCrds ? `, ${count(result.skipped, 'other object')} skipped` : '';
  return [`${count(result.sources, 'source')} read: ${kinds}${others}`];
}

/** Returns a table of group versions with totals below, for terminals. */
export function tableReport(report: Report, paint: Paint): string {
  const { result, durationMs } = report;
  const warnings = result.problems.filter(({ severity }) => severity === 'warning').length;
  const totals = [
    count(new Set(result.groupVersions.map(({ group }) => group)).size, 'group'),
    count(countKinds(result), 'kind'),
    count(countFiles(result), 'file'),
    count(warnings, 'warning'),
    `${(durationMs / 1000).toFixed(2)} s`,
  ];
  const lines = [...table(result, paint), ...changeLines(report, paint), totals.join(', '), verdict(report)];
  return `${lines.join('\n')}\n`;
}

/** Returns the number of kinds of all group versions. */
export function countKinds(result: GenerateResult): number {
  return result.groupVersions.reduce((sum, { kinds }) => sum + kinds.length, 0);
}

function table({ groupVersions }: GenerateResult, paint: Paint): readonly string[] {
  const rows = groupVersions.map(
    // Only the core group has an empty name.
    ({ group, version, kinds }) => [group === '' ? 'core' : group, version, kinds.join(' ')] as const,
  );
  if (rows.length === 0) return [];
  const widths = [0, 1].map((column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 7),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [paint(line(['group', 'version', 'kinds']), 'head'), ...rows.map(line), ''];
}

function verdict({ result, mode }: Report): string {
  const { create, update, remove, unchanged } = result.changes;
  const parts = `${create.length} new, ${update.length} changed, ${remove.length} removed, ${unchanged.length} unchanged`;
  if (mode === 'dry-run') return `${result.out} would have: ${parts}`;
  if (mode === 'write')
    return hasErrors(result.problems) ? failure(result, parts) : `${result.out}: ${parts}`;
  if (!isUpToDate(result.changes)) return `${result.out} is not up to date: run kgen without --check`;
  if (isBroken(result)) return `${result.out} has clients of kinds that the cluster does not serve`;
  return result.ok ? `${result.out} is up to date` : `${result.out} cannot be checked, because of the errors`;
}

function isBroken({ drifts = [] }: GenerateResult): boolean {
  return drifts.some(({ breaking }) => breaking);
}

/** With errors, the output may be written in part or not at all. */
function failure(result: GenerateResult, parts: string): string {
  return countFiles(result) === 0 || result.changes.clashes.length > 0
    ? `${result.out}: nothing was written, because of the errors`
    : `${result.out}: ${parts}; parts with errors are left out`;
}

function changeLines({ result, mode }: Report, paint: Paint): readonly string[] {
  if (mode === 'dry-run') return fileLines(result);
  return [...typeLines(result.typeChanges ?? [], paint), ...driftLines(result.drifts ?? [], paint)];
}

/** Prints the differences from the cluster, those that break clients first. */
function driftLines(drifts: readonly Drift[], paint: Paint): readonly string[] {
  const sorted = [...drifts].sort((a, b) => Number(b.breaking) - Number(a.breaking));
  const more = sorted.length - maxListed;
  return [
    ...sorted.slice(0, maxListed).map(({ resource, path, message, breaking }) => {
      const where = path === '' ? resource : `${resource} ${path}`;
      const mark = breaking ? paint('contract', 'error') : 'note';
      return `${mark}: ${visible(where)}: ${visible(message)}`;
    }),
    ...(more > 0 ? [`${count(more, 'more drift')}: --json has them all`] : []),
  ];
}

function fileLines(result: GenerateResult): readonly string[] {
  const { create, update, remove } = result.changes;
  const line = (mark: string, change: FileChange): string => {
    const { added, removed } = countLines(change);
    return `${mark} ${result.out}/${change.path} (+${added} -${removed} lines)`;
  };
  return [
    ...create.map((change) => line('new    ', change)),
    ...update.map((change) => line('changed', change)),
    ...remove.map((change) => line('removed', change)),
  ];
}

/**
 * Prints breaking changes first. If there are too many, the remaining changes are in the JSON report only.
 */
function typeLines(changes: readonly TypeChange[], paint: Paint): readonly string[] {
  const lines = formatChanges(changes);
  const listed = lines.slice(0, maxListed);
  const more = lines.length - listed.length;
  return [
    ...listed.map((line) => line.replace(/^breaking/, (word) => paint(word, 'error'))),
    ...(more > 0 ? [`${count(more, 'more change')} of types: --json has them all`] : []),
  ];
}

function countFiles(result: GenerateResult): number {
  const { create, update, unchanged } = result.changes;
  return create.length + update.length + unchanged.length;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns one JSON object. Its keys are part of kgen's interface. */
export function jsonReport(report: Report): string {
  return `${JSON.stringify(jsonValue(report))}\n`;
}

/** Returns one JSON object for all outputs of a configuration file, each in the form of `jsonReport`. */
export function jsonReports(reports: readonly Report[], durationMs: number): string {
  const value = {
    ok: reports.every(({ result }) => result.ok),
    outputs: reports.map(jsonValue),
    durationMs: Math.round(durationMs),
  };
  return `${JSON.stringify(value)}\n`;
}

function jsonValue({ result, mode, durationMs }: Report): Readonly<Record<string, unknown>> {
  const { create, update, remove, unchanged } = result.changes;
  const paths = (changes: readonly FileChange[]): readonly string[] => changes.map(({ path }) => path);
  return {
    ok: result.ok,
    mode,
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
    ...(result.typeChanges === undefined ? {} : { typeChanges: result.typeChanges }),
    ...(result.drifts === undefined ? {} : { drifts: result.drifts }),
    problems: result.problems.map(jsonProblem),
    durationMs: Math.round(durationMs),
  };
}
