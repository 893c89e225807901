/** Runs of a command: a configuration file may define several outputs. */
import { resolve } from 'node:path';
import { type Checked, error, type InputProblem, quote, quoteAll } from '../common/problems.ts';
import { conflicts, inputKinds, layer } from '../config/combine.ts';
import type { ParsedConfig } from '../config/config.ts';
import type { OutputSettings } from '../config/settings.ts';

/**
 * Returns the runs that a configuration file and a command line define, one per output, in order. Without
 * errors there is at least one run, each has one kind of input, and no two have the same folder.
 */
export function planRuns(
  { settings, outputs }: ParsedConfig,
  given: OutputSettings,
  cwd: string,
): Checked<readonly OutputSettings[]> {
  if (outputs === undefined) {
    const run = layer(settings, given);
    return { value: [run], problems: conflicts(run) };
  }
  const { out, ...rest } = given;
  const chosen = outputs.filter((output) => out === undefined || isSame(cwd, output, { out }));
  const problems = [
    ...sharedFolders(outputs, cwd),
    ...(chosen.length === 0 ? [unknownFolder(out ?? '', outputs)] : []),
    ...(chosen.length > 1 && inputKinds(rest).length > 0 ? [inputOfSeveral] : []),
  ];
  if (problems.length > 0) return { value: [], problems };
  const runs = chosen.map((output) => layer(layer(settings, output), rest));
  return { value: runs, problems: [...runs.flatMap(conflictsOf), ...sharedStdin(runs)] };
}

const inputOfSeveral = error(
  'the configuration file has several outputs, which would all be generated from this input: choose one of them with --out',
);

function isSame(cwd: string, a: OutputSettings, b: OutputSettings): boolean {
  return resolve(cwd, a.out ?? '') === resolve(cwd, b.out ?? '');
}

function sharedFolders(outputs: readonly OutputSettings[], cwd: string): readonly InputProblem[] {
  const again = outputs.filter(
    (output, index) => outputs.findIndex((one) => isSame(cwd, one, output)) < index,
  );
  return again.map(({ out = '' }) =>
    error(`two outputs have the folder ${quote(out)}: give each output a folder of its own`),
  );
}

function unknownFolder(out: string, outputs: readonly OutputSettings[]): InputProblem {
  const known = quoteAll(outputs.map((output) => output.out ?? ''));
  return error(
    `--out ${quote(out)} is not the folder of an output in the configuration file: use one of ${known}`,
  );
}

function conflictsOf(run: OutputSettings): readonly InputProblem[] {
  return conflicts(run).map((problem) => ({
    ...problem,
    what: `output ${quote(run.out ?? '')}: ${problem.what}`,
  }));
}

function sharedStdin(runs: readonly OutputSettings[]): readonly InputProblem[] {
  if (runs.filter(({ input = [] }) => input.includes('-')).length < 2) return [];
  return [
    error('several outputs read standard input, which can be read once: give all but one of them files'),
  ];
}
