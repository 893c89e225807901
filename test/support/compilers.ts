/** The TypeScript compilers that generated code must compile with, each run as a user runs it. */
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

/** Options as in `tsconfig.json`. */
export type Options = Readonly<Record<string, boolean | string | readonly string[]>>;

/** Every flag that makes the compiler stricter; each from the version that has it. */
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

/** What every check has: declarations are made, so that their rules hold too, and no library is skipped. */
const common: Options = {
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  skipLibCheck: false,
  declaration: true,
  emitDeclarationOnly: true,
  rootDir: '.',
};

/** The two ways in which modules are found today. */
export const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

/** A project's check: files below `include`, with options on top of the common ones. */
export interface Check {
  readonly line: Line;
  readonly folder: string;
  /** Name of the check; its configuration and output are named after it. */
  readonly name: string;
  readonly include: readonly string[];
  readonly options: Options;
}

/** Runs the compiler; gives what it printed, `''` when it found nothing wrong. */
export async function typeCheck({ line, folder, name, include, options }: Check): Promise<string> {
  const config = join(folder, `tsconfig.${name}.json`);
  const compilerOptions = { ...common, outDir: `out/${name}`, ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions, include }));
  const compiler = join(repository, packages[line], 'bin/tsc');
  return await run(process.execPath, [compiler, '-p', config, '--pretty', 'false'], folder);
}

/** Standard output of a program; its end by a signal is an error. */
function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, [...args], { cwd, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (typeof error.code !== 'number') return reject(error);
      resolve(stdout + stderr || `exit status ${error.code}`);
    });
  });
}
