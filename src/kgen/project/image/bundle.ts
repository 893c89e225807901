/** The program of an operator as one file, by the esbuild of its project. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, BuildResult, Message } from 'esbuild';
import { type Checked, error, type InputProblem, warning } from '../../common/problems.ts';
import { licencesOf } from './licences.ts';

/** A program in one file, with the packages that it imports. */
export interface OperatorBundle {
  /** An ES module, which imports modules of Node.js only. */
  readonly program: string;
  /** Its source map. */
  readonly map: string;
  /** Licences of the packages in it. */
  readonly licences: string;
}

/** Options of `bundleOperator`. */
export interface BundleOptions {
  /** Folder of the project. */
  readonly cwd: string;
  /** Module of the program, relative to the project. */
  readonly entry: string;
  /** Comment on the first line. */
  readonly header: string;
  /** Expression of the URL or path from which `require` of packages in CommonJS finds modules of Node.js. */
  readonly base: string;
}

/** Bundles a program. The worker of an election is part of `@kgen/controller`, and thereby of the bundle. */
export async function bundleOperator(options: BundleOptions): Promise<Checked<OperatorBundle | undefined>> {
  const esbuild = await esbuildOf(options.cwd);
  if (esbuild === undefined) return { value: undefined, problems: [error(missing)] };
  try {
    const { outputFiles = [], metafile, warnings } = await esbuild.build(settingsOf(options));
    const textOf = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
    const licences = licencesOf(options.cwd, Object.keys(metafile?.inputs ?? {}), textOf('.LEGAL.txt'));
    const value = { program: textOf('.mjs'), map: textOf('.map'), licences };
    return { value, problems: warnings.map((message) => problemOf(message, warning)) };
  } catch (cause) {
    // seam: failures of esbuild have messages
    const { errors } = cause as { readonly errors?: readonly Message[] };
    if (errors === undefined) throw cause;
    return { value: undefined, problems: errors.map((message) => problemOf(message, error)) };
  }
}

const missing =
  'kgen build needs esbuild: npm install --save-dev esbuild, or @kgen/testing, which contains it';

/** The functions of esbuild that kgen calls. */
interface Esbuild {
  readonly build: (options: BuildOptions) => Promise<BuildResult>;
}

/** Loads the esbuild of the project, or that of `@kgen/testing`. */
async function esbuildOf(cwd: string): Promise<Esbuild | undefined> {
  const project = join(cwd, 'package.json');
  const testing = resolved('@kgen/testing', project);
  const path = resolved('esbuild', project) ?? (testing && resolved('esbuild', testing));
  return path === undefined ? undefined : await import(pathToFileURL(path).href);
}

function resolved(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

function settingsOf({ cwd, entry, header, base }: BundleOptions): BuildOptions {
  const require = `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(${base});`;
  return {
    absWorkingDir: cwd,
    entryPoints: [entry],
    outfile: 'operator.mjs',
    bundle: true,
    write: false,
    metafile: true,
    sourcemap: 'external',
    legalComments: 'external',
    minify: true,
    keepNames: true, // Names of errors and classes are part of messages.
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: `${header}\n${require}` },
    logLevel: 'silent',
  };
}

function problemOf({ text, location }: Message, severity: typeof error): InputProblem {
  const [, name] = /^Could not resolve "([^./"][^"]*)"/.exec(text) ?? [];
  const isNative = text.includes('".node" files');
  const what =
    name !== undefined
      ? `${text}: install the package`
      : isNative
        ? `${text}: a package with native code cannot be part of a bundle`
        : text;
  if (location === null) return severity(what);
  const { file, line, column } = location;
  return severity(what, { file, line, column: column + 1 });
}
