/** Generated outputs in folders, and their import. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Checked, formatProblem, type Problem } from '../../src/kgen/common/problems.ts';
import { defaultEmitOptions, type EmitOptions } from '../../src/kgen/emit/options.ts';
import { emit } from '../../src/kgen/emit/tree.ts';
import { buildModel } from '../../src/kgen/model/build.ts';
import { loadOpenApi } from '../../src/kgen/openapi/load.ts';
import type { Loaded } from '../../src/kgen/openapi/types.ts';
import { type Files, repository } from '../support/emitted.ts';
import type { Modules } from './calls.ts';

/** Folder of `@kgen/kubernetes`. */
export const kubernetes: string = join(repository, 'generated/kubernetes');

/** Generated files by path, and the problems found. */
export interface Output {
  readonly files: Files;
  readonly problems: readonly Problem[];
}

/** Generates from saved OpenAPI documents. */
export async function fromOpenApi(paths: readonly string[]): Promise<Output> {
  return outputOf(await loadOpenApi({ paths, cwd: repository }));
}

/** Generates from loaded input; throws its errors. */
export function outputOf({ value, problems: found }: Checked<Loaded>): Output {
  const built = buildModel(value);
  const problems = [...found, ...built.problems];
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(formatProblem).join('\n'));
  const options: EmitOptions = { ...defaultEmitOptions, version: '0.0.0', importExtension: '.ts' };
  return { files: emit(built.model, options), problems };
}

/** Folder with an output; disposing of it deletes it. */
export interface OutputFolder {
  readonly folder: string;
  dispose(): void;
}

/** Writes an output into a new folder. */
export function writeFiles(files: Files): OutputFolder {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-api-'));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns a function that imports the modules of the output in `folder`. */
export function modulesOf(folder: string): Modules {
  return async (below) => {
    const module: unknown = await import(join(folder, below, 'index.ts'));
    if (typeof module !== 'object' || module === null) throw new Error(`no module in ${folder}`);
    return module;
  };
}
