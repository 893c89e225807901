/** The generator without a file system: strings in, strings out. */
import type { InputProblem } from '../../src/kgen/common/problems.ts';
import { defaultEmitOptions, type EmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { settleClashes } from '../../src/kgen/input/crd/clashes.ts';
import { readDefinition } from '../../src/kgen/input/crd/definition.ts';
import { readSource } from '../../src/kgen/input/reading/documents.ts';
import { createParser } from '../../src/kgen/input/reading/yaml.ts';
import { loadYaml } from '../../src/kgen/input/sources/load-yaml.ts';
import { type Built, buildModel } from '../../src/kgen/model/build.ts';

/** A file with its content. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Result of reading and modelling. */
export interface Modelled {
  readonly built: Built;
  readonly problems: readonly InputProblem[];
}

/** Reads the sources and builds their model. */
export function modelOf(sources: readonly Source[]): Modelled {
  const parse = createParser();
  const contents = sources.map((source) => readSource(source, { parse, loadYaml }));
  const read = contents.flatMap(({ crds }) => crds).map(readDefinition);
  const settled = settleClashes(read.map(({ value }) => value).filter((value) => value !== undefined));
  const built = buildModel({ crds: settled.value });
  const found = [...contents, ...read, settled, built].flatMap(({ problems }) => problems);
  return { built, problems: found };
}

/** Prints a model. */
export function print({ built }: Modelled, options: Partial<EmitOptions> = {}): ReadonlyMap<string, string> {
  return emit(built.model, { ...defaultEmitOptions, version: '0.0.0', ...options });
}

/** Returns the files of an output without their first lines, which name the sources and their hashes. */
export function bodies(files: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  return Object.fromEntries([...files].map(([path, text]) => [path, text.slice(text.indexOf('\n') + 1)]));
}
