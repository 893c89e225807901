import type { FileChange } from '../write/plan.ts';
import { jsonProblem } from './refusal.ts';
import { countKinds, type Report } from './report.ts';

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
    problems: result.problems.map(jsonProblem),
    durationMs: Math.round(durationMs),
  };
}
