/** The TypeScript compilers that generated code must compile with, each run as by a user. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './emitted.ts';

/** A release line of TypeScript. */
export type Line = '5.5' | '5.9' | '6' | '7';

const packages: Readonly<Record<Line, string>> = {
  '5.5': 'test/compilers/5.5/node_modules/typescript',
  '5.9': 'node_modules/typescript',
  '6': 'test/compilers/6/node_modules/typescript',
  '7': 'test/compilers/7/node_modules/typescript',
};

/** Every line, oldest first. */
export const lines: readonly Line[] = ['5.5', '5.9', '6', '7'];

/** Options of a `tsconfig.json`. */
export type Options = Readonly<Record<string, boolean | string | readonly string[]>>;

/** Returns every flag that makes the compiler stricter, from the version that has it. */
export function strictest(line: Line): Options {
  return {
    ...strictFlags,
    ...(line === '5.5' ? {} : { erasableSyntaxOnly: true, noUncheckedSideEffectImports: true }),
  };
}

const strictFlags: Options = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  forceConsistentCasingInFileNames: true,
};

/**
 * Options of every check: declarations are emitted, so that their rules apply too, and no library is skipped.
 */
const common: Options = {
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  skipLibCheck: false,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: '.',
};

/** Both current module resolutions. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

/** Check of a project: files below `include`, with options in addition to the common ones. */
export interface Check {
  readonly line: Line;
  readonly folder: string;
  /** Name of the check; its configuration and output are named after it. */
  readonly name: string;
  readonly include: readonly string[];
  readonly options: Options;
}

/** Runs the compiler and returns its output, `''` without errors. */
export async function typeCheck({ line, folder, name, include, options }: Check): Promise<string> {
  const config = join(folder, `tsconfig.${name}.json`);
  const compilerOptions = { ...common, outDir: `out/${name}`, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, include }));
  const compiler = join(repository, packages[line], 'bin/tsc');
  return await run(process.execPath, [compiler, '-p', config, '--pretty', 'false'], folder);
}

/** Returns the standard output of a program; rejects if a signal terminated it. */
function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { cwd, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (typeof error.code !== 'number') return reject(error);
      resolve(stdout + stderr || `exit status ${error.code}`);
    });
  });
}
