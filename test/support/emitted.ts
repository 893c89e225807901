/** The generator in this process, from CRDs to generated files in memory. */
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { formatProblem, type InputProblem } from '../../src/kgen/common/problems.ts';
import { defaultEmitOptions, type EmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { settleClashes } from '../../src/kgen/input/crd/clashes.ts';
import type { CrdDefinition } from '../../src/kgen/input/crd/crd.ts';
import { loadCrds } from '../../src/kgen/input/load.ts';
import { buildModel, type ModelOptions } from '../../src/kgen/model/build.ts';

/** The root folder of the repository. */
export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** Generated files by path. */
export type Files = ReadonlyMap<string, string>;

/** Generated files, and the problems found. */
export interface Emitted {
  readonly files: Files;
  readonly problems: readonly InputProblem[];
}

/** Reads the definitions in `input`: paths and patterns relative to the repository, or objects. */
export async function definitions(
  input: readonly (string | object)[],
): Promise<{ crds: readonly CrdDefinition[]; problems: readonly InputProblem[] }> {
  const paths = input.filter((item) => typeof item === 'string');
  const objects = input.filter((item) => typeof item !== 'string');
  const stdin = Readable.from([Buffer.from(objects.map((item) => JSON.stringify(item)).join('\n---\n'))]);
  const loaded = await loadCrds({
    input: [...paths, ...(objects.length === 0 ? [] : ['-'])],
    cwd: repository,
    stdin,
  });
  const settled = settleClashes(loaded.crds);
  return { crds: settled.value, problems: [...loaded.problems, ...settled.problems] };
}

/** Generates from `input`. Throws errors of the input; returns warnings. */
export async function emitted(
  input: readonly (string | object)[],
  { exclusive = false, ...options }: Partial<EmitOptions & Pick<ModelOptions, 'exclusive'>> = {},
): Promise<Emitted> {
  const { crds, problems: inputProblems } = await definitions(input);
  const built = buildModel({ crds }, { exclusive });
  const problems = [...inputProblems, ...built.problems];
  const errors = problems.filter((problem) => problem.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(formatProblem).join('\n'));
  return { files: emit(built.model, { ...defaultEmitOptions, version: '0.0.0', ...options }), problems };
}

/** Folder with the CRDs of other projects; undefined if it is not set. */
export const corpus: string | undefined = process.env['KGEN_CORPUS'];
