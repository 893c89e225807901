/**
 * Programs of users as one module of JavaScript. Node.js could transform their modules one by one with hooks,
 * but then each later `import()` in the process takes real time, on another thread, which a simulation does
 * not replace.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleType, Plugin } from 'rolldown';

/**
 * Imports a module, in JavaScript or TypeScript, together with the modules of its project that it imports.
 * Packages are imported as usual. Stacks contain the lines of the sources, if source maps are enabled.
 * @throws {Error} the module cannot be parsed, imports a file that does not exist, or throws
 */
export async function importBundled(path: string): Promise<unknown> {
  const { file, remove } = await bundleFile(path);
  // The module may end the process.
  process.once('exit', remove);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** A bundle in a temporary folder. */
interface BundleFile {
  readonly file: string;
  readonly text: string;
  /** Removes the file. */
  remove(): void;
}

/**
 * Writes a module, together with the modules of its project that it imports, as one file from which packages
 * of the project are found.
 * @throws {Error} the module cannot be parsed, or imports a file that does not exist
 */
export async function bundleFile(path: string): Promise<BundleFile> {
  const folder = temporaryFolder(path);
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  // A signal may end this process while the program runs.
  process.once('exit', remove);
  try {
    const file = join(folder, 'operator.mjs');
    const text = await bundled(path, file);
    writeFileSync(file, text);
    return { file, text, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** In the folder of packages of the project, so that they are found from there. */
function temporaryFolder(path: string): string {
  const folders = createRequire(path).resolve.paths('@kgen/testing') ?? [];
  const packages = folders.find((folder) => existsSync(join(folder, '@kgen/testing'))) ?? dirname(path);
  return mkdtempSync(join(packages, '.kgen-'));
}

async function bundled(path: string, outfile: string): Promise<string> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: path,
    external: isPackage,
    platform: 'node',
    transform: { target: `node${process.versions.node}`, define: placeNames },
    plugins: [modulePlaces],
    onLog: () => undefined,
  });
  const settings = { file: outfile, format: 'esm', sourcemap: 'inline', codeSplitting: false } as const;
  const { output } = await bundle.generate(settings).finally(() => bundle.close());
  return output[0].code;
}

/** Returns whether a specifier is the name of a package, or of a module of Node.js. */
function isPackage(name: string, _: string | undefined, isResolved: boolean): boolean {
  return !isResolved && !/^[.#]/.test(name) && !isAbsolute(name);
}

/** Properties of modules, and the variables that replace them, because all modules become one. */
const placeNames = {
  'import.meta.url': '__kgenUrl',
  'import.meta.filename': '__kgenFilename',
  'import.meta.dirname': '__kgenDirname',
} as const;

const propertiesOfModules = ['import.meta.url', 'import.meta.filename', 'import.meta.dirname'] as const;

/** Declares the variables on the first line of each module, so that lines keep their numbers. */
const modulePlaces: Plugin = {
  name: 'places of modules',
  async load(path) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) return undefined;
    const source = await readFile(path, 'utf8');
    const values = {
      'import.meta.url': pathToFileURL(path).href,
      'import.meta.filename': path,
      'import.meta.dirname': dirname(path),
    };
    const declarations = propertiesOfModules
      .filter((name) => source.includes(name))
      .map((name) => `const ${placeNames[name]} = ${JSON.stringify(values[name])};`);
    const code = `${declarations.join('')}${source.replace(/^#!.*/, '')}`;
    return { code, moduleType: moduleTypeOf(path) };
  },
};

function moduleTypeOf(path: string): ModuleType {
  const [, kind, isMarkup] = /\.[cm]?([jt]s)(x?)$/.exec(path) ?? [];
  if (kind === 'ts') return isMarkup === 'x' ? 'tsx' : 'ts';
  return isMarkup === 'x' ? 'jsx' : 'js';
}
