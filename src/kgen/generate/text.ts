/** Generation from a string, without modules of Node.js: browsers run it, too. */
import { type InputProblem, limitPerFile, sortProblems } from '../common/problems.ts';
import { defaultEmitOptions, type EmitOptions } from '../emit/options.ts';
import { emit } from '../emit/tree.ts';
import { createCollector } from '../input/collect.ts';
import { settleClashes } from '../input/crd/clashes.ts';
import type { LoadYaml } from '../input/reading/reread.ts';
import type { SourceText } from '../input/reading/source.ts';
import { buildModel } from '../model/build.ts';
import type { Model } from '../model/ir.ts';

/** Settings of `generateText`. */
export interface TextSettings extends Partial<EmitOptions> {
  /** Version of kgen, for the headers of the files. */
  readonly version: string;
  /** Returns the `yaml` package, which finds the positions of problems. */
  readonly loadYaml: LoadYaml;
}

/** Output for the CustomResourceDefinitions of a string. */
export interface GeneratedText {
  /** By path, relative to the output folder. Empty if the string has no valid definition. */
  readonly files: ReadonlyMap<string, string>;
  readonly model: Model;
  /** Errors and warnings, sorted by line and column. */
  readonly problems: readonly InputProblem[];
}

/**
 * Generates the files of all definitions in YAML or JSON. Invalid input is reported in `problems`; valid
 * definitions beside it are generated.
 */
export function generateText(source: SourceText, settings: TextSettings): GeneratedText {
  const { loadYaml, ...printing } = settings;
  const collector = createCollector(loadYaml);
  const faults = collector.add(source);
  const { crds, problems: others } = collector.finish();
  const settled = settleClashes(crds);
  const { model, problems: notes } = buildModel({ crds: settled.value });
  const isEmpty = model.groupVersions.every(({ resources }) => resources.length === 0);
  const files = isEmpty ? new Map<string, string>() : emit(model, { ...defaultEmitOptions, ...printing });
  return {
    files,
    model,
    problems: sortProblems([...faults, ...others, ...settled.problems, ...limitPerFile(notes)]),
  };
}
