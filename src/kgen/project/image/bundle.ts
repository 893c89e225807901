/** The program of an operator as one file, by the rolldown of its project. */
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { InputOptions, OutputOptions, RolldownBuild, RolldownLog } from 'rolldown';
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

/** Bundles a program. The worker of an election is part of `@kgen/runtime`, and thereby of the bundle. */
export async function bundleOperator(options: BundleOptions): Promise<Checked<OperatorBundle | undefined>> {
  const bundler = await bundlerOf(options.cwd);
  if (bundler === undefined) return { value: undefined, problems: [error(missing)] };
  const warnings: RolldownLog[] = [];
  try {
    const input = inputOptions(options, (log) => warnings.push(log));
    const bundle = await bundler.rolldown(input);
    const { output } = await bundle.generate(outputOptions(options)).finally(() => bundle.close());
    const [{ code, map, moduleIds, imports }] = output;
    const value = { program: code, map: map?.toString() ?? '', licences: licencesOf(options.cwd, moduleIds) };
    // The image has no packages. An `import()` of one that is missing may be inside of a `try`.
    const isMissing = ({ code, exporter = '' }: RolldownLog): boolean =>
      code === 'UNRESOLVED_IMPORT' && imports.includes(exporter);
    const problems = warnings.map((log) => problemOf(options, log, isMissing(log) ? error : warning));
    return { value: warnings.some(isMissing) ? undefined : value, problems };
  } catch (cause) {
    // seam: failures of rolldown have messages
    const { errors } = cause as { readonly errors?: readonly RolldownLog[] };
    if (errors === undefined) throw cause;
    return { value: undefined, problems: errors.map((log) => problemOf(options, log, error)) };
  }
}

const missing =
  'kgen build needs rolldown: npm install --save-dev rolldown, or @kgen/testing, which contains it';

/** The function of rolldown that kgen calls. */
interface Bundler {
  readonly rolldown: (options: InputOptions) => Promise<RolldownBuild>;
}

/** Loads the rolldown of the project, or that of `@kgen/testing`. */
async function bundlerOf(cwd: string): Promise<Bundler | undefined> {
  const project = join(cwd, 'package.json');
  const testing = resolved('@kgen/testing', project);
  const path = resolved('rolldown', project) ?? (testing && resolved('rolldown', testing));
  return path === undefined ? undefined : await import(pathToFileURL(path).href);
}

function resolved(name: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}

function inputOptions({ cwd, entry }: BundleOptions, warn: (log: RolldownLog) => void): InputOptions {
  return {
    cwd,
    input: entry,
    platform: 'node',
    transform: { target: 'node20.19' },
    onLog: (level, log) => {
      if (level === 'warn') warn(log);
    },
  };
}

function outputOptions({ header, base }: BundleOptions): OutputOptions {
  const require = `import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(${base});`;
  return {
    file: 'operator.mjs',
    format: 'esm',
    codeSplitting: false,
    sourcemap: 'hidden',
    minify: true,
    charset: 'ascii', // With any other character, V8 keeps two bytes for each one of the source.
    comments: { legal: true, annotation: false, jsdoc: false },
    keepNames: true, // Names of errors and classes are part of messages.
    polyfillRequire: false,
    banner: `${header}\n${require}`,
  };
}

function problemOf({ cwd }: BundleOptions, log: RolldownLog, severity: typeof error): InputProblem {
  const { id = '', exporter = '', loc } = log;
  const text = faultText(log.message);
  const isNative = id.endsWith('.node');
  const isPackage = log.code === 'UNRESOLVED_IMPORT' && !/^[./]/.test(exporter);
  const what = isNative
    ? `${text}: a package with native code cannot be part of a bundle`
    : isPackage
      ? `${text}: install the package`
      : text;
  if (loc?.file === undefined) return severity(what);
  return severity(what, { file: relative(cwd, loc.file), line: loc.line, column: loc.column + 1 });
}

/** Returns the first line of a message of rolldown, without its code and colors. */
function faultText(message: string): string {
  const [line = ''] = stripVTControlCharacters(message).split('\n');
  return line.replace(/^\[[A-Z_]+\] /, '').replace(/ in \S+$/, '');
}
