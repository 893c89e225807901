/** Names of settings in messages, which name the options of the command line. */
import type { InputProblem } from '../common/problems.ts';
import { rules } from './rules.ts';
import type { OutputSettings } from './settings.ts';

/** Sources of the settings of a run. */
export interface Origin {
  /** Name of the configuration file, if there is one. */
  readonly file: string | undefined;
  /** Settings of the command line. */
  readonly given: OutputSettings;
  /** Settings of the run, from both. */
  readonly settings: OutputSettings;
}

/** `--out` also chooses an output of the file. */
const options: ReadonlyMap<string, string> = new Map(
  Object.keys(rules)
    .filter((name) => name !== 'out')
    .map((name) => [`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, name]),
);

/**
 * Returns problems with settings of the configuration file under their names in that file, and with the file
 * as their position. Those of the command line keep the names of their options.
 */
export function inFile(
  problems: readonly InputProblem[],
  { file, given, settings }: Origin,
): readonly InputProblem[] {
  if (file === undefined) return problems;
  const isOf = (values: OutputSettings, name: string): boolean => Object.hasOwn(values, name);
  return problems.map((problem) => {
    const named = [...problem.what.matchAll(/(?<![\w"-])--[a-z-]+/g)].flatMap(
      ([word]) => options.get(word) ?? [],
    );
    const isOfFile = named.some((name) => isOf(settings, name) && !isOf(given, name));
    if (problem.where !== undefined || !isOfFile) return problem;
    const what = problem.what.replaceAll(/(?<![\w"-])--[a-z-]+/g, (word) => {
      const name = options.get(word);
      return name === undefined || isOf(given, name) ? word : name;
    });
    return { ...problem, what, where: { file } };
  });
}
