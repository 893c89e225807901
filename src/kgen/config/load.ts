import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileFault } from '../input/files.ts';
import { reread } from '../input/reread.ts';
import { isUrl } from '../input/url.ts';
import { type Checked, error, hasErrors, type Problem } from '../problems.ts';
import { type Locate, parseSettings, type Settings } from './settings.ts';

/** Names that are looked for, in this order; the first that exists is taken. */
export const configNames: readonly string[] = ['ts', 'js', 'json', 'yaml'].map(
  (type) => `kgen.config.${type}`,
);

/**
 * Reads `kgen.config.*` from a folder, or the file that was named. Without one there are no settings. Paths in the file
 * start from the file's folder.
 */
export async function loadConfig(cwd: string, named: string | undefined): Promise<Checked<Settings>> {
  const file = named ?? configNames.find((name) => existsSync(join(cwd, name)));
  if (file === undefined) return { value: {}, problems: [] };
  const path = resolve(cwd, file);
  const read = /\.[cm]?[jt]s$/.test(file) ? await importConfig(path, file) : readConfig(path, file);
  if (hasErrors(read.problems)) return { value: {}, problems: read.problems };
  const settings = parseSettings(read.value, read.locate);
  return { value: anchored(settings.value, cwd, dirname(path)), problems: settings.problems };
}

interface Read {
  readonly value?: unknown;
  readonly locate: Locate;
  readonly problems: readonly Problem[];
}

/** Code of the user, trusted like any build script; its default export is the settings. */
async function importConfig(path: string, file: string): Promise<Read> {
  const locate: Locate = () => ({ file });
  try {
    const module: { readonly default?: unknown } = await import(pathToFileURL(path).href);
    if (module.default !== undefined) return { value: module.default, locate, problems: [] };
    return {
      locate,
      problems: [error('the file has no default export: write `export default { … }`', { file })],
    };
  } catch (cause) {
    return { locate, problems: [error(importFault(cause), { file })] };
  }
}

function importFault(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException; // seam: errors of Node's loader have a code
  if (code === 'ERR_MODULE_NOT_FOUND')
    return 'there is no such file, or it imports a module that is not there';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `Node ${process.versions.node} does not run TypeScript: use Node 22.18 or later, or write kgen.config.js`;
  }
  return `the file cannot be run: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`;
}

/** JSON is YAML, so one reader does for both and knows the places. */
function readConfig(path: string, file: string): Read {
  try {
    const text = readFileSync(path, 'utf8');
    const again = reread({ file, text }, { offset: 0, text });
    return { value: again.value(), locate: again.position, problems: again.syntaxProblems() };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // seam: errors of node:fs have a code
    if (code === undefined) throw cause;
    return { locate: () => ({ file }), problems: [error(fileFault(code), { file })] };
  }
}

/** Rewrites relative paths for a run that starts in `cwd`. */
function anchored(settings: Settings, cwd: string, folder: string): Settings {
  if (resolve(cwd) === folder) return settings;
  const anchor = (path: string): string =>
    path === '-' || isUrl(path) || isAbsolute(path) ? path : join(folder, path);
  return {
    ...settings,
    ...(settings.input === undefined ? {} : { input: settings.input.map(anchor) }),
    ...(settings.out === undefined ? {} : { out: anchor(settings.out) }),
  };
}
